import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { NewBlob } from '../records/changes.ts'
import type { Outgoing } from '../records/outgoing.ts'
import type { PageSettings, SitePublishing } from '../records/site-model.ts'
import { publishingDefaults } from '../records/site-model.ts'
import type { Commit } from './commit.ts'
import type { ReadHandle } from './database/read-handle.ts'
import type { PublishingRow } from './database/site-model-rows.ts'
import { toPublishing } from './database/site-model-rows.ts'

/** SQL: whether version `o` may be published by a rule and a choice, both expressions. */
const isOutgoing = (rule: string, choice: string): string =>
  `(${rule} = 'all' OR o.decision = 'approved' OR (${rule} = 'not-rejected' AND o.decision IS NULL))
    AND (${choice} = 'latest' OR o.version_id = ${choice} OR (${choice} = 'approved' AND o.decision = 'approved'))`

/** The row id of the outgoing version of a material. The expression is its row and must not use `o`, `om`, `op` or `og`. */
export const outgoingSql = (material: string): string =>
  `(SELECT o.id FROM version o JOIN material om ON om.id = o.material LEFT JOIN site_publishing op ON op.site = om.site
      LEFT JOIN page og ON og.material = om.id
    WHERE o.material = ${material}
      AND ${isOutgoing(`coalesce(op.outgoing, '${publishingDefaults.outgoing}')`, `coalesce(og.version, 'latest')`)}
    ORDER BY o.cdate_ms DESC, o.id DESC LIMIT 1)`

/** The publication settings of sites, and the versions that they select. */
export function createPublishing(db: ReadHandle, commit: Commit) {
  const one = db.prepare<[string], PublishingRow>('SELECT * FROM site_publishing WHERE site = ?')
  const newest = db.prepare<
    { site: SiteId; materialId: MaterialId; outgoing: Outgoing; choice: string },
    { versionId: VersionId }
  >(
    `SELECT o.version_id AS versionId FROM material m CROSS JOIN version o ON o.material = m.id
     WHERE m.site = @site AND m.material_id = @materialId
       AND ${isOutgoing('@outgoing', '@choice')}
     ORDER BY o.cdate_ms DESC, o.id DESC LIMIT 1`,
  )

  const of = (site: SiteId): SitePublishing => toPublishing(one.get(site))

  return {
    of,
    /** Whether anybody has ever chosen the home page, also if it is the list again. */
    hasChosenHome: (site: SiteId): boolean => (one.get(site)?.home ?? null) !== null,
    /** Absent members stay unchanged. `blobs`: the files of a theme that is new here. */
    change(site: SiteId, { home, ...others }: Partial<SitePublishing>, blobs: readonly NewBlob[] = []): void {
      // The usual home page is stored only after another one: see `hasChosenHome`.
      const changes = home === undefined || home === of(site).home ? others : { ...others, home }
      if (Object.keys(changes).length > 0)
        commit.now(() => [{ kind: 'publishing_changed', site, ...changes, ...(blobs.length > 0 && { blobs }) }])
    },
    /** The outgoing version of a material by a rule and the material's own choice; null if none. */
    outgoingVersion: (
      site: SiteId,
      materialId: MaterialId,
      outgoing: Outgoing,
      choice: PageSettings['version'],
    ): VersionId | null => newest.get({ site, materialId, outgoing, choice })?.versionId ?? null,
  }
}
