import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { makePrivateFile } from './private-file.ts'

/**
 * Takes a file for this process alone, until it is closed; null when another one has it after `waitMs`. It is an exclusive
 * transaction on an empty database, which the kernel drops when the process dies, even by kill -9.
 */
export function tryExclusive(file: string, waitMs: number): Database | null {
  makePrivateFile(file)
  const lock = new BetterSqlite3(file, { timeout: waitMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
