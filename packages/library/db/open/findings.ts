import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { LibraryLog } from '../../log/log.ts'
import type { LogMark } from '../../log/mark.ts'
import { databaseFiles, inspectIndex } from '../database/open.ts'
import { markAt } from '../index-copy.ts'
import { otherOwner } from '../owner.ts'
import type { Checkpoints } from './checkpoints.ts'
import { nameFile, writtenName } from './library-file.ts'
import { isLocalForeign } from './local-file.ts'
import type { Findings, RebuildSource, Step } from './opening.ts'
import { requestIn } from './rebuild-request.ts'

/** A library in a folder that is being opened. */
export interface LibraryContext {
  readonly folder: string
  readonly log: LibraryLog
  readonly checkpoints: Pick<Checkpoints, 'positions' | 'unpackNewest' | 'write' | 'setAsideAfter'>
  /** The log is a copy: the bucket of a team has all of it. */
  readonly isCopy: boolean
  readonly now: () => Date
}

/** What is known without reading the folder. */
export interface Known {
  /** Null: as the folder says. */
  readonly library: string | null
  readonly asked: RebuildSource | null
  readonly by: Findings['by']
  readonly done: readonly Step[]
  readonly isLogFaulty: boolean
}

/** Reads what decides about the next step of opening a library. */
export async function findState(context: LibraryContext, known: Known): Promise<Findings> {
  const { folder, log, isCopy } = context
  const { asked, by, done, isLogFaulty } = known
  const written = known.library ?? writtenName(folder)
  const found = inspectIndex(databaseFiles(folder).index)
  const index =
    found.kind === 'usable'
      ? written === null || found.library === written
        ? 'own'
        : 'other_library'
      : found.kind === 'earlier'
        ? 'other_schema'
        : found.kind
  const mark = found.kind === 'usable' ? markAt(databaseFiles(folder).index) : null
  const isLog = log.exists()
  const request = requestIn(folder)
  return {
    log: isLog ? 'there' : 'missing',
    index,
    indexInLog: mark && log.holds(mark),
    checkpoint: await newestCheckpoint(context, mark),
    local: !done.includes('prepare_local') ? 'unknown' : isLocalForeign(folder) ? 'foreign' : 'fits',
    name: written === null ? 'unknown' : 'known',
    files: isLog || index !== 'absent' || hasFiles(folder) ? 'some' : 'none',
    isCopy,
    asked,
    by,
    request,
    isServed: request !== null && otherOwner(folder) !== null,
    isLogFaulty,
  }
}

async function newestCheckpoint({ log, checkpoints }: LibraryContext, mark: LogMark | null) {
  const [newest] = await checkpoints.positions()
  if (newest === undefined) return 'none'
  if (mark === null) return 'after_index'
  if (newest <= mark.position) return 'up_to_index'
  return lacksAny(log, mark, newest) ? 'after_gap' : 'after_index'
}

/** Whether the log lacks an entry from a mark up to a position. */
function lacksAny(log: LibraryLog, from: LogMark, position: number): boolean {
  for (const item of log.read(from)) {
    if (item.kind === 'fault') return true
    if (item.mark.position >= position) return false
  }
  return true
}

/** Whether the folder contains files of a library. */
function hasFiles(folder: string): boolean {
  const files = join(folder, 'files')
  return (
    existsSync(nameFile(folder)) ||
    (existsSync(files) &&
      readdirSync(files, { recursive: true, withFileTypes: true }).some(
        (found) => found.isFile() && /^[0-9a-f]{64}$/.test(found.name),
      ))
  )
}
