import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'

// Indexes and checkpoints as other versions of Galley write them.

/** The number of the current schema. */
export const today = 1

export const pack = async (from: string, to: string): Promise<void> => writeFile(to, gzipSync(await readFile(from)))

export async function setVersion(file: string, version: number): Promise<void> {
  const db = new BetterSqlite3(file)
  db.pragma('journal_mode = DELETE')
  db.pragma(`user_version = ${version}`)
  db.close()
}
