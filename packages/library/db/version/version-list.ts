import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { GivenVerdict, Verdict } from '../../records/fields.ts'
import { verdictInForce } from '../../records/fields.ts'
import type { Remark } from '../../records/remark.ts'
import type { DecidedBefore, Decision, VersionChange, VersionPage, VersionRow } from '../../views/versions.ts'
import { selectedFields } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import { createWaitingOverlay } from '../team/waiting-overlay.ts'
import { thumbnailOf, thumbnailSql } from './thumbnail.ts'
import type { FactsRow } from './version-facts.ts'
import { factsColumns, versionFacts, versionMarks } from './version-facts.ts'
import { referredSql } from './version-media.ts'

interface Row extends FactsRow {
  id: number
  material: number
  site: SiteId
  material_id: MaterialId
  cdate_ms: number
  html_sha256: string
  state_sha256: string
  warnings: string
  is_exported: number
  thumbnail: string | null
}

const selected = `SELECT v.id, v.material, m.site, m.material_id, ${factsColumns}, v.cdate_ms, v.html_sha256,
    v.state_sha256, v.warnings, ${selectedFields('version', 'v')},
    EXISTS (SELECT 1 FROM export_page WHERE version = v.id) AS is_exported, ${thumbnailSql('v.id')} AS thumbnail
  FROM material m CROSS JOIN version v ON v.material = m.id`

/** Compares versions with the ones before them. Each returned function caches media, because a version is compared twice. */
function changeReader(db: ReadHandle): () => (row: Row) => VersionChange | null {
  const older = db.prepare<
    [number, number, number],
    Pick<Row, 'id' | 'version_id' | 'html_sha256' | 'state_sha256' | 'size_bytes'>
  >(
    `SELECT id, version_id, html_sha256, state_sha256, size_bytes FROM version
     WHERE material = ? AND (cdate_ms, id) < (?, ?) ORDER BY cdate_ms DESC, id DESC LIMIT 1`,
  )
  // If there are several files of one name, that of the version's own archive comes last and counts.
  const media = db.prepare<{ version: number }, { name: string; sha256: string }>(
    `SELECT name, sha256, 0 AS isOwn FROM (${referredSql})
     UNION ALL SELECT name, sha256, 1 FROM media WHERE version = @version ORDER BY isOwn`,
  )

  return () => {
    const read = new Map<number, ReadonlyMap<string, string>>()
    function mediaIn(version: number): ReadonlyMap<string, string> {
      const known = read.get(version) ?? new Map(media.all({ version }).map(({ name, sha256 }) => [name, sha256]))
      read.set(version, known)
      return known
    }
    return (row) => {
      const before = older.get(row.material, row.cdate_ms, row.id)
      if (!before) return null
      const [old, now] = [mediaIn(before.id), mediaIn(row.id)]
      const kept = [...now].filter(([name]) => old.has(name))
      return {
        from: before.version_id,
        bytes: row.size_bytes - before.size_bytes,
        pageChanged: row.html_sha256 !== before.html_sha256,
        stateChanged: row.state_sha256 !== before.state_sha256,
        mediaAdded: now.size - kept.length,
        mediaRemoved: old.size - kept.length,
        mediaChanged: kept.filter(([name, sha256]) => old.get(name) !== sha256).length,
      }
    }
  }
}

/** The timeline of a material as the window shows it, with what people set on its versions. */
export function createVersionList(db: ReadHandle) {
  const page = db.prepare<[string, string, number, number], Row>(
    `${selected} WHERE m.site = ? AND m.material_id = ? ORDER BY v.cdate_ms DESC, v.id DESC LIMIT ? OFFSET ?`,
  )
  const one = db.prepare<[string, string, string], Row>(
    `${selected} WHERE m.site = ? AND m.material_id = ? AND v.version_id = ?`,
  )
  const count = db.prepare<[string, string], { version_count: number }>(
    'SELECT version_count FROM material WHERE site = ? AND material_id = ?',
  )
  const judged = db.prepare<[string, string], { version_id: VersionId; verdict: string }>(
    `SELECT v.version_id, v.verdict FROM material m JOIN version v ON v.material = m.id
     WHERE m.site = ? AND m.material_id = ? AND v.decision IS NOT NULL`,
  )
  const decided = db.prepare<[string, string], { versionId: VersionId; number: number; verdict: string }>(
    `SELECT v.version_id AS versionId, v.number, d.verdict FROM material m JOIN decision d ON d.material = m.id
       JOIN version v ON v.id = d.version WHERE m.site = ? AND m.material_id = ? ORDER BY d.id DESC`,
  )
  const inForce = db.prepare<
    { site: SiteId | null; by: string },
    Pick<DecidedBefore, 'site' | 'materialId' | 'versionId'>
  >(
    `SELECT m.site, m.material_id AS materialId, v.version_id AS versionId
     FROM decision d CROSS JOIN version v ON v.id = d.version CROSS JOIN material m ON m.id = v.material
     WHERE v.decision IS NOT NULL AND v.verdict ->> 'by' = @by AND v.verdict ->> 'rule' IS NULL
       AND m.site = coalesce(@site, m.site) ORDER BY d.id DESC LIMIT 1`,
  )
  const readChanges = changeReader(db)
  const waiting = createWaitingOverlay(db)

  return {
    /** Newest first. */
    query(site: SiteId, materialId: MaterialId, offset: number, limit: number): VersionPage {
      const changeOf = readChanges()
      return {
        total: count.get(site, materialId)?.version_count ?? 0,
        rows: waiting.versions(page.all(site, materialId, limit, offset).map((row) => toRow(row, changeOf(row)))),
      }
    },
    find(site: SiteId, materialId: MaterialId, versionId: VersionId): VersionRow | null {
      const row = one.get(site, materialId, versionId)
      return row ? (waiting.versions([toRow(row, readChanges()(row))])[0] ?? null) : null
    },
    /** By version id; only versions with a verdict. */
    verdicts: (site: SiteId, materialId: MaterialId): ReadonlyMap<string, Verdict | null> =>
      new Map([
        ...judged
          .all(site, materialId)
          .map(({ version_id, verdict }) => [version_id, JSON.parse(verdict) as Verdict] as const),
        ...waiting.verdicts(site, materialId),
      ]),
    /** Everything that people have decided about the versions of a material, newest first, as in the log. */
    decisions: (site: SiteId, materialId: MaterialId): readonly Decision[] =>
      decided
        .all(site, materialId)
        .map(({ verdict, ...version }) => ({ ...version, ...(JSON.parse(verdict) as GivenVerdict) })),
    /** The newest decision of a person that still holds, on one site or all. */
    lastBy(by: string, site: SiteId | null): DecidedBefore | null {
      const row = inForce.get({ by, site })
      if (row === undefined) return null
      const history = decided.all(row.site, row.materialId).filter(({ versionId }) => versionId === row.versionId)
      const [given, before] = history.map(({ verdict }) => verdictInForce(JSON.parse(verdict) as GivenVerdict))
      return given ? { ...row, given, before: before ?? null } : null
    },
  }
}

const toRow = (row: Row, change: VersionChange | null): VersionRow => ({
  site: row.site,
  materialId: row.material_id,
  ...versionFacts(row),
  warnings: JSON.parse(row.warnings) as Remark[],
  ...versionMarks(row),
  exported: row.is_exported === 1,
  thumbnail: thumbnailOf(row.thumbnail),
  change,
})
