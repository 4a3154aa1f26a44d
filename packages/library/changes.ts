import type { CallbackId } from '@galley/wire'

import type { Index } from './db/library-index.ts'

/** The interval for detecting writes of other processes to the index. */
const foreignChangePollMs = 100

/** Notifies listeners about changes of a library. Each subscription returns a function that cancels it. */
export function createChangeFeed(index: Pick<Index, 'foreignChanges'>) {
  const changeListeners = new Set<() => void>()
  const callbackListeners = new Set<(id: CallbackId) => void>()
  const changed = (): void => {
    for (const listener of changeListeners) listener()
  }
  return {
    changed,
    callbackAnswered(id: CallbackId): void {
      for (const listener of callbackListeners) listener(id)
      changed()
    },
    /** Calls the listener after every change of the library, by any process. */
    watch(listener: () => void): () => void {
      changeListeners.add(listener)
      let seen = index.foreignChanges()
      const poll = setInterval(() => {
        const found = index.foreignChanges()
        if (found !== seen) listener()
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
