import type { MaterialId, Sha256, SiteId } from '@galley/wire'
import { hashStart } from '@galley/wire'

import type { ReadHandle } from '../database/read-handle.ts'
import { isReferring, referringSql } from './referring-texts.ts'

/** A use of a blob in the library. */
export interface BlobUse {
  readonly kind: 'version' | 'snapshot'
  readonly site: SiteId
  /** null for snapshots. */
  readonly materialId: MaterialId | null
  /** The id of the version or the snapshot. */
  readonly versionId: string
  /** `page`, `state`, `archive`, `css`, `tree`, `answer`, or the name of a media or font file. */
  readonly part: string
}

/** The inputs with which an archive was unpacked, for repeating it. */
export interface Origin {
  /** The stored archive, and the hash of the received one. */
  readonly kept: Sha256
  readonly received: Sha256
  readonly publicBase: string
  /** The state of the version that was current before; null for the first one and for snapshots. */
  readonly earlierState: Sha256 | null
  /** The callback's redacted payload, if stored. Only snapshots need it. */
  readonly payload: string | null
}

/** Which versions and snapshots need a blob, and where each of those came from. */
export function createBlobUses(db: ReadHandle) {
  const inVersions = (part: string, column: string): string =>
    `SELECT 'version' AS kind, m.site AS site, m.material_id AS materialId, v.version_id AS versionId, ${part} AS part
     FROM version v JOIN material m ON m.id = v.material WHERE v.${column} = @blob`
  const inSnapshots = (part: string, column: string): string =>
    `SELECT 'snapshot', s.site, NULL, s.snapshot_id, ${part} FROM snapshot s WHERE s.${column} = @blob`
  const itsName = '(SELECT name FROM media_file WHERE sha256 = @blob LIMIT 1)'
  const namers = 'naming n CROSS'
  const uses = db.prepare<{ blob: string; start: string; name: null; limit: number }, BlobUse>(
    `${referringSql} ${[
      inVersions(`'page'`, 'html_sha256'),
      inVersions(`'state'`, 'state_sha256'),
      inVersions(`'archive'`, 'kept_sha256'),
      `SELECT 'version', m.site, m.material_id, v.version_id, f.name
       FROM media f JOIN version v ON v.id = f.version JOIN material m ON m.id = v.material WHERE f.sha256 = @blob`,
      `SELECT 'version', m.site, m.material_id, v.version_id, r.name FROM media_reference r
         JOIN version v ON v.id = r.version JOIN material m ON m.id = v.material
       WHERE r.hash_start = substr(@blob, 1, 32)`,
      // Through texts that refer to it.
      `SELECT 'version', m.site, m.material_id, v.version_id, ${itsName} FROM ${namers}
         JOIN media f ON ${isReferring('f')} JOIN version v ON v.id = f.version JOIN material m ON m.id = v.material
       WHERE n.hash_start <> @start`,
      `SELECT 'version', m.site, m.material_id, v.version_id, ${itsName} FROM ${namers}
         JOIN media_reference f ON f.hash_start = n.hash_start JOIN version v ON v.id = f.version
         JOIN material m ON m.id = v.material WHERE n.hash_start <> @start`,
      `SELECT 'snapshot', s.site, NULL, s.snapshot_id, ${itsName} FROM ${namers}
         JOIN snapshot s ON (s.css_sha256 >= n.hash_start AND s.css_sha256 < n.hash_start || 'g')
           OR (s.tree_sha256 >= n.hash_start AND s.tree_sha256 < n.hash_start || 'g')
       WHERE n.hash_start <> @start`,
      inSnapshots(`'css'`, 'css_sha256'),
      inSnapshots(`'tree'`, 'tree_sha256'),
      inSnapshots(`'answer'`, 'answer_sha256'),
      inSnapshots(`'archive'`, 'kept_sha256'),
      `SELECT 'snapshot', s.site, NULL, s.snapshot_id, f.name
       FROM font_file f JOIN snapshot s ON s.id = f.snapshot WHERE f.sha256 = @blob LIMIT @limit`,
    ].join(' UNION ALL ')}`,
  )
  const ofVersion = db.prepare<[string, string, string], Origin>(
    `SELECT v.kept_sha256 AS kept, v.archive_sha256 AS received, v.public_base AS publicBase, NULL AS payload,
       (SELECT e.state_sha256 FROM version e WHERE e.material = v.material AND e.id < v.id
        ORDER BY e.cdate_ms DESC, e.id DESC LIMIT 1) AS earlierState
     FROM version v JOIN material m ON m.id = v.material WHERE m.site = ? AND m.material_id = ? AND v.version_id = ?`,
  )
  const ofSnapshot = db.prepare<[string, string], Origin>(
    `SELECT s.kept_sha256 AS kept, s.archive_sha256 AS received, s.public_base AS publicBase, NULL AS earlierState,
       (SELECT d.payload FROM delivery d WHERE d.site = s.site AND d.kind = 'site_fonts_updated'
          AND d.version_id = s.snapshot_id LIMIT 1) AS payload
     FROM snapshot s WHERE s.site = ? AND s.snapshot_id = ?`,
  )
  return {
    of: (blob: Sha256, limit: number): readonly BlobUse[] =>
      uses.all({ blob, start: hashStart(blob), name: null, limit }),
    origin: ({ kind, site, materialId, versionId }: BlobUse): Origin | null =>
      (kind === 'version' ? ofVersion.get(site, materialId ?? '', versionId) : ofSnapshot.get(site, versionId)) ?? null,
  }
}
