import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openingRoom, unlessNoRoom } from '@galley/platform'

import { keepDamagedLine } from '../../log/fault-file.ts'
import type { LibraryLog } from '../../log/log.ts'
import { openLog } from '../../log/log.ts'
import type { LibraryState } from '../../records/library-opening.ts'
import { memberFile } from '../../team/member-file.ts'
import type { CheckpointFiles } from '../../team/requests.ts'
import type { Unapplied } from '../apply/lost-entries.ts'
import type { WriterLock } from '../commit/writer-lock.ts'
import { openWriterLock } from '../commit/writer-lock.ts'
import { demandLocks, mayLackLocks } from '../database/demand-locks.ts'
import { databaseFiles, isBusy, isDamage } from '../database/open.ts'
import type { IndexWork } from '../index-work.ts'
import { indexWork } from '../index-work.ts'
import type { Index } from '../library-index.ts'
import { createIndex } from '../library-index.ts'
import { otherOwner } from '../owner.ts'
import { lostMark } from '../site/secret-marks.ts'
import type { RunProtocol } from '../team/team-commit.ts'
import type { Checkpoints } from './checkpoints.ts'
import { openCheckpoints } from './checkpoints.ts'
import { copyBeforeUpdate } from './copy-before-update.ts'
import type { Damage } from './damage.ts'
import { createDamage } from './damage.ts'
import { foldLog } from './fold-log.ts'
import { demandKnownFormat, writeName } from './library-file.ts'
import { localLibrary } from './local-file.ts'
import type { RebuildSource } from './opening.ts'
import { afterFailure } from './opening.ts'
import type { PreparedNote, WantedRebuild } from './prepare.ts'
import { prepare } from './prepare.ts'
import { isReadOnlyFault, openReadOnlyCopy } from './read-only-copy.ts'
import { isRebuildDue, ownerHasRebuilt, requestRebuild } from './rebuild-request.ts'
import { createCheckpointFiles } from './restart-from-checkpoint.ts'

/**
 * Entries after the end of the log, known only from this computer's list of callbacks. Saves among them were
 * acknowledged. They are lost, unless the log is a copy: then the bucket of the team has them.
 */
export interface CutOffNote {
  readonly kind: 'cut_off'
  /** Of the first of them. */
  readonly position: number
  readonly count: number
  readonly isCopy: boolean
}

/** What opening the library changed or found. */
export type OpeningNote =
  | PreparedNote
  /** Entries after the index could not be applied. */
  | { readonly kind: 'unapplied'; readonly what: Unapplied }
  | CutOffNote

export interface OpenedLibrary {
  readonly index: Index
  readonly log: LibraryLog
  readonly lock: WriterLock
  readonly checkpoints: Checkpoints
  /** The same, for the bucket of a team. */
  readonly teamCheckpoints: CheckpointFiles
  readonly state: LibraryState
  readonly notes: readonly OpeningNote[]
  /** Writes a checkpoint of the current state. Returns its position. */
  writeCheckpoint(signal: AbortSignal): Promise<number>
  /**
   * Folds the whole log into a new checkpoint, and deletes the log and the checkpoints before it. Returns its position.
   */
  foldLog(signal: AbortSignal): Promise<number>
  /**
   * Requests a rebuild of the index when the library is next opened: from the log, or from a log that is first written from
   * this index.
   */
  requestRebuild(from?: RebuildSource): void
  isRebuildRequested(): boolean
  /** Damage that was met since the library was opened: it has to be reopened, which rebuilds the index from the log. */
  readonly damage: Damage
  /** Gives a copy of a library a new name and removes data of the machine it came from. */
  becomeAnother(): void
  close(): void
}

/**
 * Opens a library in any state of its index, or creates one in an empty folder. If nothing can be written, the index is
 * read from a copy; if that has no room, a part of the reserve is given back. `team`: connects the library to the
 * bucket of its team. `work`: runs jobs that would block the thread. Throws LibraryDamagedError, NewerLibraryError,
 * EarlierLibraryError and errors of the disk.
 */
export async function openLibrary(
  folder: string,
  now: () => Date,
  report: (line: string) => void,
  wanted: WantedRebuild | null = null,
  team?: RunProtocol,
  work: IndexWork = indexWork,
): Promise<OpenedLibrary> {
  demandKnownFormat(folder)
  const ways = { now, report, work, ...(team && { team }) }
  try {
    return await openWritable(folder, ways, wanted)
  } catch (error) {
    const fault = isDamage(error) ? 'damage' : isReadOnlyFault(error) ? 'unwritable' : 'other'
    const isServed = fault === 'damage' && wanted === null && otherOwner(folder) !== null
    switch (afterFailure({ fault, isAsked: wanted !== null, isServed })) {
      // The first check of the file missed this damage, so the index is rebuilt, once, by the process that listens if there is one.
      case 'rebuild':
        return openWritable(folder, ways, { from: 'log', cause: 'damaged' })
      case 'let_owner_rebuild':
        requestRebuild(folder, 'damaged')
        await ownerHasRebuilt(folder)
        return openWritable(folder, ways, null)
      case 'open_to_read': {
        if (mayLackLocks(error)) demandLocks(folder)
        const readOnly = await openReadOnly(folder, ways).catch(unlessNoRoom)
        if (readOnly !== null) return readOnly
        if (!(await openingRoom(folder))) throw error
        report('Galley gave back a part of the disk reserve of the library to open it.')
        return openWritable(folder, ways, wanted)
      }
      case 'fail':
        if (mayLackLocks(error)) demandLocks(folder)
        throw error
    }
  }
}

interface OpenOptions {
  readonly now: () => Date
  readonly report: (line: string) => void
  readonly work: IndexWork
  readonly team?: RunProtocol
}

/** How long and how often to try while another process has the library's files. */
const timeLimitMs = 60_000
const askEveryMs = 100

/**
 * Tries again while another process holds a lock of SQLite: it rebuilds the index, or recovers what a killed process left. The
 * thread is free between tries; SQLite itself may block it for up to five seconds in each.
 */
async function openWritable(
  folder: string,
  options: OpenOptions,
  wanted: WantedRebuild | null,
): Promise<OpenedLibrary> {
  const until = performance.now() + timeLimitMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await openNow(folder, options, wanted)
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error
      if (isFirst) demandLocks(folder)
      await delay(askEveryMs)
    }
  }
}

async function openNow(
  folder: string,
  { now, report, work, team }: OpenOptions,
  wanted: WantedRebuild | null,
): Promise<OpenedLibrary> {
  demandWritable(folder)
  const lock = openWriterLock(folder)
  const log = openLog(folder)
  const checkpoints = openCheckpoints(folder, log)
  const isShared = (): boolean => existsSync(join(folder, memberFile))
  const damage = createDamage(folder, report)
  let index: Index | null = null
  try {
    const release = lock.take()
    const prepared = await copyBeforeUpdate(folder)
      .then((copy) => {
        if (copy !== null) report(`the library is of an older Galley; log, index and local.db were copied to ${copy}`)
        return prepare({ folder, log, checkpoints, isCopy: isShared(), now }, wanted)
      })
      .finally(release)
    const { library } = prepared
    const notes: OpeningNote[] = [...prepared.notes]
    const files = createCheckpointFiles({ folder, library, log, lock, checkpoints, work })
    const onUnapplied = (what: Unapplied): void => {
      keepDamagedLine(folder, what)
      notes.push({ kind: 'unapplied', what })
    }
    index = createIndex({
      files: databaseFiles(folder),
      log,
      lock,
      onUnapplied,
      onDamage: damage.note,
      report,
      isShared,
      ...(team && { team: { run: team, checkpoints: files } }),
      ...(work.saves && { saves: { ...work.saves, folder } }),
    })
    nameLocal(index)
    if (notes.some(({ kind }) => kind === 'local_lost')) markSecretsLost(index)
    if (notes.some((note) => note.kind === 'rebuilt' && note.cause === 'new_log')) index.cutOff.forget()
    const state = stateOf(index, log)
    const listed = state === 'whole' ? await index.catchUp() : null
    if (listed !== null) notes.push(...cutOff(notes, index.commit.mark().position, listed, isShared()))
    if (!isShared()) for (const note of notes) for (const lost of endLostIn(note)) index.cutOff.note(lost)
    const parts = { folder, index, log, lock, checkpoints, teamCheckpoints: files, state, notes, damage, now }
    return opened({ ...parts, compact: team ? work.compact : null, discard: () => undefined })
  } catch (error) {
    index?.close()
    lock.close()
    throw error
  }
}

/** SQLite opens a read-only file anyway if a process that died has left its WAL. Throws EROFS, EACCES. */
export function demandWritable(folder: string): void {
  for (const path of [folder, ...Object.values(databaseFiles(folder))])
    if (existsSync(path)) accessSync(path, constants.W_OK)
}

async function openReadOnly(folder: string, { now, report, team }: OpenOptions): Promise<OpenedLibrary | null> {
  const log = openLog(folder)
  const checkpoints = openCheckpoints(folder, log)
  const unfit = () => Promise.resolve('unfit' as const)
  const teamCheckpoints = {
    pathOf: checkpoints.fileOf,
    maxBytes: checkpoints.room,
    take: unfit,
    judge: unfit,
  }
  const link = team && { run: team, checkpoints: teamCheckpoints }
  const damage = createDamage(folder, report)
  const onDamage = damage.note
  const copy = await openReadOnlyCopy(folder, { log, checkpoints, now, report, onDamage, ...(link && { team: link }) })
  if (copy === null) return null
  const { index, rebuilt, lock, discard } = copy
  const notes = rebuilt === null ? [] : [rebuilt]
  const parts = { folder, index, log, lock, checkpoints, teamCheckpoints, notes, damage, now, discard }
  return opened({ ...parts, compact: null, state: 'read_only' })
}

type OpenedParts = 'index' | 'log' | 'lock' | 'checkpoints' | 'teamCheckpoints' | 'state' | 'notes' | 'damage'

interface Opened extends Pick<OpenedLibrary, OpenedParts> {
  readonly folder: string
  readonly now: () => Date
  /** For a member: its checkpoints leave this computer, so they must not contain deleted data. */
  readonly compact: IndexWork['compact'] | null
  readonly discard: () => void
}

function opened({ folder, now, compact, discard, ...library }: Opened): OpenedLibrary {
  const { index, log, lock, checkpoints } = library
  const indexFile = databaseFiles(folder).index
  return {
    ...library,
    writeCheckpoint: (signal) => checkpoints.write(indexFile, signal, undefined, compact),
    foldLog: (signal) => foldLog({ indexFile, index, log, lock, checkpoints, now }, signal),
    requestRebuild: (from = 'log') => requestRebuild(folder, from),
    isRebuildRequested: () => isRebuildDue(folder),
    becomeAnother() {
      const name = randomUUID()
      // Unnamed in between: after a kill it belongs to whatever the index says.
      index.settings.forget(localLibrary)
      index.becomeAnother(name, now().toISOString())
      writeName(folder, name)
      index.forgetMachine()
      nameLocal(index)
    },
    close() {
      index.close()
      lock.close()
      discard()
    },
  }
}

function stateOf(index: Index, log: LibraryLog): LibraryState {
  return log.holds(index.commit.mark()) === 'holds' ? 'whole' : 'log_mismatch'
}

/**
 * Losses that only the list of callbacks shows. Damaged entries are reported by name, and an index that was set aside
 * has its own report.
 */
function cutOff(notes: readonly OpeningNote[], end: number, listed: number, isCopy: boolean): readonly CutOffNote[] {
  const known = notes.flatMap((note): readonly number[] => {
    if (note.kind === 'rebuilt') return [note.before ?? 0, ...note.report.unapplied.map(lastOf)]
    return note.kind === 'unapplied' ? [lastOf(note.what)] : []
  })
  const last = Math.max(end, ...known)
  return listed > last ? [{ kind: 'cut_off', position: last + 1, count: listed - last, isCopy }] : []
}

/** The end of the log that an opening has found lost. A set-aside index may have it, and needs its files. */
function endLostIn(note: OpeningNote): readonly Pick<CutOffNote, 'position' | 'count'>[] {
  if (note.kind === 'cut_off') return [note]
  // The positions of a rewritten log start again.
  if (note.kind !== 'rebuilt' || note.oldLog || note.before === null) return []
  const { position } = note.report
  return note.before > position ? [{ position: position + 1, count: note.before - position }] : []
}

const lastOf = ({ position, count }: Unapplied): number => position + count - 1

/** Marks `local.db` as this library's. */
function nameLocal({ settings, library }: Index): void {
  if (settings.get(localLibrary) !== library()) settings.put(localLibrary, library())
}

/** The marks of stored secrets are lost; the keychain may still have the secrets. */
function markSecretsLost(index: Index): void {
  for (const { id } of index.sites.list()) {
    index.secretMarks.markSecret(id, lostMark)
    index.secretMarks.markCallbackAuth(id, lostMark)
    index.secretMarks.markBucketKeys(id, lostMark)
  }
}
