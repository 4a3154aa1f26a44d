import type { Database } from 'better-sqlite3'

import type { Outgoing, Publishing } from '../../../contract/domain/outgoing.ts'
import { publishingDefaults } from '../../../contract/domain/outgoing.ts'
import type { SiteId, VersionId } from '../../../contract/ids.ts'
import type { Commit } from './commit.ts'

/** Whether a version `o` may go out by a rule that is an expression. */
const mayGoOut = (rule: string): string =>
  `(${rule} = 'all' OR o.verdict = 'approved' OR (${rule} = 'not-rejected' AND o.verdict IS NULL))`

/** The row id of the version that goes out of a material; the expression gives its row. */
export const outgoingSql = (material: string): string =>
  `(SELECT o.id FROM version o JOIN material m ON m.id = o.material LEFT JOIN site_publishing p ON p.site = m.site
    WHERE o.material = ${material} AND ${mayGoOut(`coalesce(p.outgoing, '${publishingDefaults.outgoing}')`)}
    ORDER BY o.cdate_ms DESC, o.id DESC LIMIT 1)`

/** What sites say of their exports, and which versions go out by it. */
export function createPublishing(db: Database, commit: Commit) {
  const one = db.prepare<[string], { outgoing: Outgoing | null }>('SELECT outgoing FROM site_publishing WHERE site = ?')
  const newest = db.prepare<{ site: string; materialId: string; outgoing: Outgoing }, { versionId: VersionId }>(
    `SELECT o.version_id AS versionId FROM material m CROSS JOIN version o ON o.material = m.id
     WHERE m.site = @site AND m.material_id = @materialId
       AND ${mayGoOut('@outgoing')}
     ORDER BY o.cdate_ms DESC, o.id DESC LIMIT 1`,
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
