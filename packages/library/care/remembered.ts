import { isStorageFault, storageReason } from '@galley/platform'

import type { Index } from '../db/library-index.ts'
import type { Health, KeptBackup } from '../views/health.ts'

/** When and where a backup was made. */
export type MadeBackup = Pick<KeptBackup, 'at' | 'file'>

/** Results of the last runs, stored in the settings by name. */
interface Remembered {
  readonly 'last-check': Health['lastCheck']
  readonly 'last-backup': KeptBackup | null
  /** The backups that were made, oldest first. */
  readonly backups: readonly MadeBackup[] | null
  /** The time of the last erase, or `unfinished`. */
  readonly 'last-erase': string | null
}

/** Replaces the time of the last erase while one runs or after it was interrupted. */
export const unfinished = 'unfinished'

interface Remembering {
  readonly index: Pick<Index, 'settings'>
  readonly log: (line: string) => void
}

/** A check or backup succeeds even if its result cannot be stored. */
export function remember<Name extends keyof Remembered>(
  { index, log }: Remembering,
  name: Name,
  value: Remembered[Name],
): void {
  try {
    index.settings.put(name, JSON.stringify(value))
  } catch (error) {
    if (!isStorageFault(error)) throw error
    log(`${name} could not be recorded: ${storageReason(error)}`)
  }
}

/** The last stored result; null if there is none. */
export const recalled = <Name extends keyof Remembered>({ index }: Pick<Remembering, 'index'>, name: Name) =>
  JSON.parse(index.settings.get(name) ?? 'null') as Remembered[Name]
