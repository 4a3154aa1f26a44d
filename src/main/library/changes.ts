import type { CallbackId } from '../../contract/ids.ts'
import type { Index } from './db/library-index.ts'

/** How often a process looks whether another one has written to the index. */
const foreignChangePollMs = 100

/** Tells of what happens in a library; each listener is called until the function that it was answered with is. */
export function createChangeFeed(index: Pick<Index, 'foreignChanges'>) {
  const changeListeners = new Set<() => void>()
  const callbackListeners = new Set<(id: CallbackId) => void>()
  const changed = (): void => {
    for (const tell of changeListeners) tell()
  }
  return {
    changed,
    callbackAnswered(id: CallbackId): void {
      for (const tell of callbackListeners) tell(id)
      changed()
    },
    /** Tells of every change to the library, whoever makes it. */
    watch(tell: () => void): () => void {
      changeListeners.add(tell)
      let seen = index.foreignChanges()
      const poll = setInterval(() => {
        const found = index.foreignChanges()
        if (found !== seen) tell()
        seen = found
      }, foreignChangePollMs)
      return () => {
        clearInterval(poll)
        changeListeners.delete(tell)
      }
    },
    /** Tells of every callback that the listener of this process has answered. */
    onCallback(tell: (id: CallbackId) => void): () => void {
      callbackListeners.add(tell)
      return () => callbackListeners.delete(tell)
    },
  }
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>
