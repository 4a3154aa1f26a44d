import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryState, RebuildCause } from '../../contract/library-opening.ts'
import { syncFolderNow } from '../disk/sync-folder.ts'
import { keepDamagedLine } from '../log/fault-file.ts'
import type { LibraryLog } from '../log/log.ts'
import { logStart, openLog } from '../log/log.ts'
import type { Unapplied } from './apply/follow-log.ts'
import { convertLibrary } from './before-log/convert.ts'
import type { Checkpoints } from './checkpoints.ts'
import { openCheckpoints } from './checkpoints.ts'
import { readIndexCopy } from './index-copy.ts'
import { foldLog } from './fold-log.ts'
import type { Index } from './library-index.ts'
import { createIndex } from './library-index.ts'
import { NewerLibraryError } from './migrate.ts'
import { databaseFiles, isDamage, lookAtIndex, prepareLocal } from './open.ts'
import { isReadOnlyFault, openReadOnlyCopy } from './read-only-copy.ts'
import type { Rebuilt } from './rebuild.ts'
import { buildIndex, setIndexAside } from './rebuild.ts'
import { rewriteLog } from './rewrite-log.ts'
import { lostMark } from './secret-marks.ts'
import type { WriterLock } from './writer-lock.ts'
import { openWriterLock } from './writer-lock.ts'

/** The index was made anew. */
export interface RebuiltNote {
  readonly kind: 'rebuilt'
  readonly cause: RebuildCause
  readonly report: Rebuilt
  /** The new name of the index that was there; null when none was. */
  readonly setAside: string | null
  /** The position of that index, as far as it could be read. */
  readonly before: number | null
}

/** What opening did besides opening. */
export type OpeningNote =
  | RebuiltNote
  /** `local.db` was not there: settings, refused callbacks and saved views of this machine are lost, saves are not. */
  | { readonly kind: 'local_lost' }
  /** Entries behind the index could not be applied. */
  | { readonly kind: 'unapplied'; readonly what: Unapplied }

export interface OpenedLibrary {
  readonly index: Index
  readonly log: LibraryLog
  readonly lock: WriterLock
  readonly checkpoints: Checkpoints
  readonly state: LibraryState
  readonly notes: readonly OpeningNote[]
  /** Writes a checkpoint of this moment; gives its position. */
  writeCheckpoint(signal: AbortSignal): Promise<number>
  /** Folds all that the log says by now into a new checkpoint, and deletes the log and the checkpoints before it. */
  foldLog(signal: AbortSignal): Promise<void>
  /** Has the index made anew when the library is next opened: from the log, or from a log that is written from this index first. */
  requestRebuild(from?: RebuildSource): void
  isRebuildRequested(): boolean
  /** Gives a copy of a library a name of its own, and forgets what belongs to the machine it came from. */
  becomeAnother(): void
  close(): void
}

/** The files of a library are there, but neither its log nor its index is. */
export class LibraryDamagedError extends Error {
  readonly code = 'library_damaged'
  constructor() {
    super(
      'The folder holds files of a library, but its log and its index are gone. Nothing was changed. ' +
        'Restore the log from a backup, or choose another folder.',
    )
  }
}

/** What an index is made anew from. */
export type RebuildSource = 'log' | 'index'

/** A file beside the index: whoever opens the library next makes the index anew, from what the file names. */
const rebuildRequest = (folder: string): string => join(folder, 'index.rebuild')
const requestRebuild = (folder: string, from: RebuildSource = 'log'): void =>
  writeFileSync(rebuildRequest(folder), from, { mode: 0o600 })
const isRebuildRequested = (folder: string): boolean => existsSync(rebuildRequest(folder))
const wantsNewLog = (folder: string): boolean =>
  isRebuildRequested(folder) && readFileSync(rebuildRequest(folder), 'utf8') === 'index'

const libraryFile = (folder: string): string => join(folder, 'library.json')

/**
 * Opens a library, whatever state its index is in; makes a new one in an empty folder. Where nothing can be written, its
 * index is read from a copy. Throws LibraryDamagedError, NewerLibraryError, MigrationError and what the disk throws.
 */
export async function openLibrary(
  folder: string,
  now: () => Date,
  report: (line: string) => void,
  wanted: WantedRebuild | null = null,
): Promise<OpenedLibrary> {
  try {
    return await openWritable(folder, now, report, wanted)
  } catch (error) {
    // Damage that a first look at the file does not see: the index is made anew, once.
    if (isDamage(error) && wanted === null) return openWritable(folder, now, report, { from: 'log', cause: 'damaged' })
    const readOnly = isReadOnlyFault(error) && wanted === null ? openReadOnly(folder, report) : null
    if (readOnly === null) throw error
    return readOnly
  }
}

async function openWritable(
  folder: string,
  now: () => Date,
  report: (line: string) => void,
  wanted: WantedRebuild | null,
): Promise<OpenedLibrary> {
  const lock = openWriterLock(folder)
  const log = openLog(folder)
  const checkpoints = openCheckpoints(folder, log)
  const notes: OpeningNote[] = []
  let index: Index | null = null
  try {
    const release = await patiently(lock)
    try {
      const isNewLog = wanted === null ? wantsNewLog(folder) : wanted.from === 'index'
      if (isNewLog) await rewriteLog(folder, now())
      const { library, origin } = await ensureLog({ folder, log, now })
      if (wanted || isNewLog) requestRebuild(folder)
      if (prepareLocalOf(folder, now) && origin !== 'new') notes.push({ kind: 'local_lost' })
      const rebuilt = await ensureIndex({ folder, log, checkpoints, library, origin, now })
      if (rebuilt) notes.push({ ...rebuilt, cause: wanted?.cause ?? (isNewLog ? 'new_log' : rebuilt.cause) })
    } finally {
      release()
    }
    const onUnapplied = (what: Unapplied): void => {
      keepDamagedLine(folder, what)
      notes.push({ kind: 'unapplied', what })
    }
    index = createIndex({ files: databaseFiles(folder), log, lock, onUnapplied, report })
    if (notes.some(({ kind }) => kind === 'local_lost')) takeMarksAsLost(index)
    const state = stateOf(index, log)
    if (state === 'whole' && index.commit.isBehind()) index.commit.follow()
    if (state === 'whole') index.commit.listDeliveries()
    return opened({ folder, index, log, lock, checkpoints, state, notes, now, discard: () => undefined })
  } catch (error) {
    index?.close()
    lock.close()
    throw error
  }
}

function openReadOnly(folder: string, report: (line: string) => void): OpenedLibrary | null {
  const log = openLog(folder)
  const copy = openReadOnlyCopy(folder, log, report)
  if (copy === null) return null
  const { index, lock, discard } = copy
  const checkpoints = openCheckpoints(folder, log)
  const now = () => new Date()
  return opened({ folder, index, log, lock, checkpoints, state: 'read_only', notes: [], now, discard })
}

interface Opened extends Pick<OpenedLibrary, 'index' | 'log' | 'lock' | 'checkpoints' | 'state' | 'notes'> {
  readonly folder: string
  readonly now: () => Date
  readonly discard: () => void
}

function opened({ folder, now, discard, ...library }: Opened): OpenedLibrary {
  const { index, log, lock, checkpoints } = library
  const indexFile = databaseFiles(folder).index
  return {
    ...library,
    writeCheckpoint: (signal) => checkpoints.write(indexFile, signal),
    foldLog: (signal) => foldLog({ indexFile, index, log, lock, checkpoints, now }, signal),
    requestRebuild: (from) => requestRebuild(folder, from),
    isRebuildRequested: () => isRebuildRequested(folder),
    becomeAnother() {
      const name = randomUUID()
      index.commit.now(() => [{ kind: 'library_named', library: name, at: now().toISOString() }])
      writeName(folder, name)
      index.forgetMachine()
    },
    close() {
      index.close()
      lock.close()
      discard()
    },
  }
}

/** What a person wants made anew, and from what. */
export interface WantedRebuild {
  readonly from: RebuildSource
  /** Why, where it is not a person who asks. */
  readonly cause?: RebuildCause
}

/** Another process may be making the index anew, which takes its time for a large library. */
async function patiently(lock: WriterLock): Promise<() => void> {
  for (let triesLeft = 12; ; triesLeft -= 1) {
    try {
      return lock.take()
    } catch (error) {
      const isBusy = error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (triesLeft === 0 || !isBusy) throw error
      await delay(100)
    }
  }
}

/** Where the log of a library comes from: it was there, was written from an index without one, or the library is new. */
type LogOrigin = 'there' | 'converted' | 'new'

interface Opening {
  readonly folder: string
  readonly log: LibraryLog
  readonly now: () => Date
}

/** Makes the log of a library that has none, and gives the library's name. Throws LibraryDamagedError. */
async function ensureLog({ folder, log, now }: Opening): Promise<{ library: string; origin: LogOrigin }> {
  if (log.exists()) return { library: nameOf(folder, log), origin: 'there' }
  const found = lookAtIndex(databaseFiles(folder).index)
  // An index that was made from a log outlives it: `rebuild --from index` writes the log anew.
  if (found.kind === 'usable') return { library: found.library, origin: 'there' }
  if (found.kind === 'before_log') {
    const library = await convertLibrary(folder, randomUUID, now().toISOString())
    writeName(folder, library)
    return { library, origin: 'converted' }
  }
  if (found.kind !== 'absent' || existsSync(libraryFile(folder)) || hasStoredFiles(folder))
    throw new LibraryDamagedError()
  const library = randomUUID()
  log.append(logStart, [{ kind: 'library_named', library, at: now().toISOString() }])
  writeName(folder, library)
  return { library, origin: 'new' }
}

/** Whether somebody's saves are here. */
function hasStoredFiles(folder: string): boolean {
  const files = join(folder, 'files')
  return existsSync(files) && readdirSync(files).some((shard) => readdirSync(join(files, shard)).length > 0)
}

/** `library.json` says it; where that is lost, the log does. */
function nameOf(folder: string, log: LibraryLog): string {
  try {
    const { library, format } = JSON.parse(readFileSync(libraryFile(folder), 'utf8')) as Record<string, unknown>
    if (typeof format === 'number' && format > 1) throw new NewerLibraryError('its folder')
    if (typeof library === 'string') return library
  } catch (error) {
    if (error instanceof NewerLibraryError) throw error
  }
  let library: string | null = null
  for (const item of log.read(logStart)) {
    if (item.kind === 'fault') continue
    for (const change of item.entry.changes) if (change.kind === 'library_named') ({ library } = change)
  }
  if (library === null) throw new LibraryDamagedError()
  writeName(folder, library)
  return library
}

function writeName(folder: string, library: string): void {
  const file = libraryFile(folder)
  writeFileSync(`${file}.new`, `${JSON.stringify({ library, format: 1 })}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  syncFolderNow(folder)
}

/** Brings `local.db` up to date; true when it had to be made because it was gone, empty or damaged. */
function prepareLocalOf(folder: string, now: () => Date): boolean {
  const { local } = databaseFiles(folder)
  try {
    return prepareLocal(local) === 'made'
  } catch (error) {
    if (!isDamage(error)) throw error
    setIndexAside(local, now())
    prepareLocal(local)
    return true
  }
}

async function ensureIndex(
  opening: Opening & {
    readonly checkpoints: Checkpoints
    readonly library: string
    readonly origin: LogOrigin
  },
): Promise<RebuiltNote | null> {
  const { folder, log, checkpoints, library, origin, now } = opening
  const { index, local } = databaseFiles(folder)
  const cause = origin === 'converted' ? 'first_log' : rebuildCause(folder, library)
  if (cause === null || !log.exists()) return null
  const before = lastPosition(index)
  const target = `${index}.new`
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${target}${end}`, { force: true })
  const rebuilt = await buildIndex(target, { log, library, local, unpackCheckpoint: checkpoints.unpackNewest })
  const setAside = setIndexAside(index, now())
  renameSync(target, index)
  syncFolderNow(folder)
  rmSync(rebuildRequest(folder), { force: true })
  for (const what of rebuilt.unapplied) keepDamagedLine(folder, what)
  // The first index of a new library is nothing to tell of.
  if (origin === 'new') return null
  return { kind: 'rebuilt', cause, report: rebuilt, setAside, before }
}

/** How far an index had come that is about to be set aside. */
function lastPosition(file: string): number | null {
  try {
    return lookAtIndex(file).kind === 'usable' ? readIndexCopy(file).mark.position : null
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
}

function rebuildCause(folder: string, library: string): RebuildCause | null {
  if (isRebuildRequested(folder)) return 'asked'
  const found = lookAtIndex(databaseFiles(folder).index)
  switch (found.kind) {
    case 'absent':
      return 'missing'
    case 'before_log':
      return 'other_schema'
    case 'usable':
      return found.library === library ? null : 'other_library'
    case 'damaged':
    case 'other_schema':
      return found.kind
  }
}

function stateOf(index: Index, log: LibraryLog): LibraryState {
  return log.holds(index.commit.mark()) === 'holds' ? 'whole' : 'log_mismatch'
}

/** This machine does not know any more which secrets it stored; the keychain may still hold them. */
function takeMarksAsLost(index: Index): void {
  for (const { id } of index.sites.list()) {
    index.secretMarks.markSecret(id, lostMark)
    index.secretMarks.markCallbackAuth(id, lostMark)
  }
}
