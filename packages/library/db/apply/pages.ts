import type { MaterialId, SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import type { MaterialWriter } from './materials.ts'

/** Writes addresses and publications of pages. Skips unknown materials. */
export function createPageWriter(db: Database, materials: MaterialWriter) {
  const add = db.prepare<[number, string]>('INSERT OR IGNORE INTO page (material, site) VALUES (?, ?)')
  const decide = db.prepare<[string, number]>('UPDATE page SET path = ? WHERE material = ? AND path IS NULL')
  const addTag = db.prepare<[SiteId, string, string]>(
    'INSERT OR IGNORE INTO tag_folder (site, tag, folder) VALUES (?, ?, ?)',
  )
  const publish = db.prepare<[string, string | null, number]>(
    'UPDATE page SET published = coalesce(published, ?), first_saved = coalesce(first_saved, ?) WHERE material = ?',
  )

  /** The row of a page, created if missing; null if the material does not exist. */
  function ensure(site: SiteId, materialId: MaterialId): number | null {
    const id = materials.idOf(site, materialId)
    if (id !== null) add.run(id, site)
    return id
  }

  return {
    ensure,
    decide({ site, addresses, tags }: ChangeOf<'addresses_decided'>): void {
      for (const { materialId, path } of addresses) {
        const id = ensure(site, materialId)
        if (id !== null) decide.run(path, id)
      }
      for (const { tag, folder } of tags) addTag.run(site, tag, folder)
    },
    publish(site: SiteId, pages: ChangeOf<'pages_published'>['pages']): void {
      for (const { materialId, at, saved = null } of pages) {
        const id = ensure(site, materialId)
        if (id !== null) publish.run(at, saved, id)
      }
    },
  }
}

export type PageWriter = ReturnType<typeof createPageWriter>
