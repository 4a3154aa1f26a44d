import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import type { BlobWriter } from './blobs.ts'
import type { DeliveryWriter } from './deliveries.ts'
import type { SaveWriter } from './saves.ts'

interface Parts {
  readonly blobs: BlobWriter
  readonly deliveries: DeliveryWriter
  readonly saves: SaveWriter
}

/** Deletes versions. */
export function createVersionWriter(db: Database, { blobs, deliveries, saves }: Parts) {
  const shrink = db.prepare<{ version: number }>(
    `UPDATE material SET version_count = version_count - 1, total_bytes = total_bytes - v.size_bytes
     FROM (SELECT material, size_bytes FROM version WHERE id = @version) v WHERE material.id = v.material`,
  )
  const remove = db.prepare<{ version: number }>('DELETE FROM version WHERE id = @version')

  return {
    /** Deletes each version with its delivery, so that a repeated delivery is stored again. */
    prune({ versions, blobs: dropped }: ChangeOf<'versions_pruned'>): void {
      for (const { site, materialId, versionId } of versions) {
        const version = saves.rowOf(site, materialId, versionId)
        if (version === null) continue
        deliveries.forgetVersion(site, materialId, versionId)
        shrink.run({ version })
        remove.run({ version })
      }
      blobs.drop(dropped)
    },
  }
}
