import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { syncFolderNow } from '@galley/platform'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../../log/log.ts'
import { openLog } from '../../log/log.ts'
import type { LogMark } from '../../log/mark.ts'
import { logStart } from '../../log/mark.ts'
import { copyIndex } from '../copy.ts'
import { databaseFiles, inspectIndex } from '../database/open.ts'
import { markIn } from '../index-copy.ts'
import { openCheckpoints } from './checkpoints.ts'
import { ForeignLibraryError } from './ensure-log.ts'
import { writtenName } from './library-file.ts'
import { ensureLocal } from './local-file.ts'
import { nameWithMoment } from './rebuild.ts'
import type { OldLog } from './replace-index.ts'

/** There is no index from which to begin a log. */
export class NoIndexError extends Error {
  readonly code = 'library_damaged'
  constructor() {
    super(
      'The index is missing or damaged, so no log can be written from it. Nothing was changed. ' +
        'Run galley rebuild --from log, or restore a backup.',
    )
  }
}

/**
 * Begins a new log with the index, which becomes the checkpoint before it, and sets the old log aside with its checkpoints.
 * Positions continue. The caller holds the writers' lock and rebuilds the index from the new log. `isLocalLost`: `local.db` was
 * lost and recreated. Throws NoIndexError and ForeignLibraryError.
 */
export async function logFromIndex(
  folder: string,
  now: () => Date,
): Promise<{ readonly isLocalLost: boolean; readonly oldLog: OldLog }> {
  const { index, local } = databaseFiles(folder)
  const found = inspectIndex(index)
  if (found.kind !== 'usable') throw new NoIndexError()
  const library = writtenName(folder) ?? found.library
  if (found.library !== library) throw new ForeignLibraryError('index', library, [found.library])
  const isLocalLost = ensureLocal(folder, now, true)
  const staging = join(folder, 'rewriting')
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { mode: 0o700 })
  let mark: LogMark
  let onlyThere: OldLog['onlyThere']
  try {
    mark = await stage(staging, index, { library, at: now().toISOString() })
    onlyThere = entriesBeyond(openLog(folder), mark)
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    throw error
  }
  // The list has the callbacks of the index, and may know later ones of the old log. Written before the logs are swapped: if the
  // process is killed in between, the list follows the old log again.
  const machine = new BetterSqlite3(local, { timeout: 5000 })
  try {
    machine
      .prepare('UPDATE callbacks_of_log SET position = min(position, @end), told = @end')
      .run({ end: mark.position })
  } finally {
    machine.close()
  }
  return { isLocalLost, oldLog: { setAside: swap(folder, staging, now()), onlyThere } }
}

/** Makes the new log and its checkpoint in a folder of their own, and reads the checkpoint back. */
async function stage(
  staging: string,
  index: string,
  named: { readonly library: string; readonly at: string },
): Promise<LogMark> {
  const { signal } = new AbortController()
  const copy = databaseFiles(staging).index
  await copyIndex(index, copy, () => undefined, signal)
  const db = new BetterSqlite3(copy)
  let mark: LogMark
  try {
    mark = markIn(db)
    // A person gives up what the old log has lost. What was dropped in it may be all that is left of such entries.
    db.exec('DELETE FROM lost_entry; DELETE FROM refused_entry; DELETE FROM dropped_file; DELETE FROM retired_file')
  } finally {
    db.close()
  }
  const log = openLog(staging)
  log.append(mark, [{ kind: 'library_named', ...named }])
  const checkpoints = openCheckpoints(staging, log)
  await checkpoints.write(copy, signal)
  const read = await checkpoints.unpackNewest(join(staging, 'trial.db'))
  if (read?.position !== mark.position) throw new NoIndexError()
  return mark
}

/** Returns the new name of the old log, with its checkpoints; null if there was none. */
function swap(folder: string, staging: string, moment: Date): string | null {
  const aside = nameWithMoment(join(folder, 'log.set-aside'), moment)
  const [log, checkpoints] = [join(folder, 'log'), join(folder, 'checkpoints')]
  if (existsSync(log)) renameSync(log, aside)
  if (existsSync(checkpoints)) {
    mkdirSync(aside, { recursive: true, mode: 0o700 })
    renameSync(checkpoints, join(aside, 'checkpoints'))
  }
  renameSync(join(staging, 'checkpoints'), checkpoints)
  // Last: without a log, the next opening finds the index or the checkpoint.
  renameSync(join(staging, 'log'), log)
  syncFolderNow(folder)
  rmSync(staging, { recursive: true, force: true })
  return existsSync(aside) ? basename(aside) : null
}

/** The entries of a log after the last one of an index, and those that it has instead if the two diverged earlier. */
function entriesBeyond(log: LibraryLog, mark: LogMark): OldLog['onlyThere'] {
  const isForked = log.holds(mark) === 'differs'
  let isOther = false
  let end = mark.position
  for (const item of log.read(isForked ? logStart : mark)) {
    if (item.kind === 'fault' || item.mark.position < mark.position) continue
    // The log may have the entry, and a damaged one before it.
    isOther ||= item.mark.position === mark.position && item.mark.hash !== mark.hash
    end = item.mark.position
  }
  const position = isOther ? mark.position : mark.position + 1
  return end < position ? null : { position, count: end - position + 1 }
}
