import { storageReason } from '@galley/platform'

import { requestRebuild } from './rebuild-request.ts'

/** Damage of the databases of a library, that shows only in use. */
export interface Damage {
  /** Notes it, and requests that the next opening sets the index aside and rebuilds it from the log. */
  note(): void
  /** Whether any was met. */
  isKnown(): boolean
  /** Calls the listener when it is first met, until the returned function is called. */
  onFirst(listener: () => void): () => void
}

export function createDamage(folder: string, report: (line: string) => void): Damage {
  const listeners = new Set<() => void>()
  let isKnown = false
  return {
    note() {
      if (isKnown) return
      isKnown = true
      try {
        requestRebuild(folder, 'damaged')
        report('the index is damaged; no save is lost: Galley rebuilds it from the log when it opens the library again')
      } catch (error) {
        report(`the index is damaged, and this could not be recorded: ${storageReason(error)}`)
      }
      for (const listener of listeners) listener()
    },
    isKnown: () => isKnown,
    onFirst(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
