import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'

import { journalInMemory } from './database/exclusive-file.ts'
import { makeLockFile } from './database/private-file.ts'

/** Another process holds the lock for too long. `code` like that of system errors, for `storageReason`. */
class FilesHeldError extends Error {
  readonly code = 'FILES_HELD'
}

/** Prevents the deletion of files in use, across all processes of a library. */
export interface FileLock {
  /**
   * Prevents deletions until the returned function is called: for moving files in before the index names them, and for
   * reading files that the index may drop. Any number of callers can share the lock. Rejects after ten seconds.
   */
  share(): Promise<() => void>
  /** Runs short work while no other process shares the lock. Otherwise returns false without running it. */
  alone(work: () => void): boolean
  close(): void
}

const retryMs = 2
/** Deletions take milliseconds; a process that holds the lock longer than this hangs. */
const defaultTimeoutMs = 10_000

/**
 * Uses SQLite's locks on a separate empty file: a read transaction for sharing, an exclusive one for `alone`. The kernel
 * releases both when the process dies. Waiting never blocks the thread, because the holder may need it.
 */
export function openFileLock(folder: string, timeoutMs: number = defaultTimeoutMs): FileLock {
  const file = join(folder, 'files.db')
  makeLockFile(file)
  const sharing = new BetterSqlite3(file, { timeout: 0 })
  const excluding = new BetterSqlite3(file, { timeout: 0 })
  let sharers = 0

  function tryToShare(): boolean {
    return unlessBusy(sharing, () => {
      sharing.exec('BEGIN')
      // Not a prepared statement: preparing would wait for the exclusive lock.
      sharing.exec('SELECT count(*) FROM sqlite_schema')
    })
  }

  return {
    async share() {
      for (let waitedMs = 0; ; waitedMs += retryMs) {
        if (sharers > 0 || tryToShare()) break
        if (waitedMs >= timeoutMs) throw new FilesHeldError('Another process holds the files of the library')
        await delay(retryMs)
      }
      sharers += 1
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        sharers -= 1
        if (sharers === 0) sharing.exec('COMMIT')
      }
    },
    alone(work) {
      const begin = (): void => {
        excluding.pragma(journalInMemory)
        excluding.exec('BEGIN EXCLUSIVE')
      }
      if (!unlessBusy(excluding, begin)) return false
      try {
        work()
      } finally {
        excluding.exec('ROLLBACK')
      }
      return true
    },
    close() {
      sharing.close()
      excluding.close()
    },
  }
}

/** Leaves no open transaction if the lock is busy. */
function unlessBusy(db: BetterSqlite3.Database, begin: () => void): boolean {
  try {
    begin()
    return true
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}
