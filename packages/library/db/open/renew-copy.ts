import { existsSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import { syncFolderNow } from '@galley/platform'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../../log/log.ts'
import type { Checkpoints } from './checkpoints.ts'
import { databaseFiles, inspectIndex } from '../database/open.ts'
import { markIn } from '../index-copy.ts'
import { nameWithMoment } from './rebuild.ts'

// A member's log is a copy of the log in its team's bucket, so a faulty copy is replaced without asking.

/** A new copy of the team's log was begun. */
export interface RenewedNote {
  readonly kind: 'copy_renewed'
  /** The name of the old copy in the library folder; null if there was none. */
  readonly setAside: string | null
}

interface CopyContext {
  readonly folder: string
  readonly log: LibraryLog
  readonly checkpoints: Pick<Checkpoints, 'write'>
  readonly now: () => Date
}

/** Whether the copy lacks the entry that the index ends with, or has another one there. */
export function isBeyondCopy({ folder, log }: CopyContext): boolean {
  const { index } = databaseFiles(folder)
  if (inspectIndex(index).kind !== 'usable') return false
  const db = new BetterSqlite3(index, { readonly: true, timeout: 5000 })
  try {
    return log.holds(markIn(db)) !== 'holds'
  } finally {
    db.close()
  }
}

/**
 * Sets the copy aside and starts a new one after the index, from which a checkpoint is written first. The following
 * entries are fetched from the bucket, which rejects an index that is not the team's. The caller holds the writers'
 * lock.
 */
export async function renewCopy({ folder, log, checkpoints, now }: CopyContext): Promise<RenewedNote> {
  const position = await checkpoints.write(databaseFiles(folder).index, new AbortController().signal)
  const aside = existsSync(log.folder) ? nameWithMoment(`${log.folder}.set-aside`, now()) : null
  if (aside !== null) renameSync(log.folder, aside)
  log.beginAfter(position)
  syncFolderNow(folder)
  return { kind: 'copy_renewed', setAside: aside && basename(aside) }
}
