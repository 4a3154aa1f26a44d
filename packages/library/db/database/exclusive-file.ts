import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { makeLockFile } from './private-file.ts'

/** For a lock that works on a full disk: its file stays empty. Setting it waits for the lock too. */
export const journalInMemory = 'journal_mode = MEMORY'

/**
 * Locks a file for this process until it is closed; null if another process still holds it after `waitMs`. Uses an exclusive
 * transaction on an empty database, so that the kernel releases the lock when the process dies, even by kill -9. Throws
 * `SQLITE_FULL` on a full disk.
 */
export function tryExclusive(file: string, waitMs: number): Database | null {
  makeLockFile(file)
  return locked(file, waitMs, (lock) => void lock.exec('BEGIN EXCLUSIVE'))
}

/** The same for an existing file, which may belong to another user, also on a full disk. Throws if it cannot be opened. */
export function tryExistingExclusive(file: string, waitMs: number): Database | null {
  return locked(file, waitMs, (lock) => {
    lock.pragma(journalInMemory)
    lock.exec('BEGIN EXCLUSIVE')
  })
}

function locked(file: string, waitMs: number, begin: (lock: Database) => void): Database | null {
  // Without O_CREAT: Linux refuses it for files of others in a folder for temporary files.
  const lock = new BetterSqlite3(file, { timeout: waitMs, fileMustExist: true })
  try {
    begin(lock)
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
