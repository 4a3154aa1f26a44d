import type { Sha256 } from '@galley/wire'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import type { LogMark } from '../log/mark.ts'
import { logStart } from '../log/mark.ts'
import { inspectIndex } from './database/open.ts'
import { filesOfBlobs } from './file/blobs.ts'

/** The facts in a copy of an index. */
export interface IndexCopy {
  readonly mark: LogMark
  readonly counts: { readonly materials: number; readonly versions: number }
  /** All files with blobs, and the minimum size of each. */
  readonly files: readonly { readonly file: Sha256; readonly sizeBytes: number }[]
}

/** How far the log has been applied to an index of any schema. Throws SQLite errors. */
export const markIn = (db: Database): LogMark =>
  db
    .prepare<[], LogMark>('SELECT position, hash, segment, line_start AS start, line_end AS "end" FROM applied')
    .get() ?? logStart

/** Reads an index that no process writes to. Throws SQLite errors. */
export function readIndexCopy(file: string): IndexCopy {
  const db = new BetterSqlite3(file, { readonly: true })
  try {
    const counts = db
      .prepare<[], { materials: number; versions: number }>(
        'SELECT (SELECT count(*) FROM material) AS materials, (SELECT count(*) FROM version) AS versions',
      )
      .get()
    return { mark: markIn(db), counts: counts ?? { materials: 0, versions: 0 }, files: filesOfBlobs(db)() }
  } finally {
    db.close()
  }
}

/** The last entry of an index; null if it cannot be read. */
export function lastMark(file: string): LogMark | null {
  const { kind } = inspectIndex(file)
  return kind === 'usable' || kind === 'other_schema' ? markAt(file) : null
}

export function markAt(file: string): LogMark | null {
  const db = new BetterSqlite3(file, { readonly: true, timeout: 5000 })
  try {
    return markIn(db)
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError) return null
    throw error
  } finally {
    db.close()
  }
}
