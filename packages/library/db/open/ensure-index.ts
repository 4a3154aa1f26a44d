import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { syncFolderNow } from '@galley/platform'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { keepDamagedLine } from '../../log/fault-file.ts'
import type { LibraryLog } from '../../log/log.ts'
import type { LogMark } from '../../log/mark.ts'
import type { RebuildCause } from '../../records/library-opening.ts'
import type { LostRows } from '../apply/lost-entries.ts'
import { lostEntriesIn } from '../apply/lost-entries.ts'
import type { Checkpoints } from './checkpoints.ts'
import { fittingMark } from './checkpoints.ts'
import { copyIndex } from '../copy.ts'
import { databaseFiles, isDamage, isSound, inspectIndex, prepareLocal } from '../database/open.ts'
import { demandOwnLog } from './ensure-log.ts'
import { markIn } from '../index-copy.ts'
import { assertNoOtherOwner, otherOwner } from '../owner.ts'
import type { Rebuilt, RebuildPorts } from './rebuild.ts'
import { buildIndex, setAside } from './rebuild.ts'

/** A note that the index was rebuilt. */
export interface RebuiltNote {
  readonly kind: 'rebuilt'
  readonly cause: RebuildCause
  readonly report: Rebuilt
  /** The new name of the previous index; null if there was none. */
  readonly setAside: string | null
  /** The position of the previous index, if it could be read and may be the only one with its entries. */
  readonly before: number | null
  /** A person has chosen a log that has another entry there: two copies of the library were used alternately. */
  readonly isForked: boolean
  /** Whether the log lacks entries, or has damaged ones. */
  readonly isLogFaulty: boolean
  /** The log that a new one replaced. */
  readonly oldLog?: OldLog
}

/** A log that a new one, written from the index, has replaced. */
export interface OldLog {
  /** Its new name in the library folder, where its checkpoints are too; null if there was none. */
  readonly setAside: string | null
  /** Its entries after the index that the new log was written from; null if there are none. */
  readonly onlyThere: { readonly position: number; readonly count: number } | null
}

/** There is no log from which to build an index. */
export class NoLogError extends Error {
  readonly code = 'library_damaged'
  constructor() {
    super(
      'The log is missing or damaged, so the index cannot be rebuilt from it. Nothing was changed. ' +
        'Run galley rebuild --from index, or restore a backup.',
    )
  }
}

/** The source for rebuilding the index. */
export type RebuildSource = 'log' | 'index'

/**
 * A file next to the index that requests a rebuild at the next start. It contains the source; `damaged`: nobody has decided
 * anything, so no entry is given up; or `replacing`: only if the process ends before it withdraws the request.
 */
const rebuildRequest = (folder: string): string => join(folder, 'index.rebuild')
export const requestRebuild = (folder: string, what: RebuildSource | 'damaged' | 'replacing'): void =>
  writeFileSync(rebuildRequest(folder), what, { mode: 0o600 })
export const withdrawRebuild = (folder: string): void => rmSync(rebuildRequest(folder), { force: true })

const requestIn = (folder: string): string | null =>
  existsSync(rebuildRequest(folder)) ? readFileSync(rebuildRequest(folder), 'utf8') : null

/** Whether an open library has to be reopened for a rebuild. */
export function isRebuildDue(folder: string): boolean {
  const request = requestIn(folder)
  return request !== null && request !== 'replacing'
}

/** null if no rebuild is requested. */
export function requestedRebuild(folder: string): RebuildSource | null {
  const request = requestIn(folder)
  return request === null || request === 'index' ? request : 'log'
}

/** How long to wait for another process, and how often to look. */
const ownerLimitMs = 60_000
const askOwnerMs = 200

/** Resolves when the process that listens has rebuilt the index as requested, or has ended, or takes too long. */
export async function ownerHasRebuilt(folder: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < ownerLimitMs; waitedMs += askOwnerMs) {
    if (requestedRebuild(folder) === null || otherOwner(folder) === null) return
    await delay(askOwnerMs)
  }
}

export interface IndexContext {
  readonly folder: string
  readonly log: LibraryLog
  readonly checkpoints: Pick<Checkpoints, 'positions' | 'unpackNewest' | 'write' | 'setAsideAfter'>
  /** The name of the library. */
  readonly library: string
  /** The log is a copy: the bucket of a team has all of it. */
  readonly isCopy: boolean
  readonly now: () => Date
}

/**
 * Builds the index from the log if it is unusable, or for the given cause; null if the index stays. Throws
 * LibraryServedError.
 */
export async function ensureIndex(context: IndexContext, given: RebuildCause | null): Promise<RebuiltNote | null> {
  const { folder, log, checkpoints, library, isCopy, now } = context
  const { index, local } = databaseFiles(folder)
  const mark = lastMark(index)
  const cause = given ?? rebuildCause(folder, library) ?? (mark === null ? null : await causeBehind(context, mark))
  if (cause === null || !log.exists()) return null
  // Other processes would keep using the old index, so a requested rebuild is theirs.
  if (given === null && requestedRebuild(folder) !== null && otherOwner(folder) !== null) return null
  assertNoOtherOwner(folder)
  demandOwnLog(log, library)
  // By choosing the log, a person gives up checkpoints after its end.
  const [newest = 0] = cause === 'asked' && !isCopy ? await checkpoints.positions() : []
  const before = mark === null && newest === 0 ? null : Math.max(mark?.position ?? 0, newest)
  const target = `${index}.new`
  const build = (unpackCheckpoint: RebuildPorts['unpackCheckpoint'], upTo?: number): Promise<Rebuilt> => {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${target}${end}`, { force: true })
    return buildIndex(target, { log, library, local, unpackCheckpoint, ...(upTo !== undefined && { upTo }) })
  }
  let report = await build(checkpoints.unpackNewest)
  // Without the checkpoint before the log, only this index may have the earlier entries, so a person decides.
  if (cause === 'behind_log' && report.fromCheckpoint === null) {
    rmSync(target)
    return null
  }
  for (const what of report.unapplied) keepDamagedLine(folder, what)
  const lost = lostIn(report)
  const isLogFaulty = lost.length > 0
  const firstLost = lost.reduce((first, each) => Math.min(first, each), Infinity)
  // A person who requests a rebuild in a member wants the state of the bucket. Only the checkpoint before the log is
  // not fetched for that.
  const hasBase = !(isCopy && cause === 'asked') || firstLost < (log.segments()[0] ?? 1)
  const base = hasBase ? await baseBeyondLog(context, cause, { ...report, file: target }) : null
  if (base !== null) {
    report = await build(() => {
      renameSync(base.file, target)
      return Promise.resolve(base.mark)
    })
    // Otherwise this index may be the only one of the current schema with the entries that the log has lost.
    if (log.holds(base.mark) === 'holds') await checkpoints.write(target, new AbortController().signal)
  } else if (cause === 'behind_checkpoint' && (report.fromCheckpoint ?? 0) <= (mark?.position ?? 0)) {
    // No checkpoint after the index is usable.
    rmSync(target)
    return null
  } else if (isCopy && isLogFaulty) report = await build(checkpoints.unpackNewest, firstLost - 1)
  const isForked = !isCopy && cause === 'asked' && !isLogFaulty && mark !== null && log.holds(mark) === 'differs'
  const moment = now()
  const aside = setAside(index, moment)
  renameSync(target, index)
  if (newest > report.position) await checkpoints.setAsideAfter(report.position, moment)
  syncFolderNow(folder)
  withdrawRebuild(folder)
  return { kind: 'rebuilt', cause, report, setAside: aside, before: isCopy ? null : before, isForked, isLogFaulty }
}

/** Why an index at this mark cannot just follow the log; null if it can. */
async function causeBehind({ log, checkpoints, isCopy }: IndexContext, mark: LogMark): Promise<RebuildCause | null> {
  const state = log.holds(mark)
  if (state === 'behind') return 'behind_log'
  // What a copy lacks is fetched.
  if (isCopy || state === 'differs') return null
  const [newest = 0] = await checkpoints.positions()
  return newest > mark.position && lacksAny(log, mark, newest) ? 'behind_checkpoint' : null
}

/** Whether the log lacks an entry from a mark up to a position. */
function lacksAny(log: LibraryLog, from: LogMark, position: number): boolean {
  for (const item of log.read(from)) {
    if (item.kind === 'fault') return true
    if (item.mark.position >= position) return false
  }
  return true
}

/** The positions of entries that the log lacks, or has damaged. */
const lostIn = ({ lost }: Rebuilt): readonly number[] => withoutPartial(lost).map(({ position }) => position)

const withoutPartial = (lost: readonly LostRows[]) => lost.filter(({ kind }) => kind !== 'contradicts')

function rebuildCause(folder: string, library: string): RebuildCause | null {
  const request = requestIn(folder)
  if (request !== null) return request === 'damaged' ? request : 'asked'
  const found = inspectIndex(databaseFiles(folder).index)
  switch (found.kind) {
    case 'absent':
      return 'missing'
    case 'earlier':
      return 'other_schema'
    case 'usable':
      return found.library === library ? null : 'other_library'
    case 'damaged':
    case 'other_schema':
      return found.kind
  }
}

/**
 * By choosing the log, or a new one, a person gives up the entries that it lacks. Nothing else may make that decision.
 */
const decided: ReadonlySet<RebuildCause> = new Set(['asked', 'new_log'])

/**
 * A copy of the index, or a checkpoint, with entries that the log has lost because it is damaged or ends too early.
 * Null if nothing is lost, or if nothing has the lost entries. `built`: the index that was built from the log. Throws
 * NewerLibraryError if only a later version of Galley can read it.
 */
async function baseBeyondLog(
  { folder, log, checkpoints, library }: IndexContext,
  cause: RebuildCause,
  built: Rebuilt & { readonly file: string },
): Promise<{ readonly file: string; readonly mark: LogMark } | null> {
  const { position } = built
  const { index, local } = databaseFiles(folder)
  const before = lastMark(index)?.position ?? null
  const ahead = !decided.has(cause)
  const [newest = 0] = await checkpoints.positions()
  const isAhead = ahead && Math.max(before ?? 0, newest) > position
  const lost = withoutPartial(built.lost)
  if (lost.length === 0 && !isAhead) return null
  const file = `${index}.base`
  const fromIndex = async () =>
    before !== null && (await copyOfIndex(index, file)) && (cause !== 'damaged' || isSound(file))
      ? fittingMark(file, log, { ahead })
      : null
  const fromCheckpoint = () => checkpoints.unpackNewest(file, { schema: 'any', ahead })
  const candidates = [
    ...(cause === 'behind_checkpoint' ? [fromCheckpoint] : [fromIndex, fromCheckpoint]),
    // The checkpoint is from after the loss, and the log has been restored since.
    async () => {
      if (built.fromCheckpoint === null || log.isFolded()) return null
      await buildIndex(file, { log, library, local, unpackCheckpoint: () => Promise.resolve(null) })
      return fittingMark(file, log)
    },
  ]
  for (const candidate of candidates) {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    const mark = await candidate()
    if (mark === null) continue
    const found = inspectIndex(file)
    if (found.kind !== 'usable' || found.library !== library) continue
    if (mark.position <= position && !lacksLess(file, mark, lost)) continue
    // The log may have been rewritten since: then it has the later saves.
    if (mark.position <= position || newestSave(file) >= newestSave(built.file)) return { file, mark }
  }
  rmSync(file, { force: true })
  return null
}

/** Whether an index has entries that are lost, and lacks no others. */
function lacksLess(file: string, { position }: LogMark, lost: readonly LostRows[]): boolean {
  const lacked = withoutPartial(reading(file, lostEntriesIn))
  const lastOf = (row: LostRows): number => row.position + row.count - 1
  const entries = (rows: readonly LostRows[]): number =>
    rows.reduce((sum, row) => sum + Math.max(0, Math.min(lastOf(row), position) - row.position + 1), 0)
  const isLost = (row: LostRows): boolean =>
    lost.some(
      (other) =>
        other.kind === row.kind &&
        other.lineStart === row.lineStart &&
        other.position <= row.position &&
        lastOf(row) <= lastOf(other),
    )
  return lacked.every(isLost) && entries(lacked) < entries(lost)
}

/**
 * Builds an index from the newest checkpoint if the log is missing, and the index too or older. The index does not belong to
 * a log, so a person decides. Changes nothing if there is no such checkpoint. Throws NewerLibraryError.
 */
export async function indexFromCheckpoint({ folder, checkpoints, isCopy, now }: Omit<IndexContext, 'library'>) {
  const { index } = databaseFiles(folder)
  const found = inspectIndex(index)
  const older = found.kind === 'usable' ? { file: index, library: found.library } : null
  const [newest = 0] = await checkpoints.positions()
  if (older !== null && (isCopy || newest <= (lastMark(index)?.position ?? 0))) return
  const target = `${index}.new`
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${target}${end}`, { force: true })
  if ((await checkpoints.unpackNewest(target, { schema: 'any', ahead: true })) === null) return
  if (older !== null && !isContinued(older, target)) return rmSync(target)
  setAside(index, now())
  renameSync(target, index)
  syncFolderNow(folder)
}

/** Whether a later index is one of the same library with all that has arrived since. */
function isContinued(older: { readonly file: string; readonly library: string }, later: string): boolean {
  const found = inspectIndex(later)
  return found.kind === 'usable' && found.library === older.library && newestSave(later) >= newestSave(older.file)
}

/** False if the index is damaged. */
async function copyOfIndex(index: string, file: string): Promise<boolean> {
  try {
    await copyIndex(index, file, () => undefined, new AbortController().signal)
    return true
  } catch (error) {
    rmSync(file, { force: true })
    if (isDamage(error)) return false
    throw error
  }
}

/** When the last of its saves arrived, in ISO 8601; '' without saves. */
const newestSave = (file: string): string =>
  reading(
    file,
    (db) =>
      db
        .prepare<[], string | null>(
          'SELECT max(received_at) FROM (SELECT received_at FROM version UNION ALL SELECT received_at FROM snapshot)',
        )
        .pluck()
        .get() ?? '',
  )

function reading<Value>(file: string, read: (db: Database) => Value): Value {
  const db = new BetterSqlite3(file, { readonly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

/** The setting in `local.db` with the name of its library. Without it, a `local.db` fits any library. */
export const localLibrary = 'local_library'

/**
 * Sets a `local.db` of another library aside and starts a new one: its list of callbacks followed another log, and its
 * settings and confirmations were made for other sites. Returns whether it did.
 */
export function replaceForeignLocal(folder: string, now: () => Date): boolean {
  const { index, local } = databaseFiles(folder)
  const found = inspectIndex(index)
  if (found.kind !== 'usable') return false
  const named = reading(local, (db) =>
    db.prepare<[string], string>('SELECT value FROM setting WHERE name = ?').pluck().get(localLibrary),
  )
  if (named === undefined || named === found.library) return false
  setAside(local, now())
  prepareLocal(local)
  return true
}

/** The last entry of an index that will be set aside; null if it cannot be read. */
function lastMark(file: string): LogMark | null {
  const { kind } = inspectIndex(file)
  if (kind !== 'usable' && kind !== 'other_schema') return null
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

/**
 * Migrates `local.db`. Returns true if it was recreated because it was missing, empty or damaged. `thorough` reads the whole
 * file.
 */
export function ensureLocal(folder: string, now: () => Date, thorough: boolean): boolean {
  const { local } = databaseFiles(folder)
  try {
    if (prepareLocal(local) === 'made') return true
    if (!thorough || isSound(local)) return false
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  setAside(local, now())
  prepareLocal(local)
  return true
}
