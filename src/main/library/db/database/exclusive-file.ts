import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { makeLockFile } from './private-file.ts'

/**
 * Locks a file for this process until it is closed; null if another process still holds it after `waitMs`. Uses an exclusive
 * transaction on an empty database, so that the kernel releases the lock when the process dies, even by kill -9.
 */
export function tryExclusive(file: string, waitMs: number): Database | null {
  makeLockFile(file)
  return tryExistingExclusive(file, waitMs)
}

/** The same for an existing file, which may belong to another user. Throws if it is missing or cannot be opened. */
export function tryExistingExclusive(file: string, waitMs: number): Database | null {
  // Without O_CREAT: Linux refuses it for files of others in a folder for temporary files.
  const lock = new BetterSqlite3(file, { timeout: waitMs, fileMustExist: true })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
