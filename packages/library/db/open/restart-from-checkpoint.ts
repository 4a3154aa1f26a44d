import { rename } from 'node:fs/promises'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../../log/log.ts'
import type { CheckpointFiles, CheckpointVerdict } from '../../team/requests.ts'
import type { WriterLock } from '../commit/writer-lock.ts'
import { databaseFiles } from '../database/open.ts'
import { markIn } from '../index-copy.ts'
import type { IndexWork } from '../index-work.ts'
import { IndexWorkError } from '../index-work.ts'
import { otherOwner } from '../owner.ts'
import type { Checkpoints } from './checkpoints.ts'
import { removeDatabase } from './checkpoints.ts'
import { requestRebuild, withdrawRebuild } from './rebuild-request.ts'

interface RestartPorts {
  readonly folder: string
  readonly library: string
  readonly log: LibraryLog
  readonly lock: WriterLock
  readonly checkpoints: Checkpoints
  readonly work: IndexWork
}

/**
 * The checkpoints of a member on its disk. `take` replaces the index of the open library with a fetched checkpoint,
 * and the local log then begins after it. Local data stays, including changes that wait. A request to rebuild is in
 * the folder until the end, so that the next opening repairs the state after a crash: it builds the index from the
 * old log and starts again, or from the checkpoint. `unfit`: the checkpoint is damaged, belongs to another library or
 * is not ahead of the index, or another process of this machine follows the team.
 */
export function createCheckpointFiles(ports: RestartPorts): CheckpointFiles {
  const { folder, library, log, lock, checkpoints, work } = ports
  const { index } = databaseFiles(folder)

  async function replaced(from: string, position: number): Promise<boolean> {
    const release = lock.take()
    try {
      if (positionOf(index) >= position) return false
      requestRebuild(folder, 'replacing')
      const code = await work.replace({ from, to: index })
      if (code !== null) {
        withdrawRebuild(folder)
        throw new IndexWorkError(code)
      }
      log.beginAfter(position)
      log.deleteBefore(position + 1)
      withdrawRebuild(folder)
      return true
    } finally {
      release()
    }
  }

  return {
    pathOf: checkpoints.fileOf,
    maxBytes: checkpoints.room,
    async judge(position, fetched): Promise<CheckpointVerdict> {
      const from = await checkpoints.unpackForeign(position, library, fetched)
      if (typeof from === 'string') return from
      await removeDatabase(from.file)
      return 'fit'
    },
    async take(position, fetched): Promise<CheckpointVerdict> {
      if (otherOwner(folder) !== null) return 'unfit'
      const from = await checkpoints.unpackForeign(position, library, fetched)
      if (typeof from === 'string') return from
      try {
        // Before the index is replaced, because the local log then begins after this position.
        await rename(fetched, checkpoints.fileOf(position))
        return (await replaced(from.file, position)) ? 'fit' : 'unfit'
      } finally {
        await removeDatabase(from.file)
      }
    },
  }
}

function positionOf(index: string): number {
  const db = new BetterSqlite3(index, { readonly: true, timeout: 5000 })
  try {
    return markIn(db).position
  } finally {
    db.close()
  }
}
