import type { MaterialId, Sha256, SiteId, VersionId } from '@galley/wire'

import type { Protection } from '../../records/care-reports.ts'
import type { VersionName } from '../../records/changes.ts'
import type { Commit } from '../commit/commit.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { UnusedBlobs } from '../file/unused-blobs.ts'
import { outgoingSql } from '../site/publishing.ts'

/** A version with the facts for the retention rules. */
export interface KeptVersion {
  readonly row: number
  readonly versionId: VersionId
  readonly number: number
  readonly receivedAt: string
  readonly sizeBytes: number
  /** null if nothing protects it. */
  readonly protection: Protection | null
}

export interface MaterialName {
  readonly row: number
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly title: string
}

const protection = `CASE
  WHEN v.id IS (SELECT m.current_version FROM material m WHERE m.id = v.material) THEN 'current'
  WHEN v.id IS ${outgoingSql('v.material')} THEN 'outgoing'
  WHEN v.pinned = 1 THEN 'pinned'
  WHEN v.decision IS 'approved' THEN 'approved'
  WHEN v.tags <> '[]' THEN 'tagged'
  WHEN v.note <> '' OR v.verdict ->> 'reason' <> '' OR EXISTS (SELECT 1 FROM comment c WHERE c.version = v.id) THEN 'noted'
  WHEN EXISTS (SELECT 1 FROM export_page p WHERE p.version = v.id) THEN 'exported'
  WHEN EXISTS (SELECT 1 FROM release_page p WHERE p.version = v.id) THEN 'exported' END`

/** Finds the versions that may be deleted as old, and deletes them; deletes whole materials too. */
export function createRetention(db: ReadHandle, commit: Commit, unusedBlobs: UnusedBlobs) {
  const grown = db.prepare<{ after: number; site: SiteId | null }, MaterialName>(
    `SELECT id AS row, site, material_id AS materialId, title FROM material
     WHERE id > @after AND version_count > 1 AND (@site IS NULL OR site = @site) ORDER BY id LIMIT 1`,
  )
  const one = db.prepare<[string, string], MaterialName>(
    'SELECT id AS row, site, material_id AS materialId, title FROM material WHERE site = ? AND material_id = ?',
  )
  const history = db.prepare<[number], KeptVersion>(
    `SELECT v.id AS row, v.version_id AS versionId, v.number, v.received_at AS receivedAt, v.size_bytes AS sizeBytes,
       ${protection} AS protection
     FROM version v WHERE v.material = ? ORDER BY v.cdate_ms DESC, v.id DESC`,
  )
  const blobs = db.prepare<{ version: number }, { sha256: Sha256 }>(
    `SELECT html_sha256 AS sha256 FROM version WHERE id = @version
     UNION ALL SELECT state_sha256 FROM version WHERE id = @version
     UNION ALL SELECT kept_sha256 FROM version WHERE id = @version
     UNION ALL SELECT sha256 FROM media WHERE version = @version
     UNION ALL SELECT b.sha256 FROM media_reference r
       JOIN blob b ON b.sha256 >= r.hash_start AND b.sha256 < r.hash_start || 'g' WHERE r.version = @version`,
  )
  const unprotected = db.prepare<{ version: number }, { yes: number }>(
    `SELECT 1 AS yes FROM version v WHERE v.id = @version AND ${protection} IS NULL`,
  )
  const name = db.prepare<{ version: number }, VersionName>(
    `SELECT m.site, m.material_id AS materialId, v.version_id AS versionId
     FROM version v JOIN material m ON m.id = v.material WHERE v.id = @version`,
  )
  /** Blobs that are unused after these versions are deleted. */
  function looseAfter(versions: readonly number[]): readonly Sha256[] {
    const needs = new Map<Sha256, number>()
    for (const blob of versions.flatMap(blobsOf)) needs.set(blob, (needs.get(blob) ?? 0) + 1)
    return [...needs].flatMap(([blob, count]) => (unusedBlobs.needs(blob) === count ? [blob] : []))
  }
  const blobsOf = (version: number): readonly Sha256[] => blobs.all({ version }).map(({ sha256 }) => sha256)

  return {
    /** The first material after this row with more than one version. */
    nextGrown: (after: number, site: SiteId | null): MaterialName | null => grown.get({ after, site }) ?? null,
    material: (site: SiteId, materialId: MaterialId): MaterialName | null => one.get(site, materialId) ?? null,
    /** Newest first. */
    history: (material: number): readonly KeptVersion[] => history.all(material),
    /** The blobs of a version, one for each use. */
    blobsOf,
    /**
     * Deletes versions in one transaction, with their deliveries and the blobs that become unused. Returns their number.
     * Versions that were protected in the meantime stay. A repeated delivery of a deleted version is stored again.
     */
    remove(versions: readonly number[]): number {
      let removed = 0
      commit.now(() => {
        const going = versions.filter((version) => unprotected.get({ version }) !== undefined)
        removed = going.length
        if (going.length === 0) return []
        const names = going.flatMap((version) => name.get({ version }) ?? [])
        return [{ kind: 'versions_pruned', versions: names, blobs: looseAfter(going) }]
      })
      return removed
    },
    /** Deletes a material with all its versions, including protected ones. Returns their number. */
    removeMaterial(site: SiteId, materialId: MaterialId): number {
      let removed = 0
      commit.now(() => {
        const material = one.get(site, materialId)
        if (!material) return []
        const versions = history.all(material.row).map(({ row }) => row)
        removed = versions.length
        const names = { site, materialIds: [materialId] }
        return [{ kind: 'materials_deleted', ...names, blobs: looseAfter(versions) }]
      })
      return removed
    },
  }
}
