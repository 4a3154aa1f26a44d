import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import type { BlobWriter } from './blobs.ts'
import type { DeliveryWriter } from './deliveries.ts'
import type { MaterialWriter } from './materials.ts'

interface Parts {
  readonly blobs: BlobWriter
  readonly deliveries: DeliveryWriter
  readonly materials: MaterialWriter
}

/** Deletes materials with everything that refers to them. */
export function createMaterialDeletion(db: Database, { blobs, deliveries, materials }: Parts) {
  /** Rows that refer to a material without a cascade, in an order that violates no foreign key. */
  const removals = [
    'UPDATE material SET current_version = NULL WHERE id = ?',
    'DELETE FROM export_page WHERE version IN (SELECT id FROM version WHERE material = ?)',
    'DELETE FROM release_page WHERE version IN (SELECT id FROM version WHERE material = ?)',
    'DELETE FROM version WHERE material = ?',
    'DELETE FROM material_text WHERE rowid = ?',
    'DELETE FROM material WHERE id = ?',
  ].map((statement) => db.prepare<[number]>(statement))

  return {
    /** Also deletes the deliveries, so that a repeated one is stored again. Exports keep their figures. */
    remove({ site, materialIds, blobs: dropped }: ChangeOf<'materials_deleted'>): void {
      for (const materialId of materialIds) {
        const id = materials.idOf(site, materialId)
        if (id === null) continue
        deliveries.forgetMaterial(site, materialId)
        for (const each of removals) each.run(id)
      }
      blobs.drop(dropped)
    },
  }
}
