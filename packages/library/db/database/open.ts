import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CausedError, cause, errorCode } from '@galley/wire'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { logStart } from '../../log/mark.ts'
import { prepareLate } from './late-statements.ts'
import { NewerLibraryError } from './other-versions.ts'
import { makePrivateFile } from './private-file.ts'
import indexSchema from './schema/index.sql?raw'
import localSchema from './schema/local.sql?raw'

/**
 * Increase with every change of `schema/index.sql`: an index of another version is rebuilt from the log.
 */
const indexSchemaVersion = 1

/** Local data cannot be rebuilt: a change of `schema/local.sql` needs a migration. */
const localSchemaVersion = 1

/** Marks both databases. Those of builds before 0.1.0 have another number, or none. */
const applicationId = 0x47_61_6c_31

export interface IndexFiles {
  readonly index: string
  readonly local: string
}

/** The database files of a library. */
export const databaseFiles = (folder: string): IndexFiles => ({
  index: join(folder, 'index.db'),
  local: join(folder, 'local.db'),
})

/** Whether another connection holds a lock that SQLite needs. */
export const isBusy = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Blocks the thread, like SQLite's own busy timeout. */
export const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/**
 * Retries while the database is busy. SQLite's own timeout does not cover the switch to WAL, which several processes may do
 * at once.
 */
function unlessBusy<Value>(open: () => Value): Value {
  for (let triesLeft = 100; ; triesLeft -= 1) {
    try {
      return open()
    } catch (error) {
      if (triesLeft === 0 || !isBusy(error)) throw error
      pause(20)
    }
  }
}

/** Closes the database if `prepare` fails. */
function prepared(db: Database, prepare: () => void): Database {
  try {
    prepare()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Creates `local.db` if it is missing or empty. Throws NewerLibraryError, and CausedError if another program wrote it. */
export function prepareLocal(file: string): 'made' | 'there' {
  return unlessBusy(() => {
    makePrivateFile(file)
    const db = new BetterSqlite3(file, { timeout: 5000 })
    let found: 'made' | 'there' = 'there'
    const versionOf = (): number => Number(db.pragma('user_version', { simple: true }))
    prepared(db, () => {
      // Before anything in it changes, its journal included.
      demandKnownLocal(db)
      if (versionOf() === 0) found = 'made'
      db.pragma('journal_mode = WAL')
      // Read again inside the write lock: another process may have made it in the meantime.
      if (found === 'made') db.transaction(() => void (versionOf() === 0 && makeLocal(db))).immediate()
      if (ownVersion(db) === null) throw new CausedError(cause('index_not_ours'))
    }).close()
    return found
  })
}

/** The version of the schema; null if another program, or an earlier build, wrote the database. */
const ownVersion = (db: Database): number | null =>
  db.pragma('application_id', { simple: true }) === applicationId
    ? Number(db.pragma('user_version', { simple: true }))
    : null

/** Throws NewerLibraryError. */
function demandKnownLocal(db: Database): void {
  if ((ownVersion(db) ?? 0) > localSchemaVersion) throw new NewerLibraryError('local.db')
}

function makeLocal(db: Database): void {
  db.exec(localSchema)
  db.pragma(`application_id = ${applicationId}`)
  db.pragma(`user_version = ${localSchemaVersion}`)
}

/** The state of an index file; if usable, with the name of its library. */
export type FoundIndex =
  | { readonly kind: 'usable'; readonly library: string }
  | { readonly kind: 'other_schema'; readonly isLater: boolean }
  /** `earlier`: of a build before 0.1.0. */
  | { readonly kind: 'absent' | 'earlier' | 'damaged' }

/** Inspects the file without changing it. Does not detect damage in rows. Throws disk errors. */
export function inspectIndex(file: string): FoundIndex {
  if (!existsSync(file)) return { kind: 'absent' }
  try {
    const db = new BetterSqlite3(file, { timeout: 5000, readonly: true })
    try {
      const tables = Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get())
      const schema = Number(db.pragma('user_version', { simple: true }))
      if (db.pragma('application_id', { simple: true }) === applicationId) {
        if (schema !== indexSchemaVersion) return { kind: 'other_schema', isLater: schema > indexSchemaVersion }
        const library = db.prepare<[], string>('SELECT library FROM applied').pluck().get()
        return library === undefined ? { kind: 'damaged' } : { kind: 'usable', library }
      }
      if (schema > 0) return { kind: 'earlier' }
      // The process that created it was killed before it wrote anything.
      return { kind: tables === 0 ? 'absent' : 'damaged' }
    } finally {
      db.close()
    }
  } catch (error) {
    if (isDamage(error)) return { kind: 'damaged' }
    throw error
  }
}

/** The schemas of an index or `local.db` that an older Galley wrote, as `index-local`; null if neither is older. */
export function olderSchema({ index, local }: IndexFiles): string | null {
  const versionOf = (file: string, own: number): number => {
    if (!existsSync(file)) return own
    try {
      const db = new BetterSqlite3(file, { timeout: 5000, readonly: true })
      try {
        return ownVersion(db) ?? own
      } finally {
        db.close()
      }
    } catch (error) {
      if (isDamage(error)) return own
      throw error
    }
  }
  const found = [versionOf(index, indexSchemaVersion), versionOf(local, localSchemaVersion)] as const
  return found[0] < indexSchemaVersion || found[1] < localSchemaVersion ? found.join('-') : null
}

/** Whether SQLite reports that the file is not a database, or damaged; perhaps to another thread. */
export const isDamage = (error: unknown): boolean =>
  error instanceof CausedError
    ? error.reason.code === 'index_damaged' || error.reason.code === 'index_not_ours'
    : /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error) ?? '')

/** Whether SQLite's integrity check of the whole file succeeds. */
export function isSound(file: string): boolean {
  const db = new BetterSqlite3(file, { readonly: true })
  try {
    return db.pragma('quick_check', { simple: true }) === 'ok'
  } finally {
    db.close()
  }
}

/** Whether the schema of an index is exactly Galley's. Detects added triggers and views. */
export const hasOwnSchema = (db: Database): boolean =>
  schemaOf(db) === (ownSchema ??= schemaAfter((empty) => empty.exec(indexSchema)))

/** Made once: a library asks for them each time that it is opened. */
let ownSchema: string | null = null
let ownLocalSchema: string | null = null

const schemaOf = (db: Database): string =>
  JSON.stringify(
    db
      .prepare(
        `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name`,
      )
      .all(),
  )

/** The schema after running these statements on an empty database. */
function schemaAfter(run: (db: Database) => void): string {
  const db = new BetterSqlite3(':memory:')
  try {
    run(db)
    return schemaOf(db)
  } finally {
    db.close()
  }
}

/** The same check for a `local.db`. Throws NewerLibraryError. */
export function hasLocalSchema(file: string): boolean {
  const db = new BetterSqlite3(file, { readonly: true })
  try {
    demandKnownLocal(db)
    return schemaOf(db) === (ownLocalSchema ??= schemaAfter(makeLocal))
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  } finally {
    db.close()
  }
}

/** Sets whose index it is. */
export const nameIndex = (db: Database, library: string): void =>
  void db.prepare<[string]>('UPDATE applied SET library = ?').run(library)

/** Creates an empty index in a new file. */
export function makeIndex(db: Database, library: string): void {
  db.exec(indexSchema)
  db.pragma(`application_id = ${applicationId}`)
  db.pragma(`user_version = ${indexSchemaVersion}`)
  const { position, hash, segment, start, end } = logStart
  db.prepare('INSERT INTO applied VALUES (1, ?, ?, ?, ?, ?, ?)').run(library, position, hash, segment, start, end)
}

/**
 * Opens a usable index and attaches `local.db` as `local`.
 *
 * WAL, so that commands can read while the listener writes. NORMAL, because the log's sync makes a save durable and the
 * index catches up with the log. Writes to `local` that must survive a power failure use `durably`.
 */
export function openIndex({ index, local }: IndexFiles): Database {
  return unlessBusy(() => {
    const db = prepareLate(new BetterSqlite3(index, { timeout: 5000, fileMustExist: true }))
    return prepared(db, () => {
      db.prepare('ATTACH ? AS local').run(local)
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = NORMAL')
      db.pragma('local.synchronous = NORMAL')
      db.pragma('fullfsync = ON')
      db.pragma('foreign_keys = ON')
      // For writes outside saves, such as floods of refused callbacks. Saves are written back by write-back.ts.
      db.pragma('wal_autocheckpoint = 10000')
    })
  })
}
