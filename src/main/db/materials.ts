import type { Database } from 'better-sqlite3'

import type { MaterialId, SiteId, VersionId } from '../../contract/ids.ts'
import type { MaterialSummary } from '../../contract/material.ts'
import { historyKeptMs } from '../../contract/material.ts'
import { searchQuery } from './search-query.ts'

interface MaterialRow {
  site: string
  material_id: string
  title: string
  slug: string
  version_count: number
  current_version_id: string | null
  saved_at: string | null
  session_id: string | null
  fingerprint: string | null
  editor_url: string | null
  last_access: string | null
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
}

const columns = `m.site, m.material_id, m.title, m.slug, m.version_count, v.version_id AS current_version_id, m.saved_at,
  m.session_id, m.fingerprint, m.editor_url, m.last_access`
const joined = 'FROM material m LEFT JOIN version v ON v.id = m.current_version'

/** The materials of all sites, with their sessions and their search documents. */
export function createMaterials(db: Database) {
  const one = db.prepare<[string, string], MaterialRow>(
    `SELECT ${columns} ${joined} WHERE m.site = ? AND m.material_id = ?`,
  )
  const bySite = db.prepare<[string, number], MaterialRow>(
    `SELECT ${columns} ${joined} WHERE m.site = ? ORDER BY m.saved_at DESC, m.id DESC LIMIT ?`,
  )
  const byArrival = db.prepare<[string], MaterialRow>(`SELECT ${columns} ${joined} WHERE m.site = ? ORDER BY m.id`)
  // CROSS JOIN keeps the text index outermost: statistics of a small library make the planner walk all materials.
  const matching = db.prepare<[string, string, number], MaterialRow>(
    `SELECT ${columns} FROM material_text t CROSS JOIN material m ON m.id = t.rowid
       LEFT JOIN version v ON v.id = m.current_version
     WHERE material_text MATCH ? AND m.site = ? ORDER BY t.rank LIMIT ?`,
  )
  const rowId = db.prepare<[string, string], { id: number }>(
    'SELECT id FROM material WHERE site = ? AND material_id = ?',
  )
  const insert = db.prepare<[string, string, string, string]>(
    'INSERT OR IGNORE INTO material (site, material_id, title, slug) VALUES (?, ?, ?, ?)',
  )
  const opened = db.prepare<Record<string, string | null>>(
    `UPDATE material SET session_id = @sessionId, fingerprint = @fingerprint, editor_url = @url, last_access = @at,
       sent_metadata = @sentMetadata, title = coalesce(@title, title), slug = coalesce(@slug, slug)
     WHERE site = @site AND material_id = @materialId`,
  )
  const sent = db.prepare<[string, string], { sent_metadata: string | null }>(
    'SELECT sent_metadata FROM material WHERE site = ? AND material_id = ?',
  )
  const indexTitle = db.prepare<[number]>(
    `INSERT OR REPLACE INTO material_text (rowid, title, material_id, tags, page)
     SELECT m.id, m.title, m.material_id, m.tags, coalesce((SELECT page FROM material_text WHERE rowid = m.id), '')
     FROM material m WHERE m.id = ?`,
  )

  /** The row of a material, made when it is new. */
  const ensure = (site: SiteId, materialId: MaterialId): number => {
    insert.run(site, materialId, materialId, materialId)
    const row = rowId.get(site, materialId)
    if (!row) throw new Error('A material that was just written is not there')
    return row.id
  }

  return {
    ensure,
    find: (site: string, materialId: string): MaterialSummary | null => {
      const row = one.get(site, materialId)
      return row ? fromRow(row) : null
    },
    /** Last saved first. */
    list: (site: string, limit: number): readonly MaterialSummary[] => bySite.all(site, limit).map(fromRow),
    /** In the order in which they were first opened or saved. */
    listByArrival: (site: string): readonly MaterialSummary[] => byArrival.all(site).map(fromRow),
    /** Best match first; words are prefixes, all of them have to occur. */
    search: (site: string, text: string, limit: number): readonly MaterialSummary[] => {
      const query = searchQuery(text)
      return query === null ? [] : matching.all(query, site, limit).map(fromRow)
    },
    /** Writes what the service returned, in one transaction with the search document. */
    recordOpen: (session: OpenedSession): void =>
      db
        .transaction(() => {
          const id = ensure(session.site, session.materialId)
          opened.run({
            site: session.site,
            materialId: session.materialId,
            title: session.title,
            slug: session.slug,
            sessionId: session.sessionId,
            fingerprint: session.fingerprint,
            url: session.url,
            at: session.at,
            sentMetadata: session.sentMetadata,
          })
          indexTitle.run(id)
        })
        .immediate(),
    /** The caller's metadata of the last open as JSON text, or null before the first one. */
    sentMetadata: (site: SiteId, materialId: MaterialId): string | null =>
      sent.get(site, materialId)?.sent_metadata ?? null,
  }
}

export type Materials = ReturnType<typeof createMaterials>

function fromRow(row: MaterialRow): MaterialSummary {
  const { session_id: sessionId, fingerprint, editor_url: url, last_access: lastAccess } = row
  return {
    site: row.site as SiteId,
    materialId: row.material_id as MaterialId,
    title: row.title,
    slug: row.slug,
    versions: row.version_count,
    currentVersionId: row.current_version_id as VersionId | null,
    savedAt: row.saved_at,
    session:
      sessionId !== null && fingerprint !== null && url !== null && lastAccess !== null
        ? {
            sessionId,
            fingerprint,
            url,
            lastAccess,
            keptUntil: new Date(Date.parse(lastAccess) + historyKeptMs).toISOString(),
          }
        : null,
  }
}
