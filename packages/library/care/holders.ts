import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isThere } from '@galley/platform'

import { automaticBackupMadeMs } from './automatic-backups.ts'
import type { MadeBackup } from './remembered.ts'

interface CopyFolders {
  readonly folder: string
  /** The folders that may contain automatic backups. */
  readonly backupFolders: readonly string[]
  readonly libraryId: string
  /** Backups that Galley has made anywhere. */
  readonly made: readonly MadeBackup[]
}

/**
 * Copies of the library from before a point in time, which Galley does not change: known backups, and databases that
 * were set aside in the library folder. Sorted paths.
 */
export async function copiesBefore(ms: number, places: CopyFolders): Promise<readonly string[]> {
  const { folder, backupFolders, libraryId, made } = places
  const found = new Set<string>()
  for (const backups of backupFolders)
    for (const name of await namesIn(backups)) {
      const madeMs = automaticBackupMadeMs(name, libraryId)
      if (madeMs !== null && madeMs <= ms) found.add(resolve(backups, name))
    }
  for (const { at, file } of made) if (Date.parse(at) <= ms && (await isThere(file))) found.add(resolve(file))
  for (const name of await namesIn(folder)) if (name.includes('.set-aside-')) found.add(resolve(folder, name))
  const aside = join(folder, 'lost-and-found')
  for (const name of await namesIn(aside)) found.add(resolve(aside, name))
  return [...found].toSorted()
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])
