import { Worker } from 'node:worker_threads'

/**
 * How long an idle thread waits for its next job before it ends and frees its memory, in milliseconds. Longer than the
 * pauses between saves, because starting a thread takes tens of milliseconds.
 */
const defaultRestMs = 30_000

export interface PoolOptions {
  /** The built or the TypeScript thread. */
  readonly script: string | URL
  /** The heap limit of one thread, in MB. Exceeding it ends the thread, but not the app. */
  readonly heapMb: { readonly old: number; readonly young: number }
  readonly restMs?: number | undefined
  /** Called with the error of a thread that has no job; callers receive the errors of their jobs. */
  readonly onIdleCrash: (error: Error) => void
}

/**
 * Threads of one script, each with one job at a time. An idle thread does not keep the process alive, and ends if no job
 * arrives in time.
 */
export function createThreadPool({ script, heapMb, restMs = defaultRestMs, onIdleCrash }: PoolOptions) {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb.old, maxYoungGenerationSizeMb: heapMb.young }
  const idle = new Map<Worker, NodeJS.Timeout>()
  const threads = new Set<Worker>()

  function start(): Worker {
    // Threads do not inherit the flags of the process, which are for its own script.
    const worker = new Worker(script, { resourceLimits, execArgv: [] })
    threads.add(worker)
    // Also, a failing idle thread must not end the process.
    worker.on('error', (error: Error) => {
      if (idle.has(worker)) onIdleCrash(error)
    })
    worker.once('exit', () => {
      threads.delete(worker)
      wake(worker)
    })
    return worker
  }

  function wake(worker: Worker): void {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
  }

  return {
    /** An idle or a new thread. Keeps the process alive until it is idle again. */
    take(): Worker {
      const [known] = [...idle.keys()].slice(-1)
      if (known === undefined) return start()
      wake(known)
      known.ref()
      return known
    },
    keep(worker: Worker): void {
      if (!threads.has(worker)) return
      worker.unref()
      const end = (): void => {
        wake(worker)
        void worker.terminate()
      }
      idle.set(worker, setTimeout(end, restMs).unref())
    },
    hasIdle: (): boolean => idle.size > 0,
    async close(): Promise<void> {
      await Promise.all([...threads].map((worker) => worker.terminate()))
    },
  }
}
