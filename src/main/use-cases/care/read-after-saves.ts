import type { ChangeFeed } from '../../library/changes.ts'
import { readInBackground } from './read-pages.ts'

/** Reads what the texts of a save name right after its answer, so that saves do not wait for it. */
export function createReadingAfterSaves(
  stored: Parameters<typeof readInBackground>[0],
  changes: Pick<ChangeFeed, 'onCallback' | 'changed'>,
) {
  const { references } = stored.index
  const closing = new AbortController()
  let reading: Promise<void> | null = null
  /** A save has come since the reading began. */
  let isWanted = false

  const readAll = (signal: AbortSignal): Promise<void> => readInBackground(stored, signal)
  async function readWanted(): Promise<void> {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false
      await readAll(closing.signal)
    }
    reading = null
    changes.changed()
  }

  const leave = changes.onCallback(() => {
    if (references.unreadSheets('', 1).length === 0) return
    isWanted = true
    reading ??= readWanted()
  })
  return {
    /** Reads what is left of earlier processes. */
    readAll,
    /** Stops. What is left is read by the next listener, and before anything is deleted. */
    async close(): Promise<void> {
      leave()
      closing.abort()
      await reading
    },
  }
}
