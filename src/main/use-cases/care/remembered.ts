import type { Index } from '../../library/db/library-index.ts'
import { isStorageFault, storageReason } from '../../platform/disk/storage-reason.ts'

/** Under which names a library remembers its last check, its last backup, and when a person was last erased. */
export const checkName = 'last-check'
export const backupName = 'last-backup'
export const eraseName = 'last-erase'
/** In place of the moment of the last erase, while one runs or when it was cut off. */
export const unfinished = 'unfinished'

interface Remembering {
  readonly index: Pick<Index, 'settings'>
  readonly log: (line: string) => void
}

/** A check or a backup is complete even when the library cannot remember it. */
export function remember({ index, log }: Remembering, name: string, value: unknown): void {
  try {
    index.settings.put(name, JSON.stringify(value))
  } catch (error) {
    if (!isStorageFault(error)) throw error
    log(`${name} could not be remembered: ${storageReason(error)}`)
  }
}

/** What was remembered last; null when nothing was. */
export function recalled({ index }: Pick<Remembering, 'index'>, name: string): unknown {
  const text = index.settings.get(name)
  return text === null ? null : JSON.parse(text)
}
