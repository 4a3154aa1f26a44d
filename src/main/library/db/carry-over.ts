import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { referringExtensions } from '../../../contract/domain/media-types.ts'
import { createSearchDocumentWriter } from './apply/search-documents.ts'
import { makeIndex } from './database/open.ts'
import { makePrivateFile } from './database/private-file.ts'

/** Values of required columns that earlier schemas lack, as SQL on a row of their table. */
const computedColumns: Readonly<Record<string, string>> = {
  'material.versions_numbered': 'version_count',
  'version.number': 'row_number() OVER (PARTITION BY material ORDER BY id)',
}

/** Rows of tables that earlier schemas lack, as queries on the new index. */
const computedTables: Readonly<Record<string, string>> = {
  media_file: 'SELECT DISTINCT sha256, name FROM main.media',
  public_base: `SELECT m.site, v.public_base FROM main.version v JOIN main.material m ON m.id = v.material
    UNION SELECT site, public_base FROM main.snapshot`,
  online_page: `SELECT v.material, r.target, r.site, v.id, r.at FROM main.release r
    JOIN main.release_page p ON p.release = r.arrival JOIN main.version v ON v.id = p.version
    WHERE r.arrival = (SELECT max(o.arrival) FROM main.release o WHERE o.site = r.site AND o.target = r.target)`,
}

/** Before schema 10, fewer references were found. */
const readAgain = `INSERT OR IGNORE INTO main.unread_version SELECT id FROM main.version;
  INSERT OR IGNORE INTO main.style_sheet SELECT sha256, 0 FROM main.media_file
    WHERE ${referringExtensions.map((ending) => `name LIKE '%.${ending}'`).join(' OR ')};
  INSERT OR IGNORE INTO main.style_sheet SELECT css_sha256, 0 FROM main.snapshot;
  INSERT OR IGNORE INTO main.style_sheet SELECT tree_sha256, 0 FROM main.snapshot WHERE tree_sha256 IS NOT NULL;
  UPDATE main.style_sheet SET is_read = 0`

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
    for (const [table, rows] of Object.entries(computedTables))
      if (!known.has(table)) db.exec(`INSERT INTO main.${table} ${rows}`)
    if (Number(db.pragma('earlier.user_version', { simple: true })) < 10) db.exec(readAgain)
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
  const copied = columnsIn('main').flatMap((column) => {
    const value = earlier.has(column) ? column : computedColumns[`${table}.${column}`]
    return value === undefined ? [] : [{ column, value }]
  })
  db.exec(
    `INSERT INTO main.${table} (${copied.map(({ column }) => column).join(', ')})
     SELECT ${copied.map(({ value }) => value).join(', ')} FROM earlier.${table}`,
  )
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
