import type { MaterialId, Sha256, SiteId, VersionId } from '@galley/wire'

import type { Remark } from '../../records/remark.ts'
import type { MediaFile, VersionSummary } from '../../records/version.ts'
import { eachOf } from '../database/each-of.ts'
import { selectedFields } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { FactsRow } from './version-facts.ts'
import { factsColumns, versionFacts, versionMarks } from './version-facts.ts'
import { createVersionMedia } from './version-media.ts'

/** The blobs of a version other than media. */
export interface VersionParts {
  readonly html: Sha256
  readonly state: Sha256
  readonly kept: Sha256
  readonly metadata: string | null
}

interface VersionRow extends FactsRow {
  id: number
  site: SiteId
  material_id: MaterialId
  html_sha256: Sha256
  archive_sha256: Sha256
  kept_sha256: Sha256
  public_base: string
  warnings: string
  heading: string | null
}

/**
 * In a join, SQLite prepares a statement again for each value of a parameter that is compared with a column, which
 * takes longer than running it. A plus sign before the parameter prevents that.
 */
const selected = `SELECT v.id, m.site, m.material_id, ${factsColumns}, v.html_sha256, v.archive_sha256, v.kept_sha256,
    v.public_base, v.warnings, v.heading, ${selectedFields('version', 'v')}
  FROM version v JOIN material m ON m.id = v.material`

/** The stored versions of all materials, newest first by (version_cdate, arrival). */
export function createVersions(db: ReadHandle) {
  const media = createVersionMedia(db)
  const publicBases = db.prepare<[string], string>('SELECT base FROM public_base WHERE site = ? ORDER BY base').pluck()
  const byMaterial = db.prepare<[string, string], VersionRow>(
    `${selected} WHERE m.site = ? AND m.material_id = ? ORDER BY v.cdate_ms DESC, v.id DESC`,
  )
  const ids = db
    .prepare<[string, string], VersionId>(
      `SELECT v.version_id FROM version v JOIN material m ON m.id = v.material
       WHERE m.site = ? AND m.material_id = ? ORDER BY v.cdate_ms DESC, v.id DESC`,
    )
    .pluck()
  const one = db.prepare<[string, string, string], VersionRow>(
    `${selected} WHERE m.site = +? AND m.material_id = +? AND v.version_id = +?`,
  )
  const headed = db.prepare<[string, string, string], { yes: number }>(
    `SELECT 1 AS yes FROM material m CROSS JOIN version v ON v.material = m.id
     WHERE m.site = ? AND m.material_id = ? AND v.heading = ? LIMIT 1`,
  )
  const referencedHtml = db.prepare<[string], { yes: number }>(
    'SELECT 1 AS yes FROM version WHERE html_sha256 = ? LIMIT 1',
  )

  const toSummary = (row: VersionRow, files: readonly MediaFile[]): VersionSummary => ({
    site: row.site,
    materialId: row.material_id,
    ...versionFacts(row),
    htmlSha256: row.html_sha256,
    archiveSha256: row.archive_sha256,
    keptSha256: row.kept_sha256,
    warnings: JSON.parse(row.warnings) as Remark[],
    ...versionMarks(row),
    heading: row.heading,
    publicUrls: Object.fromEntries(files.map(({ name, url }) => [name, url])),
  })

  function find(site: SiteId, materialId: MaterialId, versionId: VersionId): VersionSummary | null {
    const row = one.get(site, materialId, versionId)
    return row ? toSummary(row, media.broughtBy(row)) : null
  }

  return {
    list(site: SiteId, materialId: MaterialId): readonly VersionSummary[] {
      const files = media.broughtByAll(site, materialId)
      return byMaterial.all(site, materialId).map((row) => toSummary(row, files.get(row.id) ?? []))
    },
    /** The same, one by one, because nothing limits their number. */
    each: (site: SiteId, materialId: MaterialId): Iterable<VersionSummary> =>
      eachOf(ids.all(site, materialId), (versionId) => find(site, materialId, versionId)),
    find,
    /** A version with the files that it brought. */
    withMedia(site: SiteId, materialId: MaterialId, versionId: VersionId) {
      const row = one.get(site, materialId, versionId)
      if (!row) return null
      const files = media.broughtBy(row)
      return { version: toSummary(row, files), media: files }
    },
    ...createVersionParts(db),
    /** The files in a version's archive. */
    media(site: SiteId, materialId: MaterialId, versionId: VersionId): readonly MediaFile[] {
      const row = one.get(site, materialId, versionId)
      return row ? media.broughtBy(row) : []
    },
    /** Files of earlier saves that a version's page, state or style sheets use. */
    referred(site: SiteId, materialId: MaterialId, versionId: VersionId): readonly MediaFile[] {
      const row = one.get(site, materialId, versionId)
      return row ? media.referredBy(row) : []
    },
    allMediaOfSite: media.allOfSite,
    mediaByAddress: media.byAddress,
    mediaOfSite: media.ofSite,
    /** Whether a version of the material has this heading. */
    hasHeading: (site: SiteId, materialId: MaterialId, heading: string): boolean =>
      headed.get(site, materialId, heading) !== undefined,
    /** Whether a version has this page. */
    hasPage: (html: string): boolean => referencedHtml.get(html) !== undefined,
    /** All public base URLs under which saves of a site were stored, also those that were deleted since. */
    publicBases: (site: SiteId): readonly string[] => publicBases.all(site),
  }
}

function createVersionParts(db: ReadHandle) {
  const partsColumns = 'v.html_sha256 AS html, v.state_sha256 AS state, v.kept_sha256 AS kept, v.metadata'
  const parts = db.prepare<[string, string, string], VersionParts>(
    `SELECT ${partsColumns} FROM version v JOIN material m ON m.id = v.material
     WHERE m.site = +? AND m.material_id = +? AND v.version_id = +?`,
  )
  const currentParts = db.prepare<[string, string], VersionParts>(
    `SELECT ${partsColumns} FROM material m JOIN version v ON v.id = m.current_version
     WHERE m.site = +? AND m.material_id = +?`,
  )

  return {
    parts: (site: SiteId, materialId: MaterialId, versionId: VersionId): VersionParts | null =>
      parts.get(site, materialId, versionId) ?? null,
    /** The parts of the current version, or null if nothing was saved yet. */
    currentParts: (site: SiteId, materialId: MaterialId): VersionParts | null =>
      currentParts.get(site, materialId) ?? null,
  }
}
