import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import { searchWords } from '../database/search-words.ts'
import type { BlobWriter } from './blobs.ts'
import type { CommentWriter } from './comments.ts'
import type { DeliveryWriter } from './deliveries.ts'
import type { SaveWriter } from './saves.ts'

interface Parts {
  readonly blobs: BlobWriter
  readonly comments: Pick<CommentWriter, 'erase'>
  readonly deliveries: DeliveryWriter
  readonly saves: SaveWriter
}

/** Removes a person from the rows that a change names. */
export function createPersonWriter(db: Database, { blobs, comments, deliveries, saves }: Parts) {
  const version = db.prepare<
    { id: number; isEditor: number; metadata: string | null; kept: string },
    { material: number }
  >(
    `UPDATE version SET user_email = iif(@isEditor, NULL, user_email), metadata = @metadata, kept_sha256 = @kept
     WHERE id = @id RETURNING material`,
  )
  const snapshot = db.prepare<[string, string, string]>(
    'UPDATE snapshot SET kept_sha256 = ? WHERE site = ? AND snapshot_id = ?',
  )
  const material = db.prepare<[string, string, string]>(
    'UPDATE material SET sent_metadata = ? WHERE site = ? AND material_id = ?',
  )

  const decision = db.prepare<{ id: number; at: string; by: string; reason: string; words: string }>(
    `UPDATE decision SET verdict = json_set(verdict, '$.by', @by, '$.reason', @reason), words = @words
     WHERE version = @id AND verdict ->> 'at' = @at`,
  )
  const lastDecision = db.prepare<{ id: number; at: string; by: string; reason: string }>(
    `UPDATE version SET verdict = json_set(verdict, '$.by', @by, '$.reason', @reason)
     WHERE id = @id AND verdict ->> 'at' = @at`,
  )

  return {
    /** Rows that were pruned in the meantime are skipped. */
    erase({ versions, snapshots, materials, ...change }: ChangeOf<'person_erased'>): void {
      blobs.add(change.blobs)
      for (const { site, materialId, versionId, isEditor, metadata, keptSha256: kept } of versions) {
        const id = saves.rowOf(site, materialId, versionId)
        const row = id === null ? undefined : version.get({ id, isEditor: Number(isEditor), metadata, kept })
        if (row) saves.refreshMaterial(row.material)
      }
      for (const { site, snapshotId, keptSha256 } of snapshots) snapshot.run(keptSha256, site, snapshotId)
      for (const { site, materialId, sentMetadata } of materials) material.run(sentMetadata, site, materialId)
      for (const { site, materialId, versionId, ...values } of change.decisions) {
        const id = saves.rowOf(site, materialId, versionId)
        if (id === null) continue
        decision.run({ id, ...values, words: searchWords(values.reason) })
        lastDecision.run({ id, ...values })
      }
      for (const { id, payload } of change.deliveries) deliveries.rewrite(id, payload)
      if (change.comments) comments.erase(change.comments)
      blobs.drop(change.dropped)
    },
  }
}
