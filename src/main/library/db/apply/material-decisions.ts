import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../../../contract/domain/changes.ts'
import type { BlobWriter } from './blobs.ts'
import type { DeliveryWriter } from './deliveries.ts'
import type { MaterialWriter } from './materials.ts'
import type { SearchDocumentWriter } from './search-documents.ts'

interface Parts {
  readonly blobs: BlobWriter
  readonly deliveries: DeliveryWriter
  readonly documents: SearchDocumentWriter
  readonly materials: MaterialWriter
}

/** Writes people's decisions about materials: tags, paused saves, archiving and deletion. */
export function createMaterialDecisionWriter(db: Database, { blobs, deliveries, documents, materials }: Parts) {
  const addTag = db.prepare<[string, string, number]>(
    'INSERT OR IGNORE INTO material_tag (site, tag, material) VALUES (?, ?, ?)',
  )
  const removeTag = db.prepare<[string, string, number]>(
    'DELETE FROM material_tag WHERE site = ? AND tag = ? AND material = ?',
  )
  const refuse = db.prepare<[string | null, string | null, number]>(
    'UPDATE material SET refused_reason = ?, refused_since = ? WHERE id = ?',
  )
  const archive = db.prepare<[string | null, number]>('UPDATE material SET archived_at = ? WHERE id = ?')
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
    tag({ site, materialIds, add, remove }: ChangeOf<'materials_tagged'>): void {
      for (const materialId of materialIds) {
        const id = materials.idOf(site, materialId)
        if (id === null) continue
        for (const tag of remove) removeTag.run(site, tag, id)
        for (const tag of add) addTag.run(site, tag, id)
        documents.refresh(id)
      }
    },
    /** Creates rows for materials that were never opened, because a rule may exist first. */
    refuse({ site, materialIds, reason, at }: ChangeOf<'materials_refused'>): void {
      for (const materialId of materialIds) {
        const known = materials.idOf(site, materialId)
        if (known === null && reason === null) continue
        refuse.run(reason, reason === null ? null : at, known ?? materials.ensure(site, materialId))
      }
    },
    archive({ site, materialIds, at }: ChangeOf<'materials_archived'>): void {
      for (const materialId of materialIds) {
        const id = materials.idOf(site, materialId)
        if (id !== null) archive.run(at, id)
      }
    },
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
