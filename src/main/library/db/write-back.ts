import type { Database } from 'better-sqlite3'

import { faultReason } from '../../platform/disk/storage-reason.ts'
import type { Coalesced } from '../../platform/timing/coalesced.ts'
import { coalesced } from '../../platform/timing/coalesced.ts'

/** The delay after a commit: later commits share the write-back, and their responses have been sent by then. */
const delayMs = 1000

/**
 * Writes SQLite's write-ahead log (WAL) back to the index some time after a commit. Otherwise SQLite would do it within a
 * commit and delay the response. Stop it before closing the index, which writes everything back.
 */
export const createWriteBack = (db: Database, log: (line: string) => void): Coalesced =>
  coalesced(delayMs, () => writeBackNow(db, log))

/** Writes back at once, so that the WAL stops growing. */
export function writeBackNow(db: Database, log: (line: string) => void): void {
  try {
    // PASSIVE skips pages that readers still need and never waits.
    db.pragma('wal_checkpoint(PASSIVE)')
  } catch (error) {
    // The WAL keeps its content; the next commit tries again.
    log(`the log of the index could not be written back: ${faultReason(error)}`)
  }
}
