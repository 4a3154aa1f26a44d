import type { Index } from '../../library/db/library-index.ts'
import { isStorageFault, storageReason } from '../../platform/disk/storage-reason.ts'

/** The setting names for the last check, the last backup and the last erase. */
export const checkName = 'last-check'
export const backupName = 'last-backup'
export const eraseName = 'last-erase'
/** Replaces the time of the last erase while one runs or after it was interrupted. */
export const unfinished = 'unfinished'

interface Remembering {
  readonly index: Pick<Index, 'settings'>
  readonly log: (line: string) => void
}

/** A check or backup succeeds even if its result cannot be stored. */
export function remember({ index, log }: Remembering, name: string, value: unknown): void {
  try {
    index.settings.put(name, JSON.stringify(value))
  } catch (error) {
    if (!isStorageFault(error)) throw error
    log(`${name} could not be recorded: ${storageReason(error)}`)
  }
}

/** The last stored result; null if there is none. */
export function recalled({ index }: Pick<Remembering, 'index'>, name: string): unknown {
  const text = index.settings.get(name)
  return text === null ? null : JSON.parse(text)
}
