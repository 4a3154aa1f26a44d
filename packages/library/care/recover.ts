import { canWriteIn, isSystemError } from '@galley/platform'

import type { OpenedLibrary } from '../db/open/open-library.ts'
import { demandWritable } from '../db/open/open-library.ts'
import type { Tasks } from '../tasks/tasks.ts'

const checkIntervalMs = 5_000
/**
 * The time between two attempts, so that a disk that damages the index repeatedly does not keep the library closed: it doubles up
 * to the maximum, and starts anew after that time without an attempt.
 */
const pauseMs = { first: 10_000, most: 600_000 }

interface Watched {
  readonly folder: string
  readonly library: Pick<OpenedLibrary, 'state' | 'isRebuildRequested' | 'damage'>
  /** Running tasks are not interrupted. */
  readonly tasks: Pick<Tasks, 'isRunning'>
}

/**
 * Detects when reopening would fix a library: it was opened read-only and is now writable, or a rebuild of its index was requested,
 * because this process or another one has met damage in it. The returned function watches a library until the function that it returns is
 * called.
 */
export function createRecovery() {
  let lastMs = Number.NEGATIVE_INFINITY
  let waitMs = 0

  return ({ folder, library, tasks }: Watched, reopen: () => void): (() => void) => {
    let isOver = false
    const check = async (): Promise<void> => {
      const sinceMs = performance.now() - lastMs
      if (sinceMs < waitMs) return
      const isHelpful = library.state === 'read_only' ? await isWritable(folder) : library.isRebuildRequested()
      if (!isHelpful || isOver || tasks.isRunning()) return
      lastMs = performance.now()
      waitMs = sinceMs > pauseMs.most ? pauseMs.first : Math.min(2 * waitMs, pauseMs.most)
      // After the current response has been sent.
      setImmediate(() => isOver || reopen())
    }
    const timer = setInterval(() => void check(), checkIntervalMs).unref()
    const stop = library.damage.onFirst(() => void check())
    // It may have been met before.
    if (library.damage.isKnown()) void check()
    return () => {
      isOver = true
      clearInterval(timer)
      stop()
    }
  }
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    demandWritable(folder)
    return await canWriteIn(folder)
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  }
}
