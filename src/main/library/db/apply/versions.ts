import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../../../contract/domain/changes.ts'
import type { BlobWriter } from './blobs.ts'
import type { DeliveryWriter } from './deliveries.ts'
import type { SaveWriter } from './saves.ts'

interface Parts {
  readonly blobs: BlobWriter
  readonly deliveries: DeliveryWriter
  readonly saves: SaveWriter
}

/** Writes people's decisions about versions: marks, verdicts and deletion. */
export function createVersionWriter(db: Database, { blobs, deliveries, saves }: Parts) {
  const mark = db.prepare<Record<string, string | number | null>>(
    `UPDATE version SET pinned = coalesce(@pinned, pinned), tags = coalesce(@tags, tags), note = coalesce(@note, note)
     WHERE id = @id`,
  )
  const judge = db.prepare<Record<string, string | number | null>>(
    'UPDATE version SET verdict = @verdict, verdict_note = @note, verdict_at = @at WHERE id = @id',
  )
  const materialOf = db.prepare<[number], { material: number }>('SELECT material FROM version WHERE id = ?')
  const shrink = db.prepare<{ version: number }>(
    `UPDATE material SET version_count = version_count - 1, total_bytes = total_bytes - v.size_bytes
     FROM (SELECT material, size_bytes FROM version WHERE id = @version) v WHERE material.id = v.material`,
  )
  const remove = db.prepare<{ version: number }>('DELETE FROM version WHERE id = @version')

  return {
    mark({ version, pinned, tags, note, verdict }: ChangeOf<'version_marked'>): void {
      const id = saves.rowOf(version.site, version.materialId, version.versionId)
      if (id === null) return
      mark.run({
        id,
        pinned: pinned === undefined ? null : Number(pinned),
        tags: tags === undefined ? null : JSON.stringify(tags),
        note: note ?? null,
      })
      if (verdict === undefined) return
      judge.run({ id, verdict: verdict?.kind ?? null, note: verdict?.note ?? '', at: verdict?.at ?? null })
      const row = materialOf.get(id)
      if (row) saves.refreshMaterial(row.material)
    },
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
