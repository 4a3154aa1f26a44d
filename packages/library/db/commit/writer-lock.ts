import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

import { journalInMemory } from '../database/exclusive-file.ts'
import { makeLockFile } from '../database/private-file.ts'

/** Equal to SQLite's own busy timeout. */
const busyTimeoutMs = 5000

/** Prevents other processes from writing to the log of a library. */
export interface WriterLock {
  /** Runs `work` as the only writer. Blocks the thread while waiting. Throws `SQLITE_BUSY` after five seconds. */
  hold<Value>(work: () => Value): Value
  /** Takes the lock for longer work, until the returned function is called. Throws `SQLITE_BUSY` at once. */
  take(): () => void
  /** Whether this process holds it. Meanwhile, no process writes, not even this one. */
  isTaken(): boolean
  close(): void
}

/** Uses an exclusive transaction on the empty file `log.db`: the kernel releases it when the process dies. */
export function openWriterLock(folder: string): WriterLock {
  const file = join(folder, 'log.db')
  makeLockFile(file)
  const db = new BetterSqlite3(file, { timeout: busyTimeoutMs })
  const lock = db.prepare('BEGIN EXCLUSIVE')
  const end = db.prepare('ROLLBACK')
  let isHeld = false
  let isTaken = false
  let hasJournalInMemory = false

  function begin(): void {
    if (!hasJournalInMemory) db.pragma(journalInMemory)
    hasJournalInMemory = true
    lock.run()
  }

  return {
    hold(work) {
      if (isHeld) return work()
      begin()
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
        begin()
      } finally {
        db.pragma(`busy_timeout = ${busyTimeoutMs}`)
      }
      isHeld = true
      isTaken = true
      return () => {
        isHeld = false
        isTaken = false
        end.run()
      }
    },
    isTaken: () => isTaken,
    close: () => void db.close(),
  }
}
