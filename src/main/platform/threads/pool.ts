import { Worker } from 'node:worker_threads'

/**
 * How long an idle thread waits for its next job before it ends and gives its memory back, in milliseconds: longer than
 * the pauses of somebody who saves again and again, since a thread takes some dozens of milliseconds to start.
 */
const usualRestMs = 30_000

export interface PoolOptions {
  /** The built or the TypeScript thread. */
  readonly script: string | URL
  /** Of one thread, in MB; what needs more ends the thread, while the rest of the app lives on. */
  readonly heapMb: { readonly old: number; readonly young: number }
  readonly restMs?: number | undefined
}

/**
 * Threads of one script, each with one job at a time. An idle one does not keep the process alive, waits a while for its
 * next job, then ends.
 */
export function createThreadPool({ script, heapMb, restMs = usualRestMs }: PoolOptions) {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb.old, maxYoungGenerationSizeMb: heapMb.young }
  const idle = new Map<Worker, NodeJS.Timeout>()
  const threads = new Set<Worker>()

  function start(): Worker {
    // A thread takes none of the flags that the process was started with: they were meant for its own script.
    const worker = new Worker(script, { resourceLimits, execArgv: [] })
    threads.add(worker)
    // A thread that fails while nobody waits for it may not take the process along.
    worker.on('error', () => undefined)
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
    /** An idle thread or a new one; it keeps the process alive until it is kept for later. */
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
