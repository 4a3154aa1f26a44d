import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'

import { makePrivateFile } from './database/private-file.ts'

/** Another process deletes files and does not end; `code` as those of the system, for `storageReason`. */
class FilesHeldError extends Error {
  readonly code = 'FILES_HELD'
}

/** Keeps the deletion of files apart from their use, across all processes that work on one library. */
export interface FileLock {
  /**
   * Until the returned function is called no file is deleted: for moving files in before the index names them, and for
   * reading files that the index may stop naming. Any number may share. Rejects after ten seconds of waiting.
   */
  share(): Promise<() => void>
  /** Does short work while nobody shares; false, without doing it, when somebody does. */
  alone(work: () => void): boolean
  close(): void
}

const retryMs = 2
/** Deletions take some milliseconds each; a process that holds the lock longer than this hangs. */
const usualPatienceMs = 10_000

/**
 * The lock is SQLite's own on a file of its own, which stays empty: a read transaction shares, an exclusive one is alone,
 * and the kernel drops either when its process dies. Waiting never blocks the thread, since the holder may need the same
 * thread to go on.
 */
export function openFileLock(folder: string, patienceMs: number = usualPatienceMs): FileLock {
  const file = join(folder, 'files.db')
  makePrivateFile(file)
  const sharing = new BetterSqlite3(file, { timeout: 0 })
  const excluding = new BetterSqlite3(file, { timeout: 0 })
  let sharers = 0

  function tryToShare(): boolean {
    return unlessBusy(sharing, () => {
      sharing.exec('BEGIN')
      // Not a prepared statement: preparing one would wait for the exclusive lock.
      sharing.exec('SELECT count(*) FROM sqlite_schema')
    })
  }

  return {
    async share() {
      for (let waitedMs = 0; ; waitedMs += retryMs) {
        if (sharers > 0 || tryToShare()) break
        if (waitedMs >= patienceMs) throw new FilesHeldError('Another process holds the files of the library')
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
      if (!unlessBusy(excluding, () => void excluding.exec('BEGIN EXCLUSIVE'))) return false
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

/** Leaves no transaction open when the lock is taken. */
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
