import type { CallbackId } from '@galley/wire'

import type { Index } from './db/library-index.ts'
import { anyChange } from './views/changes.ts'
import type { Change } from './views/changes.ts'

/** The interval for detecting writes of other processes to the index. */
const foreignChangePollMs = 100

/** Notifies listeners about changes of a library. Each subscription returns a function that cancels it. */
export function createChangeFeed(index: Pick<Index, 'foreignChanges'>) {
  const changeListeners = new Set<(change: Change) => void>()
  const callbackListeners = new Set<(id: CallbackId) => void>()
  const changed = (change: Change = anyChange): void => {
    for (const listener of changeListeners) listener(change)
  }
  return {
    changed,
    callbackAnswered(id: CallbackId): void {
      for (const listener of callbackListeners) listener(id)
      changed()
    },
    /** Calls the listener after every change of the library, by any process; only this one says what it has changed. */
    watch(listener: (change: Change) => void): () => void {
      changeListeners.add(listener)
      let seen = index.foreignChanges()
      const poll = setInterval(() => {
        const found = index.foreignChanges()
        if (found !== seen) listener(anyChange)
        seen = found
      }, foreignChangePollMs)
      return () => {
        clearInterval(poll)
        changeListeners.delete(listener)
      }
    },
    /** Calls the listener after every callback that this process's listener has answered. */
    onCallback(listener: (id: CallbackId) => void): () => void {
      callbackListeners.add(listener)
      return () => callbackListeners.delete(listener)
    },
    /** Ends all subscriptions. A listener that is notified later would read a closed index. */
    close(): void {
      changeListeners.clear()
      callbackListeners.clear()
    },
  }
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>
