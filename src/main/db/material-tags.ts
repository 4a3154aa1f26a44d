import type { Database } from 'better-sqlite3'

import type { Materials } from './materials.ts'

/** The tags of materials: free words, compared sign by sign. */
export function createMaterialTags(db: Database, materials: Materials) {
  const add = db.prepare<[string, string, number]>(
    'INSERT OR IGNORE INTO material_tag (site, tag, material) VALUES (?, ?, ?)',
  )
  const remove = db.prepare<[string, string, number]>(
    'DELETE FROM material_tag WHERE site = ? AND tag = ? AND material = ?',
  )
  return {
    /** Changes the tags of all these materials in one transaction; ids that are not there are passed by. */
    change: (
      site: string,
      materialIds: readonly string[],
      tags: { readonly add: readonly string[]; readonly remove: readonly string[] },
    ): void =>
      db
        .transaction(() => {
          for (const materialId of materialIds) {
            const id = materials.idOf(site, materialId)
            if (id === null) continue
            for (const tag of tags.remove) remove.run(site, tag, id)
            for (const tag of tags.add) add.run(site, tag, id)
            materials.index(id)
          }
        })
        .immediate(),
  }
}
