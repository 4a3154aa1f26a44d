import type { Database } from 'better-sqlite3'

import type { Outgoing, Publishing } from '../../contract/bundle/outgoing.ts'
import { publishingDefaults } from '../../contract/bundle/outgoing.ts'
import type { SiteId, VersionId } from '../../contract/ids.ts'
import type { Commit } from './commit.ts'

/** What sites say of their exports, and which versions go out by it. */
export function createPublishing(db: Database, commit: Commit) {
  const one = db.prepare<[string], { outgoing: Outgoing | null }>(
    'SELECT outgoing FROM site_publishing WHERE site = ?',
  )
  const newest = db.prepare<{ site: string; materialId: string; outgoing: Outgoing }, { versionId: VersionId }>(
    `SELECT v.version_id AS versionId FROM material m CROSS JOIN version v ON v.material = m.id
     WHERE m.site = @site AND m.material_id = @materialId
       AND (@outgoing = 'all' OR v.verdict = 'approved' OR (@outgoing = 'not-rejected' AND v.verdict IS NULL))
     ORDER BY v.cdate_ms DESC, v.id DESC LIMIT 1`,
  )

  return {
    of: (site: string): Publishing => ({ outgoing: one.get(site)?.outgoing ?? publishingDefaults.outgoing }),
    /** What is absent stays as it is. */
    change: (site: string, changes: Partial<Publishing>): void =>
      commit.now(() => [{ kind: 'publishing_changed', site: site as SiteId, ...changes }]),
    /** The version of a material that goes out; null: none does. */
    outgoingVersion: (site: string, materialId: string, { outgoing }: Publishing): VersionId | null =>
      newest.get({ site, materialId, outgoing })?.versionId ?? null,
  }
}
