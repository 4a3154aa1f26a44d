import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

import { makePrivateFile } from './private-file.ts'

/**
 * Copies the index of this schema, as it is before a migration, into a file beside it, and gives the name of that. One
 * such copy is kept: the new one, when it is whole. On a connection of its own, since the migrating one holds the write
 * lock. Throws what SQLite and the disk throw.
 */
export function copyBeforeMigration(file: string, schema: number): string {
  const start = `${basename(file)}.schema-`
  const name = `${start}${schema}`
  const unfinished = join(dirname(file), `${name}.unfinished`)
  rmSync(unfinished, { force: true })
  makePrivateFile(unfinished)
  const db = new BetterSqlite3(file, { readonly: true, timeout: 5000 })
  try {
    db.prepare('VACUUM INTO ?').run(unfinished)
  } finally {
    db.close()
  }
  const copy = openSync(unfinished, 'r+')
  try {
    fsyncSync(copy)
  } finally {
    closeSync(copy)
  }
  renameSync(unfinished, join(dirname(file), name))
  for (const other of readdirSync(dirname(file))) {
    if (other.startsWith(start) && other !== name) rmSync(join(dirname(file), other))
  }
  return name
}
