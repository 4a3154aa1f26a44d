import { existsSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import { syncFolderNow } from '@galley/platform'

import { databaseFiles } from '../database/open.ts'
import type { LibraryContext } from './findings.ts'
import { nameWithMoment } from './rebuild.ts'

// A member's log is a copy of the log in its team's bucket, so a faulty copy is replaced without asking.

/** A new copy of the team's log was begun. */
export interface RenewedNote {
  readonly kind: 'copy_renewed'
  /** The name of the old copy in the library folder; null if there was none. */
  readonly setAside: string | null
}

/**
 * Sets the copy aside and starts a new one after the index, from which a checkpoint is written first. The following
 * entries are fetched from the bucket, which rejects an index that is not the team's. The caller holds the writers'
 * lock.
 */
export async function renewCopy({ folder, log, checkpoints, now }: LibraryContext): Promise<RenewedNote> {
  const position = await checkpoints.write(databaseFiles(folder).index, new AbortController().signal)
  const aside = existsSync(log.folder) ? nameWithMoment(`${log.folder}.set-aside`, now()) : null
  if (aside !== null) renameSync(log.folder, aside)
  log.beginAfter(position)
  syncFolderNow(folder)
  return { kind: 'copy_renewed', setAside: aside && basename(aside) }
}
