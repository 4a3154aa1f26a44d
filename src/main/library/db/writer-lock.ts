import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

import { makePrivateFile } from './database/private-file.ts'

/** As long as SQLite itself waits for another writer. */
const patienceMs = 5000

/** Holds all other processes off the log of one library. */
export interface WriterLock {
  /** Runs `work` as the only writer; waits for another one on the thread. Throws `SQLITE_BUSY` after five seconds. */
  hold<Value>(work: () => Value): Value
  /** The same for work that takes its time, until the returned function is called. Throws `SQLITE_BUSY` at once. */
  take(): () => void
  close(): void
}

/** The lock is an exclusive transaction on `log.db`, which stays empty: the kernel drops it when its process dies. */
export function openWriterLock(folder: string): WriterLock {
  const file = join(folder, 'log.db')
  makePrivateFile(file)
  const db = new BetterSqlite3(file, { timeout: patienceMs })
  const begin = db.prepare('BEGIN EXCLUSIVE')
  const end = db.prepare('ROLLBACK')
  let isHeld = false
  return {
    hold(work) {
      if (isHeld) return work()
      begin.run()
      isHeld = true
      try {
        return work()
      } finally {
        isHeld = false
        end.run()
      }
    },
    take() {
      db.pragma('busy_timeout = 0')
      try {
        begin.run()
      } finally {
        db.pragma(`busy_timeout = ${patienceMs}`)
      }
      isHeld = true
      return () => {
        isHeld = false
        end.run()
      }
    },
    close: () => void db.close(),
  }
}
