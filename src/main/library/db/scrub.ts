import type { Database } from 'better-sqlite3'

import { isBusy, openIndex } from './database/open.ts'

/** A reader never lets go of the database. */
class StillReadError extends Error {
  readonly code = 'SQLITE_BUSY'
}

/** The index could not be written anew; `code` is SQLite's, for `storageReason`. */
export class ScrubError extends Error {
  readonly code: string
  constructor(code: string) {
    super('The index could not be written anew')
    this.code = code
  }
}

/** The planner's samples of indexed values; it collects them anew. */
const forgetSamples = {
  main: 'DELETE FROM main.sqlite_stat4',
  local: 'DELETE FROM local.sqlite_stat4',
}

/**
 * Writes the index and `local.db` anew, without the remains of deleted and changed rows in free pages and in SQLite's log
 * (WAL). Holds its thread for some seconds in a large library, and every other writer of the files. Gives the code of the
 * fault that stopped it: SQLITE_BUSY, after waiting, when others use the files; null when it is done.
 */
export function scrub(files: { readonly index: string; readonly local: string }): string | null {
  try {
    const db = openIndex(files)
    try {
      for (const name of ['main', 'local'] as const) scrubOne(db, name)
    } finally {
      db.close()
    }
    return null
  } catch (error) {
    // A thread hands on no more of an error than its message.
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
    throw error
  }
}

function scrubOne(db: Database, name: 'main' | 'local'): void {
  const samples = db.prepare(`SELECT 1 FROM ${name}.sqlite_schema WHERE name = 'sqlite_stat4'`).get()
  if (samples !== undefined) db.exec(forgetSamples[name])
  db.exec(`VACUUM ${name}`)
  const [done] = db.pragma(`${name}.wal_checkpoint(TRUNCATE)`) as { busy: number }[]
  if (done?.busy !== 0) throw new StillReadError('The index is being read')
}

/** Whether others use the database that was to be scrubbed. */
export const isHeld = (error: unknown): boolean =>
  error instanceof ScrubError ? error.code.startsWith('SQLITE_BUSY') : isBusy(error)
