import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'

import { temporaryFolder } from '../../../../support/test-galley.ts'

// Indexes and checkpoints as other versions of Galley write them.

/** The number of the newest of the kept schemas. */
export const today = 11

export const sqlOf = (version: number): Promise<string> =>
  readFile(join(import.meta.dirname, `index-${version}.sql`), 'utf8')

/** Writes the rows of an index as an earlier version of Galley would have them, to a new file. */
export async function inSchema(version: number, index: string): Promise<string> {
  const file = join(await temporaryFolder(), 'earlier.db')
  const db = new BetterSqlite3(file)
  db.exec(await sqlOf(version))
  db.pragma('foreign_keys = OFF')
  db.prepare('ATTACH ? AS later').run(index)
  const tables = db
    .prepare<[], string>(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%material_text%'`)
    .pluck()
    .all()
  for (const table of tables.filter((each) => each !== 'sqlite_sequence')) {
    const columns = db.prepare<[string], string>(`SELECT name FROM pragma_table_info(?, 'main')`).pluck().all(table)
    db.exec(`INSERT INTO main.${table} SELECT ${columns.join(', ')} FROM later.${table}`)
  }
  db.prepare('DETACH later').run()
  // "GALY" in ASCII.
  db.pragma('application_id = 0x47414c59')
  db.pragma(`user_version = ${version}`)
  db.close()
  return file
}

export const pack = async (from: string, to: string): Promise<void> => writeFile(to, gzipSync(await readFile(from)))

export async function setVersion(file: string, version: number): Promise<void> {
  const db = new BetterSqlite3(file)
  db.pragma('journal_mode = DELETE')
  db.pragma(`user_version = ${version}`)
  db.close()
}
