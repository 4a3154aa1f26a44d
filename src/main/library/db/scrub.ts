import type { Database } from 'better-sqlite3'

import { isBusy } from './database/open.ts'

/** A reader never lets go of the database; `code` for `storageReason`. */
class StillReadError extends Error {
  readonly code = 'SQLITE_BUSY'
}

/** The planner's samples of indexed values; it collects them anew. */
const forgetSamples = {
  main: 'DELETE FROM main.sqlite_stat4',
  local: 'DELETE FROM local.sqlite_stat4',
}

/**
 * Writes the index and `local.db` anew, without the remains of deleted and changed rows in free pages and in SQLite's log
 * (WAL). Holds the thread for some seconds in a large library. Throws SQLITE_BUSY, after waiting, when others use them.
 */
export function scrub(db: Database): void {
  for (const name of ['main', 'local'] as const) {
    const samples = db.prepare(`SELECT 1 FROM ${name}.sqlite_schema WHERE name = 'sqlite_stat4'`).get()
    if (samples !== undefined) db.exec(forgetSamples[name])
    db.exec(`VACUUM ${name}`)
    writeBackAll(db, name)
  }
}

function writeBackAll(db: Database, name: string): void {
  const [done] = db.pragma(`${name}.wal_checkpoint(TRUNCATE)`) as { busy: number }[]
  if (done?.busy !== 0) throw new StillReadError('The index is being read')
}

/** Whether others use the database that was to be scrubbed. */
export const isHeld = (error: unknown): boolean => error instanceof StillReadError || isBusy(error)
