import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { syncFileNow } from '@galley/platform'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../../log/log.ts'
import type { LogMark } from '../../log/mark.ts'
import { logStart } from '../../log/mark.ts'
import { createApply } from '../apply/apply.ts'
import { createCallbackMirror } from '../apply/callback-mirror.ts'
import { followLog } from '../apply/follow-log.ts'
import type { Unapplied } from '../apply/lost-entries.ts'
import type { LostRows } from '../apply/lost-entries.ts'
import { lostEntriesIn } from '../apply/lost-entries.ts'
import { prepareLate } from '../database/late-statements.ts'
import { makeIndex, nameIndex } from '../database/open.ts'
import { makePrivateFile } from '../database/private-file.ts'

/** An index that was built from a log. */
export interface Rebuilt {
  readonly position: number
  /**
   * The position of the checkpoint that it started from, or of the earlier index if only that has what the log has
   * lost; null if it started with the first entry.
   */
  readonly fromCheckpoint: number | null
  readonly materials: number
  readonly versions: number
  /** What could not be applied this time. */
  readonly unapplied: readonly Unapplied[]
  /** Everything that the index lacks, including what its checkpoint lacked. */
  readonly lost: readonly LostRows[]
}

export interface RebuildPorts {
  readonly log: LibraryLog
  readonly library: string
  /** Attached, to list the log's stored deliveries in it. */
  readonly local: string
  /** Puts a base for the index, such as the newest checkpoint up to a position, in the given file; null if there is none. */
  readonly unpackCheckpoint: (file: string, options: { readonly upTo?: number }) => Promise<LogMark | null>
  readonly onProgress?: (position: number) => void
  /** The last entry to apply. Default: all. */
  readonly upTo?: number
}

/** How long to apply entries before yielding to the event loop. */
const sliceMs = 50

/**
 * Builds an index in the new file `target` from the newest checkpoint and the log after it, in slices that let the event
 * loop run. The caller holds the writers' lock. Throws NewerLibraryError and disk errors; then `target` is removed.
 */
export async function buildIndex(target: string, ports: RebuildPorts): Promise<Rebuilt> {
  const { library, local, unpackCheckpoint, upTo } = ports
  const checkpoint = await unpackCheckpoint(target, upTo === undefined ? {} : { upTo })
  if (checkpoint === null) makePrivateFile(target)
  const db = prepareLate(new BetterSqlite3(target))
  try {
    db.prepare('ATTACH ? AS local').run(local)
    // Nobody reads it before it is complete, and it is synced at the end.
    db.pragma('main.journal_mode = MEMORY')
    db.pragma('main.synchronous = OFF')
    db.pragma('foreign_keys = ON')
    if (checkpoint === null) makeIndex(db, library)
    // A checkpoint may be from before a restored copy became a library of its own.
    else nameIndex(db, library)
    const unapplied = await applyAll(db, checkpoint ?? logStart, ports)
    const counts = db
      .prepare<[], { materials: number; versions: number; position: number }>(
        `SELECT (SELECT count(*) FROM material) AS materials, (SELECT count(*) FROM version) AS versions,
           (SELECT position FROM applied) AS position`,
      )
      .get()
    const lost = lostEntriesIn(db)
    db.close()
    syncFileNow(target)
    const { materials = 0, versions = 0, position = 0 } = counts ?? {}
    return { position, fromCheckpoint: checkpoint?.position ?? null, materials, versions, unapplied, lost }
  } catch (error) {
    db.close()
    rmSync(target, { force: true })
    throw error
  }
}

async function applyAll(
  db: Database,
  from: LogMark,
  { log, onProgress, upTo = Number.POSITIVE_INFINITY }: RebuildPorts,
): Promise<readonly Unapplied[]> {
  const unapplied: Unapplied[] = []
  const ports = { db, log, apply: createApply(db), callbacks: createCallbackMirror(db) }
  const steps = followLog(ports, from, upTo)
  for (let isOver = false; !isOver;) {
    // IMMEDIATE, because another process may write to `local.db` between the first read and the first write of a slice.
    db.exec('BEGIN IMMEDIATE')
    let position = 0
    for (const endMs = performance.now() + sliceMs; performance.now() < endMs;) {
      const step = steps.next()
      if (step.done === true) {
        isOver = true
        break
      }
      if (step.value.kind === 'unapplied') unapplied.push(step.value.what)
      else position = step.value.mark.position
    }
    db.exec('COMMIT')
    if (position > 0) onProgress?.(position)
    await nextTurn()
  }
  return unapplied
}

/** A file name with a timestamp in UTC, with milliseconds. */
export const nameWithMoment = (name: string, now: Date): string =>
  `${name}-${now.toISOString().replaceAll(/[:.]/g, '-')}`

/** Renames an unusable database with SQLite's additional files. Returns the new name, or null if there is none. */
export function setAside(file: string, now: Date): string | null {
  const aside = nameWithMoment(`${file}.set-aside`, now)
  let isThere = false
  for (const end of ['', '-wal', '-shm']) {
    if (!existsSync(`${file}${end}`)) continue
    renameSync(`${file}${end}`, `${aside}${end}`)
    isThere ||= end === ''
  }
  return isThere ? basename(aside) : null
}
