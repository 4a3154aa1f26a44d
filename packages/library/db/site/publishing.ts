import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { keysIn } from '@galley/wire'

import type { NewBlob } from '../../records/changes.ts'
import type { Outgoing } from '../../records/outgoing.ts'
import type { PageSettings, SitePublishing } from '../../records/site-model-fields.ts'
import { publishingDefaults } from '../../records/site-model-fields.ts'
import type { Commit } from '../commit/commit.ts'
import { fieldValues } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { FieldChanges } from '../field/fields.ts'

/** SQL: whether version `o` may be published by a rule and a choice, both expressions. */
const isOutgoing = (rule: string, choice: string): string =>
  `(${rule} = 'all' OR o.decision = 'approved' OR (${rule} = 'not-rejected' AND o.decision IS NULL))
    AND (${choice} = 'latest' OR o.version_id = ${choice} OR (${choice} = 'approved' AND o.decision = 'approved'))`

/** The row id of the outgoing version of a material. The expression is its row and must not use `o`, `om`, `op` or `og`. */
export const outgoingSql = (material: string): string =>
  `(SELECT o.id FROM version o JOIN material om ON om.id = o.material LEFT JOIN site_setting op ON op.site = om.site
      LEFT JOIN page og ON og.material = om.id
    WHERE o.material = ${material}
      AND ${isOutgoing(`coalesce(op.outgoing, '${publishingDefaults.outgoing}')`, `coalesce(og.version, 'latest')`)}
    ORDER BY o.cdate_ms DESC, o.id DESC LIMIT 1)`

/** The publication settings of sites, and the versions that they select. */
export function createPublishing(db: ReadHandle, commit: Commit, changesOf: FieldChanges) {
  const one = db.prepare<[string], { readonly home: string | null }>('SELECT * FROM site_setting WHERE site = ?')
  const newest = db.prepare<
    { site: SiteId; materialId: MaterialId; outgoing: Outgoing; choice: string },
    { versionId: VersionId }
  >(
    `SELECT o.version_id AS versionId FROM material m CROSS JOIN version o ON o.material = m.id
     WHERE m.site = @site AND m.material_id = @materialId
       AND ${isOutgoing('@outgoing', '@choice')}
     ORDER BY o.cdate_ms DESC, o.id DESC LIMIT 1`,
  )

  function of(site: SiteId): SitePublishing {
    const values = fieldValues('site', one.get(site) ?? {})
    // The table of a site also holds rules and other settings.
    const publishing = Object.fromEntries(keysIn(publishingDefaults).map((name) => [name, values[name]]))
    // The names are those of the defaults.
    return publishing as SitePublishing
  }

  return {
    of,
    /** Whether anybody has ever chosen the home page, also if it is the list again. */
    hasChosenHome: (site: SiteId): boolean => (one.get(site)?.home ?? null) !== null,
    /** Absent members stay unchanged. `blobs`: the files of a theme that is new here. */
    change: (site: SiteId, settings: Partial<SitePublishing>, blobs?: readonly NewBlob[]): void =>
      commit.now(() =>
        changesOf('site', site, [{}], settings).map((change) => ({ ...change, ...(blobs && { blobs }) })),
      ),
    /** The outgoing version of a material by a rule and the material's own choice; null if none. */
    outgoingVersion: (
      site: SiteId,
      materialId: MaterialId,
      outgoing: Outgoing,
      choice: PageSettings['version'],
    ): VersionId | null => newest.get({ site, materialId, outgoing, choice })?.versionId ?? null,
  }
}
