import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import type { KeptBackup } from '../../../contract/ipc/health.ts'
import { indexBeforeLog } from '../../library/db/before-log/convert.ts'
import { isThere } from '../../platform/disk/is-there.ts'
import { automaticBackupMadeMs } from './automatic-backups.ts'

interface Places {
  readonly folder: string
  /** The folders that may contain automatic backups. */
  readonly backupFolders: readonly string[]
  readonly libraryId: string
  readonly lastBackup: KeptBackup | null
}

/**
 * Copies of the library from before a point in time, which Galley does not change: known backups, and databases that
 * were set aside in the library folder. Sorted paths.
 */
export async function copiesBefore(ms: number, places: Places): Promise<readonly string[]> {
  const { folder, backupFolders, libraryId, lastBackup } = places
  const found = new Set<string>()
  for (const backups of backupFolders)
    for (const name of await namesIn(backups)) {
      const madeMs = automaticBackupMadeMs(name, libraryId)
      if (madeMs !== null && madeMs <= ms) found.add(resolve(backups, name))
    }
  if (lastBackup !== null && Date.parse(lastBackup.at) <= ms && (await isThere(lastBackup.file)))
    found.add(resolve(lastBackup.file))
  for (const name of await namesIn(folder))
    if (name.includes('.set-aside-') || name === indexBeforeLog) found.add(resolve(folder, name))
  const aside = join(folder, 'lost-and-found')
  for (const name of await namesIn(aside)) found.add(resolve(aside, name))
  return [...found].toSorted()
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])
