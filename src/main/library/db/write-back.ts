import type { Database } from 'better-sqlite3'

import type { Gathered } from '../../platform/timing/gathered.ts'
import { gathered } from '../../platform/timing/gathered.ts'

/** How long after a commit: commits in between share one write-back, and their answers have been sent by then. */
const delayMs = 1000

/**
 * Writes SQLite's log (WAL) back to the index some time after a commit. SQLite would do it within a commit, and the answer
 * to the save would wait for it. To be stopped before the index is closed, which writes everything back.
 */
export const createWriteBack = (db: Database, log: (line: string) => void): Gathered =>
  gathered(delayMs, () => writeBackNow(db, log))

/** The same at once, so that the log of SQLite does not grow further. */
export function writeBackNow(db: Database, log: (line: string) => void): void {
  try {
    // Takes what no reader still needs, and waits for nobody.
    db.pragma('wal_checkpoint(PASSIVE)')
  } catch (error) {
    // The log keeps what it holds; it is tried again after the next commit.
    log(`the log of the index could not be written back: ${error instanceof Error ? error.message : String(error)}`)
  }
}
