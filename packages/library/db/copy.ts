import BetterSqlite3 from 'better-sqlite3'

import { makePrivateFile } from './database/private-file.ts'

/** A megabyte, which takes a few milliseconds to copy. */
const pagesAtOnce = 256

/**
 * Copies a database at its current state to `copy`. An open read transaction prevents restarts of the copy when another
 * process writes. Throws if `signal` aborts.
 */
export async function copyIndex(
  file: string,
  copy: string,
  onBytes: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<void> {
  makePrivateFile(copy)
  const db = new BetterSqlite3(file, { readonly: true, timeout: 5000 })
  try {
    const pageBytes = Number(db.pragma('page_size', { simple: true }))
    db.exec('BEGIN')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    await db.backup(copy, {
      progress({ totalPages, remainingPages }) {
        signal.throwIfAborted()
        onBytes((totalPages - remainingPages) * pageBytes, totalPages * pageBytes)
        return pagesAtOnce
      },
    })
  } finally {
    db.close()
  }
}
