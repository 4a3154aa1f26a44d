import type { Database } from 'better-sqlite3'

import type { ChangeOf, FieldsSet } from '../../records/changes.ts'
import type { RecordKind } from '../../records/fields.ts'
import type { Cell } from '../database/field-columns.ts'
import { columnsOf, tables, toCell } from '../database/field-columns.ts'
import { searchWords } from '../database/search-words.ts'
import { sortKey } from '../database/sort-key.ts'
import type { BlobWriter } from './blobs.ts'
import type { MaterialWriter } from './materials.ts'
import type { PageWriter } from './pages.ts'
import type { NextId } from './row-ids.ts'
import type { SaveWriter } from './saves.ts'
import type { SearchDocumentWriter } from './search-documents.ts'

interface Parts {
  readonly blobs: BlobWriter
  readonly documents: SearchDocumentWriter
  readonly materials: MaterialWriter
  readonly pages: PageWriter
  readonly saves: SaveWriter
  readonly nextId: NextId
}

/** Sets the columns of the given fields, each with a statement of its own, whose text comes from the table of fields. */
function columnSetter(db: Database, record: RecordKind) {
  const { name: table, id } = tables[record]
  const setters = columnsOf(record).map(([column, name, field]) => {
    const statement = db.prepare<[Cell, string | number]>(`UPDATE ${table} SET ${column} = ? WHERE ${id} = ?`)
    return (row: string | number, values: Readonly<Record<string, unknown>>): void => {
      const value = values[name]
      if (value !== undefined) statement.run(toCell(field, value), row)
    }
  })
  return (row: string | number, values: Readonly<Record<string, unknown>>): void =>
    setters.forEach((set) => set(row, values))
}

/** Writes what people set on records. Skips unknown records. */
export function createFieldWriter(db: Database, parts: Parts) {
  const version = versionFieldWriter(db, parts)
  const material = materialFieldWriter(db, parts)
  const page = pageFieldWriter(db, parts)
  const site = siteFieldWriter(db, parts)
  const fontSet = fontSetFieldWriter(db)
  return (change: ChangeOf<'fields_set'>): void => {
    switch (change.record) {
      case 'version':
        return version(change)
      case 'material':
        return material(change)
      case 'page':
        return page(change)
      case 'site':
        return site(change)
      case 'fontSet':
        return fontSet(change)
    }
  }
}

function versionFieldWriter(db: Database, { saves, nextId }: Parts) {
  const setColumns = columnSetter(db, 'version')
  const addDecision = db.prepare<[number, number, number, string, string]>(
    'INSERT INTO decision (id, material, version, verdict, words) VALUES (?, ?, ?, ?, ?)',
  )
  const materialOf = db.prepare<[number], number>('SELECT material FROM version WHERE id = ?').pluck()
  return ({ site, of, set }: FieldsSet<'version'>): void => {
    for (const { materialId, versionId } of of) {
      const id = saves.rowOf(site, materialId, versionId)
      if (id === null) continue
      setColumns(id, set)
      if (set.verdict === undefined) continue
      const material = materialOf.get(id)
      if (material === undefined) continue
      const words = searchWords(set.verdict?.reason ?? '')
      addDecision.run(nextId(), material, id, JSON.stringify(set.verdict), words)
      saves.refreshMaterial(material)
    }
  }
}

function materialFieldWriter(db: Database, { documents, materials }: Parts) {
  const setColumns = columnSetter(db, 'material')
  const setKey = db.prepare<[string, number]>('UPDATE material SET title_key = ? WHERE id = ?')
  const addTag = db.prepare<[string, string, number]>(
    'INSERT OR IGNORE INTO material_tag (site, tag, material) VALUES (?, ?, ?)',
  )
  const removeTag = db.prepare<[string, string, number]>(
    'DELETE FROM material_tag WHERE site = ? AND tag = ? AND material = ?',
  )
  return ({ site, of, set }: FieldsSet<'material'>): void => {
    for (const { materialId } of of) {
      const known = materials.idOf(site, materialId)
      // A refusal may exist before its material.
      if (known === null && !set.refused) continue
      const id = known ?? materials.ensure(site, materialId)
      setColumns(id, set)
      if (set.title !== undefined) setKey.run(sortKey(set.title), id)
      for (const tag of set.tags?.remove ?? []) removeTag.run(site, tag, id)
      for (const tag of set.tags?.add ?? []) addTag.run(site, tag, id)
      if (set.title !== undefined || set.tags) documents.refresh(id)
    }
  }
}

function pageFieldWriter(db: Database, { pages }: Parts) {
  const setColumns = columnSetter(db, 'page')
  const dropRedirects = db.prepare<[number]>('DELETE FROM page_redirect WHERE material = ?')
  const addRedirect = db.prepare<[string, string, number, number]>(
    'INSERT INTO page_redirect (site, path, material, place) VALUES (?, ?, ?, ?)',
  )
  return ({ site, of, set }: FieldsSet<'page'>): void => {
    for (const { materialId } of of) {
      const id = pages.ensure(site, materialId)
      if (id === null) continue
      setColumns(id, set)
      if (set.redirectsFrom === undefined) continue
      dropRedirects.run(id)
      for (const [place, path] of set.redirectsFrom.entries()) addRedirect.run(site, path, id, place)
    }
  }
}

function siteFieldWriter(db: Database, { blobs }: Parts) {
  const setColumns = columnSetter(db, 'site')
  const add = db.prepare<[string]>('INSERT OR IGNORE INTO site_setting (site) VALUES (?)')
  return ({ site, set, blobs: ofTheme = [] }: FieldsSet<'site'>): void => {
    blobs.add(ofTheme)
    add.run(site)
    setColumns(site, set)
  }
}

function fontSetFieldWriter(db: Database) {
  const setColumns = columnSetter(db, 'fontSet')
  const rowOf = db.prepare<object, number>(`SELECT r.id FROM ${tables.fontSet.row}`).pluck()
  return ({ site, of, set }: FieldsSet<'fontSet'>): void => {
    for (const key of of) {
      const id = rowOf.get({ ...key, site })
      if (id !== undefined) setColumns(id, set)
    }
  }
}
