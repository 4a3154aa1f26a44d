import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'

import { temporaryFolder } from '../../support/temporary-folder.ts'

// Indexes and checkpoints as other versions of Galley write them.

/** The number of the current schema. */
export const today = 1

/** A copy of an index without a column and a table, as an earlier version of Galley would have written it. */
export async function inEarlierSchema(index: string): Promise<string> {
  const file = join(await temporaryFolder(), 'earlier.db')
  const db = new BetterSqlite3(index)
  db.prepare('VACUUM INTO ?').run(file)
  db.close()
  const earlier = new BetterSqlite3(file)
  earlier.exec('ALTER TABLE page DROP COLUMN social_image; DROP TABLE refused_entry')
  earlier.pragma(`user_version = ${today - 1}`)
  earlier.close()
  return file
}

export const pack = async (from: string, to: string): Promise<void> => writeFile(to, gzipSync(await readFile(from)))

export async function setVersion(file: string, version: number): Promise<void> {
  const db = new BetterSqlite3(file)
  db.pragma('journal_mode = DELETE')
  db.pragma(`user_version = ${version}`)
  db.close()
}
