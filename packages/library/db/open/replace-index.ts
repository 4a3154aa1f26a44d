import { renameSync, rmSync } from 'node:fs'
import { syncFolderNow } from '@galley/platform'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { keepDamagedLine } from '../../log/fault-file.ts'
import type { LogMark } from '../../log/mark.ts'
import type { RebuildCause } from '../../records/library-opening.ts'
import type { LostRows } from '../apply/lost-entries.ts'
import { lostEntriesIn } from '../apply/lost-entries.ts'
import { copyIndex } from '../copy.ts'
import { databaseFiles, inspectIndex, isDamage, isSound } from '../database/open.ts'
import { lastMark } from '../index-copy.ts'
import { assertNoOtherOwner } from '../owner.ts'
import { fittingMark } from './checkpoints.ts'
import { demandOwnLog } from './ensure-log.ts'
import type { LibraryContext } from './findings.ts'
import type { BuiltIndex } from './opening.ts'
import { afterBuilding } from './opening.ts'
import { withdrawRebuild } from './rebuild-request.ts'
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

/** A library whose name is known. */
export interface IndexContext extends LibraryContext {
  readonly library: string
}

const removed = (file: string): void => {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

/** Builds the index from the log for this cause; null if the index stays. Throws LibraryServedError. */
export async function rebuildIndex(context: IndexContext, cause: RebuildCause): Promise<RebuiltNote | null> {
  const { folder, log, checkpoints, library, isCopy, now } = context
  const { index, local } = databaseFiles(folder)
  const mark = lastMark(index)
  assertNoOtherOwner(folder)
  demandOwnLog(log, library)
  // By choosing the log, a person gives up checkpoints after its end.
  const [newest = 0] = cause === 'asked' && !isCopy ? await checkpoints.positions() : []
  const before = mark === null && newest === 0 ? null : Math.max(mark?.position ?? 0, newest)
  const target = `${index}.new`
  const build = (unpackCheckpoint: RebuildPorts['unpackCheckpoint'], upTo?: number): Promise<Rebuilt> => {
    removed(target)
    return buildIndex(target, { log, library, local, unpackCheckpoint, ...(upTo !== undefined && { upTo }) })
  }
  let report = await build(checkpoints.unpackNewest)
  const lost = withoutPartial(report.lost).map(({ position }) => position)
  const firstLost = lost.reduce((first, each) => Math.min(first, each), Infinity)
  const isLogFaulty = lost.length > 0
  const from = report.fromCheckpoint
  const found: Omit<BuiltIndex, 'base'> = {
    cause,
    isCopy,
    from: from === null ? 'first_entry' : from <= (mark?.position ?? 0) ? 'up_to_index' : 'after_index',
    lacks: !isLogFaulty ? 'none' : firstLost < (log.segments()[0] ?? 1) ? 'before_log' : 'some',
  }
  let then = afterBuilding({ ...found, base: 'unknown' })
  if (then !== 'keep_index') for (const what of report.unapplied) keepDamagedLine(folder, what)
  const base = then === 'look_for_base' ? await baseBeyondLog(context, cause, { ...report, file: target }) : null
  if (then === 'look_for_base') then = afterBuilding({ ...found, base: base ? 'found' : 'none' })
  if (then === 'keep_index') {
    rmSync(target)
    return null
  }
  if (base !== null) {
    report = await build(() => {
      renameSync(base.file, target)
      return Promise.resolve(base.mark)
    })
    // Otherwise this index may be the only one of the current schema with the entries that the log has lost.
    if (log.holds(base.mark) === 'holds') await checkpoints.write(target, new AbortController().signal)
  }
  if (then === 'build_up_to_loss') report = await build(checkpoints.unpackNewest, firstLost - 1)
  const isForked = !isCopy && cause === 'asked' && !isLogFaulty && mark !== null && log.holds(mark) === 'differs'
  const moment = now()
  const aside = setAside(index, moment)
  renameSync(target, index)
  if (newest > report.position) await checkpoints.setAsideAfter(report.position, moment)
  syncFolderNow(folder)
  withdrawRebuild(folder)
  return { kind: 'rebuilt', cause, report, setAside: aside, before: isCopy ? null : before, isForked, isLogFaulty }
}

const withoutPartial = (lost: readonly LostRows[]) => lost.filter(({ kind }) => kind !== 'contradicts')

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
    removed(file)
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
 * Takes the newest checkpoint for the index if the log is missing, and the index too or older. The index does not belong to a
 * log, so a person decides. Changes nothing if no checkpoint is usable. Throws NewerLibraryError.
 */
export async function indexFromCheckpoint({ folder, checkpoints, now }: LibraryContext): Promise<void> {
  const { index } = databaseFiles(folder)
  const found = inspectIndex(index)
  const target = `${index}.new`
  removed(target)
  if ((await checkpoints.unpackNewest(target, { schema: 'any', ahead: true })) === null) return
  if (found.kind === 'usable' && !isContinued({ file: index, library: found.library }, target)) return rmSync(target)
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
