import type { MaterialId, Result, SiteId, VersionId } from '@galley/wire'
import { fail, historyKeptMs, ok } from '@galley/wire'

import { readAddress } from '../../records/addresses.ts'
import type { Change } from '../../records/changes.ts'
import type { MaterialSession, MaterialSummary } from '../../records/material.ts'
import type { Commit } from '../commit/commit.ts'
import { eachOf } from '../database/each-of.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { FieldChanges } from '../field/fields.ts'
import type { Addresses, AddressTaken } from '../page/addresses.ts'
import { addressedSlug } from '../page/addresses.ts'

/** The columns of an editing session; null before the first one. */
export interface SessionRow {
  session_id: string | null
  fingerprint: string | null
  editor_url: string | null
  last_access: string | null
}

interface MaterialRow extends SessionRow {
  site: SiteId
  material_id: MaterialId
  title: string
  slug: string
  version_count: number
  current_version_id: VersionId | null
  saved_at: string | null
  archived_at: string | null
}

/** The data to store after opening a session. */
export interface OpenedSession {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly title: string | null
  readonly slug: string | null
  readonly sessionId: string
  readonly fingerprint: string
  readonly url: string
  readonly at: string
  /** The caller's own metadata as JSON text. */
  readonly sentMetadata: string
  /** The callback URL of this session. */
  readonly callbackUrl: string
}

/** The data sent with the last session of a material. */
export interface SentAtOpen {
  readonly metadata: string
  /** null if no session was opened. */
  readonly callbackUrl: string | null
}

const columns = `m.site, m.material_id, m.title, m.version_count, v.version_id AS current_version_id, m.saved_at,
  m.archived_at, m.session_id, m.fingerprint, m.editor_url, m.last_access`
const joined = 'FROM material m LEFT JOIN version v ON v.id = m.current_version'

/** The materials of all sites, with their sessions and their search documents. */
export function createMaterials(db: ReadHandle, commit: Commit, addresses: Addresses, fieldChanges: FieldChanges) {
  const one = db.prepare<[string, string], MaterialRow>(
    `SELECT ${columns}, m.slug ${joined} WHERE m.site = ? AND m.material_id = ?`,
  )
  const byId = db.prepare<[number], MaterialRow>(`SELECT ${columns}, m.slug ${joined} WHERE m.id = ?`)
  const listed = db
    .prepare<[string], number>(
      'SELECT id FROM material WHERE site = ? AND archived_at IS NULL ORDER BY saved_at DESC, id DESC',
    )
    .pluck()
  const archived = db
    .prepare<[string], number>('SELECT id FROM material WHERE site = ? AND archived_at IS NOT NULL ORDER BY id DESC')
    .pluck()
  const any = db.prepare<[string], { yes: number }>('SELECT 1 AS yes FROM material WHERE site = ? LIMIT 1')
  const byArrival = db.prepare<[string], MaterialRow>(
    `SELECT ${columns}, ${addressedSlug} ${joined} WHERE m.site = ? ORDER BY m.id`,
  )
  const rowId = db.prepare<[string, string], { id: number }>(
    'SELECT id FROM material WHERE site = ? AND material_id = ?',
  )
  const sent = db.prepare<[string, string], { metadata: string | null; callbackUrl: string | null }>(
    'SELECT sent_metadata AS metadata, opened_callback_url AS callbackUrl FROM material WHERE site = ? AND material_id = ?',
  )
  const opened = db.prepare<[string, string, string, number], { site: SiteId; title: string }>(
    `SELECT site, CASE title WHEN '' THEN material_id ELSE title END AS title FROM material
     WHERE site = ? AND session_id IS NOT NULL AND last_access BETWEEN ? AND ? ORDER BY last_access DESC LIMIT ?`,
  )
  const sessionAfter = db.prepare<[string, string], { yes: number }>(
    'SELECT 1 AS yes FROM material WHERE site = ? AND session_id IS NOT NULL AND last_access > ? LIMIT 1',
  )
  const idOf = (site: SiteId, materialId: MaterialId): number | null => rowId.get(site, materialId)?.id ?? null

  const slugs = createSlugs(addresses, (site, materialId) => one.get(site, materialId)?.slug)

  return {
    idOf,
    slugTaken: slugs.taken,
    keepsAddress: slugs.keepsAddress,
    find: (site: SiteId, materialId: MaterialId): MaterialSummary | null => fromFound(one.get(site, materialId)),
    /** Whether a site has materials, including archived ones. */
    hasAny: (site: SiteId): boolean => any.get(site) !== undefined,
    /** Last saved first, without archived ones. Read one by one, because nothing limits their number. */
    list: (site: SiteId): Iterable<MaterialSummary> => eachOf(listed.all(site), (id) => fromFound(byId.get(id))),
    /** Archived ones, newest first. */
    listArchived: (site: SiteId): Iterable<MaterialSummary> =>
      eachOf(archived.all(site), (id) => fromFound(byId.get(id))),
    /** All of them, in order of arrival, with as much of a slug as an address needs. */
    listByArrival: (site: SiteId): readonly MaterialSummary[] => byArrival.all(site).map(fromRow),
    /** Stores the service's response. A new slug moves the page, unless another page has that address. */
    recordOpen(session: OpenedSession): void {
      const { site, materialId, slug } = session
      commit.now(() => [
        ...slugs.moves(site, materialId, slug),
        { kind: 'material_opened', ...session },
        ...(slug === materialId ? slugs.ownId(site, materialId) : []),
      ])
    },
    /** Materials that were opened in the editor or saved between two moments, ISO 8601 UTC, the last one first. */
    openedBetween: (site: SiteId, from: string, to: string, limit: number) => opened.all(site, from, to, limit),
    /** Whether a site had a session at this moment that the service still kept. */
    hasSession: (site: SiteId, at: Date): boolean =>
      sessionAfter.get(site, new Date(at.getTime() - historyKeptMs).toISOString()) !== undefined,
    /** The data sent with the last session, or null before the first one. */
    sentAtOpen(site: SiteId, materialId: MaterialId): SentAtOpen | null {
      const row = sent.get(site, materialId)
      return row?.metadata == null ? null : { metadata: row.metadata, callbackUrl: row.callbackUrl }
    },
    /** Sets the title and slug of a material. A new slug moves the page. */
    rename(site: SiteId, materialId: MaterialId, title: string, slug: string): Result<null, AddressTaken | 'unknown'> {
      let done: Result<null, AddressTaken | 'unknown'> = ok(null)
      commit.now(() => {
        const holder = slugs.taken(site, materialId, slug)
        done = idOf(site, materialId) === null ? fail('unknown') : holder === null ? ok(null) : fail(holder)
        if (!done.ok) return []
        return [
          ...slugs.moves(site, materialId, slug),
          ...fieldChanges('material', site, [{ materialId }], { title, slug }),
        ]
      })
      return done
    },
  }
}

/** What slugs mean for addresses: a new one moves a page that has an address. */
function createSlugs(addresses: Addresses, slugOf: (site: SiteId, materialId: MaterialId) => string | undefined) {
  const hasAddress = (site: SiteId, materialId: MaterialId): boolean =>
    (addresses.of(site, materialId)?.path ?? null) !== null
  const isMove = (site: SiteId, materialId: MaterialId, slug: string): boolean =>
    slugOf(site, materialId) !== slug && hasAddress(site, materialId)
  /** The new address of a page with a new slug; null if it does not move. */
  function movedTo(site: SiteId, materialId: MaterialId, slug: string): string | null {
    const path = isMove(site, materialId, slug) ? readAddress(slug) : null
    return path?.ok === true ? path.value : null
  }

  return {
    /** The page that has the address of a new slug, if the slug would move a page. */
    taken(site: SiteId, materialId: MaterialId, slug: string | null): AddressTaken | null {
      const path = slug === null ? null : movedTo(site, materialId, slug)
      return path === null ? null : addresses.pageAt(site, path, materialId)
    },
    /** Whether a page keeps its address although its slug changes: not every slug can be an address. */
    keepsAddress: (site: SiteId, materialId: MaterialId, slug: string): boolean =>
      isMove(site, materialId, slug) && !readAddress(slug).ok,
    moves(site: SiteId, materialId: MaterialId, slug: string | null): readonly Change[] {
      const path = slug === null ? null : movedTo(site, materialId, slug)
      const moved = path === null ? null : addresses.move(site, materialId, path)
      return moved?.ok === true ? moved.value : []
    },
    /**
     * A slug that equals the id. The index cannot tell it from none, so a page without an address gets this one at once, unless
     * another page has it.
     */
    ownId(site: SiteId, materialId: MaterialId): readonly Change[] {
      const path = readAddress(materialId)
      if (!path.ok || hasAddress(site, materialId) || !addresses.isFree(site, path.value, materialId)) return []
      return [{ kind: 'addresses_decided', site, addresses: [{ materialId, path: path.value }], tags: [] }]
    },
  }
}

export function toSession(row: SessionRow): MaterialSession | null {
  const { session_id: sessionId, fingerprint, editor_url: url, last_access: lastAccess } = row
  if (sessionId === null || fingerprint === null || url === null || lastAccess === null) return null
  const keptUntil = new Date(Date.parse(lastAccess) + historyKeptMs).toISOString()
  return { sessionId, fingerprint, url, lastAccess, keptUntil }
}

const fromFound = (row: MaterialRow | undefined): MaterialSummary | null => (row ? fromRow(row) : null)

const fromRow = (row: MaterialRow): MaterialSummary => ({
  site: row.site,
  materialId: row.material_id,
  title: row.title,
  slug: row.slug,
  versions: row.version_count,
  currentVersionId: row.current_version_id,
  savedAt: row.saved_at,
  archivedAt: row.archived_at,
  session: toSession(row),
})
