import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

import type { Contents } from './contents.ts'
import { createContents } from './contents.ts'
import type { RestoredFiles } from './restored-files.ts'
import { createRestoredFiles } from './restored-files.ts'
import { applicationId, schema } from './schema.ts'
import type { Sessions } from './sessions.ts'
import { createSessions } from './sessions.ts'
import type { Snapshots } from './snapshots.ts'
import { createSnapshots } from './snapshots.ts'
import type { Versions } from './versions.ts'
import { createVersions } from './versions.ts'

/** The emulator's database. */
export interface Store {
  readonly sessions: Sessions
  readonly versions: Versions
  readonly snapshots: Snapshots
  readonly restoredFiles: RestoredFiles
  readonly contents: Contents
  readonly close: () => void
}

/** Creates the file readable by its owner only, because sessions contain callback credentials. */
function prepareFile(dataFile: string): void {
  mkdirSync(dirname(dataFile), { recursive: true })
  closeSync(openSync(dataFile, 'a', 0o600))
}

function prepareSchema(db: Database.Database): void {
  const isNew = db.pragma('user_version', { simple: true }) === 0
  if (isNew) db.transaction(() => db.exec(schema))()
  else if (db.pragma('application_id', { simple: true }) !== applicationId)
    throw new Error(
      'This emulator data was written by a build of Galley before 0.1.0. Delete the file, or choose another one.',
    )
  else if (db.pragma('user_version', { simple: true }) !== 1)
    throw new Error('This emulator data was written by a newer Galley. Use that version, or choose another file.')
}

/**
 * Opens the data file, or with null a temporary database: SQLite's unnamed one, which works like an in-memory database
 * but may spill to a temporary file, so that ten thousand archives need not fit in memory. Throws when the file is not
 * a database, is of another version, or is in use by another emulator.
 */
export function openStore(dataFile: string | null): Store {
  if (dataFile !== null) prepareFile(dataFile)
  const db = new Database(dataFile ?? '', { timeout: 1_000 })
  try {
    // Archives are large, so use large pages; recent ones stay cached until the site fetches them.
    db.pragma('page_size = 16384')
    db.pragma('cache_size = -8000')
    db.pragma('locking_mode = EXCLUSIVE')
    // An unnamed database has no WAL and is never rolled back after a crash.
    db.pragma(`journal_mode = ${dataFile === null ? 'MEMORY' : 'WAL'}`)
    db.pragma('synchronous = NORMAL')
    db.pragma('foreign_keys = ON')
    prepareSchema(db)
  } catch (problem) {
    db.close()
    throw problem
  }
  const contents = createContents(db)
  return {
    sessions: createSessions(db),
    versions: createVersions(db, contents),
    snapshots: createSnapshots(db, contents),
    restoredFiles: createRestoredFiles(db),
    contents,
    close: () => db.close(),
  }
}
