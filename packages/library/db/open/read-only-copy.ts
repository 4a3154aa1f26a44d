import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { sizeOfFiles, systemCode, temporaryFolder } from '@galley/platform'
import { failureWords } from '@galley/wire'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../../log/log.ts'
import type { WriterLock } from '../commit/writer-lock.ts'
import { databaseFiles, inspectIndex, prepareLocal } from '../database/open.ts'
import type { Index } from '../library-index.ts'
import { createIndex } from '../library-index.ts'
import type { TeamLink } from '../team/team-commit.ts'
import type { Checkpoints } from './checkpoints.ts'
import { findState } from './findings.ts'
import { writtenName } from './library-file.ts'
import { causeToRebuild } from './opening.ts'
import type { RebuiltNote } from './replace-index.ts'
import { rebuildIndex } from './replace-index.ts'

/** The library can be read but not written: the disk is full or read-only, or the permissions are missing. */
export class LibraryReadOnlyError extends Error {
  readonly code = 'library_read_only'
  constructor() {
    super(failureWords({ code: 'library_read_only' }))
  }
}

/** For SQLite's own files next to a copy. */
const spareBytes = 4 * 1024 ** 2

const codes = /^(EROFS|EACCES|EPERM|ENOSPC|EDQUOT|SQLITE_(READONLY|CANTOPEN|FULL|IOERR).*)$/

/** Whether an error means that nothing can be written, but existing files may be readable. */
export const isReadOnlyFault = (error: unknown): boolean => codes.test(systemCode(error))

/** Prevents writes to the log and everything derived from it. */
const refusing: WriterLock = {
  hold() {
    throw new LibraryReadOnlyError()
  },
  take() {
    throw new LibraryReadOnlyError()
  },
  isTaken: () => false,
  close: () => undefined,
}

/** A copy of the index, with a lock that prevents writes. `rebuilt`: the library has no index that this Galley can use. */
export interface ReadOnlyIndex {
  readonly index: Index
  readonly rebuilt: RebuiltNote | null
  readonly lock: WriterLock
  discard(): void
}

export interface ReadOnlyPorts {
  readonly log: LibraryLog
  readonly checkpoints: Checkpoints
  readonly now: () => Date
  readonly report: (line: string) => void
  readonly onDamage: () => void
  /** For a member of a team: follows the team up to the first entry that would have to be written. */
  readonly team?: TeamLink
}

/**
 * Opens copies of the index and of `local.db` in a temporary folder, because SQLite needs additional files even for reading.
 * Builds the index there if the library has none that this Galley can use; null if there is no log either. Throws
 * NewerLibraryError, and an error with the code ENOSPC if no temporary folder has room.
 */
export async function openReadOnlyCopy(
  folder: string,
  { log, checkpoints, now, report, onDamage, team }: ReadOnlyPorts,
): Promise<ReadOnlyIndex | null> {
  const originals = databaseFiles(folder)
  const library = writtenName(folder)
  const copied = [originals.index, originals.local].flatMap((file) => [file, `${file}-wal`])
  const bytes = await sizeOfFiles(copied)
  // A rebuilt index takes as much space again.
  const place = await temporaryFolder('galley-read-only-', 2 * bytes + spareBytes)
  const discard = (): void => rmSync(place, { recursive: true, force: true })
  try {
    const files = databaseFiles(place)
    for (const name of ['index', 'local'] as const)
      for (const end of ['', '-wal'])
        if (existsSync(`${originals[name]}${end}`)) copyFileSync(`${originals[name]}${end}`, `${files[name]}${end}`)
    prepareLocal(files.local)
    const { positions, unpackNewest } = checkpoints
    // The copy is deleted when the library is closed, so no checkpoint of it is written.
    const source = { positions, unpackNewest, write: () => Promise.resolve(0), setAsideAfter: () => Promise.resolve() }
    const context = { folder: place, log, checkpoints: source, isCopy: false, now }
    const known = { library, asked: null, by: null, done: [], isLogFaulty: false }
    const cause = library === null ? null : causeToRebuild(await findState(context, known))
    const rebuilt = library === null || cause === null ? null : await rebuildIndex({ ...context, library }, cause)
    if (inspectIndex(files.index).kind !== 'usable') return discardedAs(null, discard)
    const index = createIndex({
      files,
      log,
      lock: refusing,
      onUnapplied: () => undefined,
      onDamage,
      report,
      isShared: () => false,
      ...(team && { team }),
    })
    // The library's own index stays where it is.
    return { index, rebuilt: rebuilt && { ...rebuilt, setAside: null }, lock: refusing, discard }
  } catch (error) {
    discard()
    if (error instanceof BetterSqlite3.SqliteError) return null
    throw error
  }
}

function discardedAs<Value>(value: Value, discard: () => void): Value {
  discard()
  return value
}
