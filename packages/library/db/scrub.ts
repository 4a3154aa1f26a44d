import type { Database } from 'better-sqlite3'

import { isBusy, openIndex, pause } from './database/open.ts'

/** A reader never releases the database. */
class StillReadError extends Error {
  readonly code = 'SQLITE_BUSY'
}

/** The index could not be rewritten. `code` is SQLite's, for `storageReason`. */
export class ScrubError extends Error {
  readonly code: string
  constructor(code: string) {
    super('The index could not be written anew')
    this.code = code
  }
}

const writtenBackWithinMs = 5000

/** The planner's samples of indexed values, which it collects again. */
const forgetSamples = {
  main: 'DELETE FROM main.sqlite_stat4',
  local: 'DELETE FROM local.sqlite_stat4',
}

/**
 * Rewrites the index and `local.db` to remove deleted and changed rows from free pages and from SQLite's write-ahead log
 * (WAL). Blocks its thread and all writers of the files for some seconds in a large library. Returns the code of the fault
 * that stopped it (SQLITE_BUSY if the files remain in use), or null on success.
 */
export function scrub(files: { readonly index: string; readonly local: string }): string | null {
  try {
    const db = openIndex(files)
    try {
      for (const name of ['main', 'local'] as const) scrubDatabase(db, name)
    } finally {
      db.close()
    }
    return null
  } catch (error) {
    // A thread passes on only the message of an error.
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
    throw error
  }
}

function scrubDatabase(db: Database, name: 'main' | 'local'): void {
  const samples = db.prepare(`SELECT 1 FROM ${name}.sqlite_schema WHERE name = 'sqlite_stat4'`).get()
  if (samples !== undefined) db.exec(forgetSamples[name])
  db.exec(`VACUUM ${name}`)
  // SQLite waits for readers, but fails at once while another connection writes its log back.
  const limit = performance.now() + writtenBackWithinMs
  while (!isWrittenBack(db, name)) {
    if (performance.now() > limit) throw new StillReadError('The index is being read')
    pause(20)
  }
}

function isWrittenBack(db: Database, name: 'main' | 'local'): boolean {
  const [done] = db.pragma(`${name}.wal_checkpoint(TRUNCATE)`) as { busy: number }[]
  return done?.busy === 0
}

/** Whether the database is in use by others. */
export const isHeld = (error: unknown): boolean =>
  error instanceof ScrubError ? error.code.startsWith('SQLITE_BUSY') : isBusy(error)
