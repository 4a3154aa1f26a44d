import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { copyBeforeMigration } from './copy-before-migration.ts'
import { migrate, migrations, refuseNewer } from './migrate.ts'
import { makePrivateFile } from './private-file.ts'

/** A query on the main connection that takes longer than this is worth a line in the log, by name. */
const slowQueryMs = 16

/**
 * Opens the index of a library and brings its schema up to date.
 *
 * WAL so that commands read beside the listener; FULL because better-sqlite3 is compiled with NORMAL for WAL, under
 * which a power cut loses commits that were already answered. Throws NewerLibraryError and MigrationError.
 */
export function openIndex(file: string): Database {
  // Where several processes make a fresh index at the same moment, the switch to WAL does not wait by itself.
  for (let triesLeft = 100; ; triesLeft -= 1) {
    try {
      return openOnce(file)
    } catch (error) {
      if (triesLeft === 0 || !isBusy(error)) throw error
      pause(20)
    }
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Blocks the thread, as SQLite's own waiting does. */
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

function openOnce(file: string): Database {
  makePrivateFile(file)
  const db = new BetterSqlite3(file, { timeout: 5000 })
  try {
    // Before anything is set that stays in the file.
    refuseNewer(db)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('fullfsync = ON')
    db.pragma('foreign_keys = ON')
    // For what comes without saves, such as floods of refused callbacks; saves have theirs written back (write-back.ts).
    db.pragma('wal_autocheckpoint = 10000')
    migrate(db, migrations.length, (schema) => copyBeforeMigration(file, schema))
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Runs one named query and reports it when it held the main thread for too long. */
export function timed<Value>(name: string, log: (line: string) => void, query: () => Value): Value {
  const start = performance.now()
  const value = query()
  const ms = performance.now() - start
  if (ms > slowQueryMs) log(`slow query ${name}: ${Math.round(ms)} ms`)
  return value
}
