import type { ReadHandle } from './database/read-handle.ts'

import type { MaterialId, SiteId, VersionId } from '../../../contract/ids.ts'
import type { MaterialSession, MaterialSummary } from '../../../contract/domain/material.ts'
import { historyKeptMs } from '../../../contract/domain/material.ts'
import { readAddress } from '../../../contract/domain/bundle/addresses.ts'
import type { Change } from '../../../contract/domain/changes.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Addresses, AddressTaken } from './addresses.ts'
import type { Commit } from './commit.ts'

/** The columns of an editing session; null before the first open. */
export interface SessionRow {
  session_id: string | null
  fingerprint: string | null
  editor_url: string | null
  last_access: string | null
}

interface MaterialRow extends SessionRow {
  site: string
  material_id: string
  title: string
  slug: string
  version_count: number
  current_version_id: string | null
  saved_at: string | null
  archived_at: string | null
}

/** What an open has to write down. */
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
  /** Where the service will send callbacks of this session. */
  readonly callbackUrl: string
}

/** What the last open of a material sent. */
export interface SentAtOpen {
  readonly metadata: string
  /** null when a Galley opened it that did not write it down. */
  readonly callbackUrl: string | null
}

const columns = `m.site, m.material_id, m.title, m.slug, m.version_count, v.version_id AS current_version_id, m.saved_at,
  m.archived_at, m.session_id, m.fingerprint, m.editor_url, m.last_access`
const joined = 'FROM material m LEFT JOIN version v ON v.id = m.current_version'

/** The materials of all sites, with their sessions and their search documents. */
export function createMaterials(db: ReadHandle, commit: Commit, addresses: Addresses) {
  const one = db.prepare<[string, string], MaterialRow>(
    `SELECT ${columns} ${joined} WHERE m.site = ? AND m.material_id = ?`,
  )
  const bySite = db.prepare<[string, number], MaterialRow>(
    `SELECT ${columns} ${joined} WHERE m.site = ? AND m.archived_at IS NULL ORDER BY m.saved_at DESC, m.id DESC LIMIT ?`,
  )
  const archived = db.prepare<[string], MaterialRow>(
    `SELECT ${columns} ${joined} WHERE m.site = ? AND m.archived_at IS NOT NULL ORDER BY m.id DESC`,
  )
  const any = db.prepare<[string], { yes: number }>('SELECT 1 AS yes FROM material WHERE site = ? LIMIT 1')
  const byArrival = db.prepare<[string], MaterialRow>(`SELECT ${columns} ${joined} WHERE m.site = ? ORDER BY m.id`)
  const rowId = db.prepare<[string, string], { id: number }>(
    'SELECT id FROM material WHERE site = ? AND material_id = ?',
  )
  const sent = db.prepare<[string, string], { metadata: string | null; callbackUrl: string | null }>(
    'SELECT sent_metadata AS metadata, opened_callback_url AS callbackUrl FROM material WHERE site = ? AND material_id = ?',
  )
  const idOf = (site: string, materialId: string): number | null => rowId.get(site, materialId)?.id ?? null

  /** Who is at the address that a new slug stands for, where that would move a page. */
  function slugTaken(site: string, materialId: string, slug: string | null): AddressTaken | null {
    const path = slug === null ? null : movedTo(site, materialId, slug)
    return path === null ? null : addresses.pageAt(site, path, materialId)
  }
  /** Where a page goes that has an address and gets another slug; null: it stays where it is. */
  function movedTo(site: string, materialId: string, slug: string): string | null {
    if (one.get(site, materialId)?.slug === slug || (addresses.of(site, materialId)?.path ?? null) === null) return null
    const path = readAddress(slug)
    return path.ok ? path.value : null
  }
  /** Before a new slug moves the page of a material. */
  function settle(site: SiteId, materialId: string): void {
    if (addresses.isUnwritten(site, materialId)) commit.now(() => addresses.decision(site, new Map()))
  }
  function moves(site: SiteId, materialId: MaterialId, slug: string | null): readonly Change[] {
    const path = slug === null ? null : movedTo(site, materialId, slug)
    const moved = path === null ? null : addresses.move(site, materialId, path)
    return moved?.ok === true ? moved.value : []
  }

  return {
    idOf,
    slugTaken,
    find: (site: string, materialId: string): MaterialSummary | null => {
      const row = one.get(site, materialId)
      return row ? fromRow(row) : null
    },
    /** Whether a site has materials, archived ones among them. */
    hasAny: (site: string): boolean => any.get(site) !== undefined,
    /** Last saved first, without the archived ones. */
    list: (site: string, limit: number): readonly MaterialSummary[] => bySite.all(site, limit).map(fromRow),
    /** The archived ones, the last that came first. */
    listArchived: (site: string): readonly MaterialSummary[] => archived.all(site).map(fromRow),
    /** All of them, in the order in which they were first opened or saved. */
    listByArrival: (site: string): readonly MaterialSummary[] => byArrival.all(site).map(fromRow),
    /** Writes what the service returned. A new slug moves a page that has an address, unless another one is there. */
    recordOpen(session: OpenedSession): void {
      const { site, materialId, slug } = session
      if (slug !== null) settle(site, materialId)
      commit.now(() => [...moves(site, materialId, slug), { kind: 'material_opened', ...session }])
    },
    /** What the last open sent, or null before the first one. */
    sentAtOpen(site: string, materialId: string): SentAtOpen | null {
      const row = sent.get(site, materialId)
      return row?.metadata == null ? null : { metadata: row.metadata, callbackUrl: row.callbackUrl }
    },
    /** `at` null takes them back into the lists; ids that are not there are passed over. */
    archive: (site: string, materialIds: readonly string[], at: string | null): void =>
      commit.now(() => [
        { kind: 'materials_archived', site: site as SiteId, materialIds: [...materialIds] as MaterialId[], at },
      ]),
    /** Gives a material its names; a new slug moves a page that has an address. */
    rename(site: string, materialId: string, title: string, slug: string): Result<null, AddressTaken | 'unknown'> {
      const names = { site: site as SiteId, materialId: materialId as MaterialId }
      let done: Result<null, AddressTaken | 'unknown'> = ok(null)
      settle(names.site, materialId)
      commit.now(() => {
        const holder = slugTaken(site, materialId, slug)
        done = idOf(site, materialId) === null ? fail('unknown') : holder === null ? ok(null) : fail(holder)
        if (!done.ok) return []
        return [...moves(names.site, names.materialId, slug), { kind: 'material_renamed', ...names, title, slug }]
      })
      return done
    },
  }
}

export function toSession(row: SessionRow): MaterialSession | null {
  const { session_id: sessionId, fingerprint, editor_url: url, last_access: lastAccess } = row
  if (sessionId === null || fingerprint === null || url === null || lastAccess === null) return null
  const keptUntil = new Date(Date.parse(lastAccess) + historyKeptMs).toISOString()
  return { sessionId, fingerprint, url, lastAccess, keptUntil }
}

const fromRow = (row: MaterialRow): MaterialSummary => ({
  site: row.site as SiteId,
  materialId: row.material_id as MaterialId,
  title: row.title,
  slug: row.slug,
  versions: row.version_count,
  currentVersionId: row.current_version_id as VersionId | null,
  savedAt: row.saved_at,
  archivedAt: row.archived_at,
  session: toSession(row),
})
