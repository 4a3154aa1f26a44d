import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasRoom, temporaryFolder } from '@galley/platform'

import type { LibraryLog } from '../../log/log.ts'
import type { WriterLock } from '../commit/writer-lock.ts'
import type { Index } from '../library-index.ts'
import type { Checkpoints } from './checkpoints.ts'
import { spareBytes } from './checkpoints.ts'

export interface FoldPorts {
  readonly indexFile: string
  readonly index: Pick<Index, 'commit' | 'library' | 'followTeam'>
  readonly log: LibraryLog
  readonly lock: WriterLock
  readonly checkpoints: Checkpoints
  readonly now: () => Date
}

/** The new checkpoint could not be read, so nothing was deleted. `code` for `storageReason`. */
class UnreadableCheckpointError extends Error {
  readonly code = 'EIO'
  constructor() {
    super('The new checkpoint cannot be read')
  }
}

/**
 * Folds the log into a checkpoint. New entries are written to a new segment; once a checkpoint after its beginning has been
 * written and verified, all other checkpoints and the earlier segments are deleted. Positions do not change. Saves continue
 * meanwhile, also in other processes. If it is killed, both the old and the new log can be opened; run it again. Gives the
 * position of the checkpoint.
 */
export async function foldLog(ports: FoldPorts, signal: AbortSignal): Promise<number> {
  const { indexFile, log, lock, checkpoints } = ports
  const { end, first } = lock.hold(() => beginSegment(ports))
  const mark = await withScratch(checkpoints.folder, (await stat(indexFile)).size, async (scratch) => {
    await checkpoints.write(indexFile, signal, scratch)
    return checkpoints.unpackNewest(join(scratch, 'trial.db'))
  })
  if (mark === null || mark.position < end) throw new UnreadableCheckpointError()
  // Deletes checkpoints before segments: those older than the log are useless.
  await checkpoints.deleteAllBut(mark.position)
  log.deleteBefore(first)
  return mark.position
}

/** Continues the log in a new segment. The checkpoint must contain everything up to `end`. */
function beginSegment({ index, log, now }: FoldPorts): { readonly end: number; readonly first: number } {
  index.commit.follow()
  const end = index.commit.mark()
  const first = end.position + 1
  if (index.followTeam !== null) {
    // The log of a member may contain only what is in the bucket. It may already begin after a checkpoint.
    if (log.lineOf(end) !== null) log.beginSegment(end)
    return { end: end.position, first }
  }
  log.beginSegment(end)
  // The new segment must also contain the library's name.
  index.commit.now(() => [{ kind: 'library_named', library: index.library(), at: now().toISOString() }])
  return { end: first, first }
}

/** Finds a folder with space for an index: in the library, or a temporary one if that disk is full. */
async function withScratch<Value>(
  folder: string,
  indexBytes: number,
  work: (scratch: string) => Promise<Value>,
): Promise<Value> {
  const neededBytes = indexBytes + spareBytes
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (await hasRoom(folder, neededBytes)) return work(folder)
  const scratch = await temporaryFolder('galley-fold-', neededBytes)
  try {
    return await work(scratch)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
