import { isDiskBroken } from '../../../contract/domain/listener-state.ts'
import type { ListenerState } from '../../../contract/domain/listener-state.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import { demandWritable } from '../../library/db/open-library.ts'
import { canWriteIn } from '../../platform/disk/reserve.ts'
import type { Tasks } from '../../platform/tasks/tasks.ts'
import { isSystemError } from '../../platform/disk/system-error.ts'

const lookEveryMs = 5_000
/** A disk that damages an index again and again would otherwise keep the library closed all the time. */
const againAfterMs = 600_000

interface Watched {
  readonly folder: string
  readonly library: Pick<OpenedLibrary, 'state' | 'isRebuildRequested'>
  readonly listener: { state(): ListenerState; onState(tell: (state: ListenerState) => void): () => void }
  /** Running ones are not cut off. */
  readonly tasks: Pick<Tasks, 'list'>
}

/**
 * Says when a library that stores no saves would do so after it was opened anew: it was opened where nothing could be
 * written and now something can, or its index proved damaged and can be made again from the log. The returned function
 * watches a library until the function that it returns is called.
 */
export function createRecovery() {
  let lastMs = Number.NEGATIVE_INFINITY

  return ({ folder, library, listener, tasks }: Watched, reopen: () => void): (() => void) => {
    let isOver = false
    const look = async (): Promise<void> => {
      const isDamaged = isDiskBroken(listener.state()) && library.isRebuildRequested()
      if (!isDamaged && !(library.state === 'read_only' && (await isWritable(folder)))) return
      const isBusy = tasks.list().some(({ end }) => end.kind === 'running')
      if (isOver || isBusy || performance.now() - lastMs < againAfterMs) return
      lastMs = performance.now()
      // Behind the answer that is being sent.
      setImmediate(() => isOver || reopen())
    }
    const timer = setInterval(() => void look(), lookEveryMs).unref()
    const stop = listener.onState(() => void look())
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
