import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { createSearchDocumentWriter } from '../apply/search-documents.ts'
import { makeIndex } from '../database/open.ts'
import { makePrivateFile } from '../database/private-file.ts'

/**
 * Copies the rows of an index of an earlier schema to an index of today's schema in the new file `target`, for a library
 * whose log no longer has all entries. Only rows of tables are copied, so triggers and views of a planted file are not.
 * Search texts of pages are read again in the background. Throws SqliteError if the rows do not fit; then `target` is unusable.
 */
export async function carryOver(earlier: string, target: string): Promise<void> {
  makePrivateFile(target)
  const db = new BetterSqlite3(target)
  try {
    db.prepare('ATTACH ? AS earlier').run(earlier)
    db.pragma('foreign_keys = OFF')
    db.pragma('trusted_schema = OFF')
    makeIndex(db, '')
    db.exec('DELETE FROM main.applied')
    const known = new Set(plainTables(db, 'earlier'))
    const tables = plainTables(db, 'main')
    for (const table of tables.filter((each) => known.has(each))) {
      copyRows(db, table)
      await nextTurn()
    }
    describeMaterials(db)
    if (db.prepare('PRAGMA main.foreign_key_check').get() !== undefined)
      throw new BetterSqlite3.SqliteError(
        'Rows of the earlier index refer to rows that are not there',
        'SQLITE_CORRUPT',
      )
  } finally {
    db.close()
  }
}

/** Without those of the full-text index, which is filled from the others. */
const plainTables = (db: Database, schema: 'main' | 'earlier'): readonly string[] =>
  db
    .prepare<[], string>(
      `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'
         AND name NOT LIKE 'material\\_text%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all()

function copyRows(db: Database, table: string): void {
  const columnsIn = (schema: string): readonly string[] =>
    db.prepare<[string, string], string>('SELECT name FROM pragma_table_info(?, ?)').pluck().all(table, schema)
  const earlier = new Set(columnsIn('earlier'))
  const columns = columnsIn('main')
    .filter((column) => earlier.has(column))
    .join(', ')
  db.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM earlier.${table}`)
}

function describeMaterials(db: Database): void {
  const documents = createSearchDocumentWriter(db)
  const materials = db.prepare<[], { id: number; current_version: number | null }>(
    'SELECT id, current_version FROM main.material',
  )
  for (const { id, current_version } of materials.all())
    if (current_version === null) documents.refresh(id)
    else documents.showPage(id, undefined)
}
