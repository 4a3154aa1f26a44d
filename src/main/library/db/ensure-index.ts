import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { RebuildCause } from '../../../contract/domain/library-opening.ts'
import { syncFolderNow } from '../../platform/disk/sync-folder.ts'
import { keepDamagedLine } from '../log/fault-file.ts'
import type { LibraryLog } from '../log/log.ts'
import type { Checkpoints } from './checkpoints.ts'
import { readIndexCopy } from './index-copy.ts'
import { databaseFiles, isDamage, isSound, lookAtIndex, prepareLocal } from './database/open.ts'
import { demandNoOtherOwner, otherOwner } from './owner.ts'
import type { Rebuilt } from './rebuild.ts'
import { buildIndex, setAside } from './rebuild.ts'

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

/** There is no log from which an index could be made. */
export class NoLogError extends Error {
  readonly code = 'library_damaged'
  constructor() {
    super(
      'The log is gone or damaged, so no index can be made from it. Nothing was changed. ' +
        'Run galley rebuild --from index, or restore a backup.',
    )
  }
}

/** What an index is made anew from. */
export type RebuildSource = 'log' | 'index'

/** A file beside the index: the next opening makes the index anew, from what the file names. */
const rebuildRequest = (folder: string): string => join(folder, 'index.rebuild')
export const requestRebuild = (folder: string, from: RebuildSource): void =>
  writeFileSync(rebuildRequest(folder), from, { mode: 0o600 })

/** Null when no rebuild is requested. */
export function requestedRebuild(folder: string): RebuildSource | null {
  if (!existsSync(rebuildRequest(folder))) return null
  return readFileSync(rebuildRequest(folder), 'utf8') === 'index' ? 'index' : 'log'
}

export interface IndexPlace {
  readonly folder: string
  readonly log: LibraryLog
  readonly checkpoints: Checkpoints
  /** The name that the library is to have. */
  readonly library: string
  readonly now: () => Date
}

/** Makes the index from the log when it cannot be used, or for a cause of the caller's; null when it is left alone. Throws LibraryServedError. */
export async function ensureIndex(place: IndexPlace, given: RebuildCause | null): Promise<RebuiltNote | null> {
  const { folder, log, checkpoints, library, now } = place
  const { index, local } = databaseFiles(folder)
  const cause = given ?? rebuildCause(folder, library)
  if (cause === null || !log.exists()) return null
  // A process that has the index open would go on with the one that is set aside. What was asked for can wait for it.
  if (cause === 'asked' && otherOwner(folder) !== null) return null
  demandNoOtherOwner(folder)
  const before = lastPosition(index)
  const target = `${index}.new`
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${target}${end}`, { force: true })
  const report = await buildIndex(target, { log, library, local, unpackCheckpoint: checkpoints.unpackNewest })
  for (const what of report.unapplied) keepDamagedLine(folder, what)
  const aside = setAside(index, now())
  renameSync(target, index)
  syncFolderNow(folder)
  rmSync(rebuildRequest(folder), { force: true })
  return { kind: 'rebuilt', cause, report, setAside: aside, before }
}

function rebuildCause(folder: string, library: string): RebuildCause | null {
  if (requestedRebuild(folder) !== null) return 'asked'
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

/** How far an index had come that is about to be set aside. */
function lastPosition(file: string): number | null {
  try {
    return lookAtIndex(file).kind === 'usable' ? readIndexCopy(file).mark.position : null
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
}

/**
 * Brings `local.db` up to date; true when it had to be made because it was gone, empty or damaged. A `thorough` look reads
 * all of it.
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
