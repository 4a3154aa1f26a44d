import { isDiskBroken } from '../../../contract/domain/listener-state.ts'
import type { ListenerState } from '../../../contract/domain/listener-state.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import { demandWritable } from '../../library/db/open-library.ts'
import { canWriteIn } from '../../platform/disk/reserve.ts'
import { isSystemError } from '../../platform/disk/system-error.ts'
import type { Tasks } from '../../platform/tasks/tasks.ts'

const checkIntervalMs = 5_000
/**
 * The minimum time between two attempts, so that a disk that damages the index repeatedly does not keep the library closed.
 */
const againAfterMs = 600_000

interface Watched {
  readonly folder: string
  readonly library: Pick<OpenedLibrary, 'state' | 'isRebuildRequested'>
  readonly listener: { state(): ListenerState; onState(listener: (state: ListenerState) => void): () => void }
  /** Running tasks are not interrupted. */
  readonly tasks: Pick<Tasks, 'isRunning'>
}

/**
 * Detects when reopening would fix a library that stores no saves: it was opened read-only and is now writable, or its index
 * is damaged and can be rebuilt from the log. The returned function watches a library until the function that it returns is
 * called.
 */
export function createRecovery() {
  let lastMs = Number.NEGATIVE_INFINITY

  return ({ folder, library, listener, tasks }: Watched, reopen: () => void): (() => void) => {
    let isOver = false
    const check = async (): Promise<void> => {
      if (performance.now() - lastMs < againAfterMs) return
      const isDamaged = isDiskBroken(listener.state()) && library.isRebuildRequested()
      if (!isDamaged && !(library.state === 'read_only' && (await isWritable(folder)))) return
      if (isOver || tasks.isRunning()) return
      lastMs = performance.now()
      // After the current response has been sent.
      setImmediate(() => isOver || reopen())
    }
    const timer = setInterval(() => void check(), checkIntervalMs).unref()
    const stop = listener.onState(() => void check())
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
