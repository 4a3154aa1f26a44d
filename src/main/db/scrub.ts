import type { Database } from 'better-sqlite3'

import { isBusy } from './open.ts'

/** Somebody reads the database all the time; `code` for `storageReason`. */
class StillReadError extends Error {
  readonly code = 'SQLITE_BUSY'
}

/**
 * Writes the index and `local.db` anew, without what deleted and changed rows have left in free pages and in the log of
 * SQLite (WAL). Holds the thread for some seconds in a large library. Throws SQLITE_BUSY, after waiting, when others use it.
 */
export function scrub(db: Database): void {
  for (const name of ['main', 'local']) {
    const samples = db.prepare(`SELECT 1 FROM ${name}.sqlite_schema WHERE name = 'sqlite_stat4'`).get()
    // Samples of indexed values; the planner collects them anew.
    if (samples !== undefined) db.exec(`DELETE FROM ${name}.sqlite_stat4`)
    db.exec(`VACUUM ${name}`)
    writeBackAll(db, name)
  }
}

function writeBackAll(db: Database, name: string): void {
  const [done] = db.pragma(`${name}.wal_checkpoint(TRUNCATE)`) as { busy: number }[]
  if (done?.busy !== 0) throw new StillReadError('The index is being read')
}

export const isHeld = (error: unknown): boolean => error instanceof StillReadError || isBusy(error)
