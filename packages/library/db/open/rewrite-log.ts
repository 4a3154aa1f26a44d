import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { syncFolderNow } from '@galley/platform'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../../log/log.ts'
import { openLog } from '../../log/log.ts'
import type { LogMark } from '../../log/mark.ts'
import { logStart } from '../../log/mark.ts'
import { changesOf } from '../changes-of-index/changes-of.ts'
import { writeLog } from '../changes-of-index/write-log.ts'
import { databaseFiles, inspectIndex } from '../database/open.ts'
import { markIn } from '../index-copy.ts'
import { ForeignLibraryError } from './ensure-log.ts'
import { writtenName } from './library-file.ts'
import { ensureLocal } from './local-file.ts'
import { nameWithMoment } from './rebuild.ts'
import type { OldLog } from './replace-index.ts'

/** There is no index from which to write a log. */
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
 * Writes a new log from the index and sets the old log aside. The caller holds the writers' lock and rebuilds the index from
 * the new log, because row ids depend on positions. `isLocalLost`: `local.db` was lost and recreated. Throws NoIndexError and
 * ForeignLibraryError.
 */
export async function rewriteLog(
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
  const db = new BetterSqlite3(index, { readonly: true, timeout: 5000 })
  let position: number
  let onlyThere: OldLog['onlyThere']
  try {
    db.prepare('ATTACH ? AS local').run(local)
    onlyThere = entriesBeyond(openLog(folder), markIn(db))
    const named = { library, at: now().toISOString() }
    ;({ position } = await writeLog(openLog(staging), named, changesOf(db)))
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    throw error
  } finally {
    db.close()
  }
  // The list already has the callbacks of the new log. Written before the logs are swapped: if the process is killed in
  // between, the list follows the old log again; if written afterwards, it would be ahead of the new log.
  const machine = new BetterSqlite3(local, { timeout: 5000 })
  try {
    machine.prepare('UPDATE callbacks_of_log SET position = ?').run(position)
  } finally {
    machine.close()
  }
  const old = join(folder, 'log')
  const aside = nameWithMoment(join(folder, 'log.set-aside'), now())
  const isThere = existsSync(old)
  if (isThere) renameSync(old, aside)
  // Checkpoints belong to their log: the new one counts its positions from 1.
  const checkpoints = join(folder, 'checkpoints')
  const hasCheckpoints = existsSync(checkpoints)
  if (hasCheckpoints) {
    mkdirSync(aside, { recursive: true, mode: 0o700 })
    renameSync(checkpoints, join(aside, 'checkpoints'))
  }
  renameSync(join(staging, 'log'), old)
  syncFolderNow(folder)
  rmSync(staging, { recursive: true, force: true })
  return { isLocalLost, oldLog: { setAside: isThere || hasCheckpoints ? basename(aside) : null, onlyThere } }
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
