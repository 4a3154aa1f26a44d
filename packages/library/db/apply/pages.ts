import type { MaterialId, SiteId } from '@galley/wire'
import { keysIn } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import type { Cell } from '../database/site-model-rows.ts'
import { pageColumns, publishingColumns } from '../database/site-model-rows.ts'
import type { MaterialWriter } from './materials.ts'

/** Sets the columns of the given members, each with its own statement: `update`, the column, `where`. */
function columnSetter<Row extends object>(
  db: Database,
  [update, where]: readonly [string, string],
  columns: { readonly [Key in keyof Row]: readonly [string, (value: Row[Key]) => Cell] },
) {
  const names = keysIn(columns)
  const setters = names.map((name) => {
    const [column, toCell] = columns[name]
    const statement = db.prepare<[Cell, string | number]>(`${update} ${column} = ? ${where}`)
    return (row: string | number, values: Partial<Row>): void => {
      const value = values[name]
      if (value !== undefined) statement.run(toCell(value), row)
    }
  })
  return (row: string | number, values: Partial<Row>): void => setters.forEach((set) => set(row, values))
}

/** Writes the publishing settings of sites and pages. Skips unknown materials. */
export function createPageWriter(db: Database, materials: MaterialWriter) {
  const addSite = db.prepare<[string]>('INSERT OR IGNORE INTO site_publishing (site) VALUES (?)')
  const setSite = columnSetter(db, ['UPDATE site_publishing SET', 'WHERE site = ?'], publishingColumns)
  const add = db.prepare<[number, string]>('INSERT OR IGNORE INTO page (material, site) VALUES (?, ?)')
  const set = columnSetter(db, ['UPDATE page SET', 'WHERE material = ?'], pageColumns)
  const dropRedirects = db.prepare<[number]>('DELETE FROM page_redirect WHERE material = ?')
  const addRedirect = db.prepare<[string, string, number, number]>(
    'INSERT INTO page_redirect (site, path, material, place) VALUES (?, ?, ?, ?)',
  )
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
    changePublishing({ site, kind: _kind, blobs: _blobs, ...settings }: ChangeOf<'publishing_changed'>): void {
      addSite.run(site)
      setSite(site, settings)
    },
    change({ site, materialIds, settings: { redirectsFrom, ...settings } }: ChangeOf<'pages_changed'>): void {
      for (const materialId of materialIds) {
        const id = ensure(site, materialId)
        if (id === null) continue
        set(id, settings)
        if (redirectsFrom === undefined) continue
        dropRedirects.run(id)
        for (const [place, path] of redirectsFrom.entries()) addRedirect.run(site, path, id, place)
      }
    },
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
