import type { Worker } from 'node:worker_threads'
import { createThreadPool } from '@galley/platform'
import type { CauseCode } from '@galley/wire'
import { cause, fail } from '@galley/wire'

import type { ArchiveFailure, Job, JobResult, Report } from './jobs.ts'

export interface Outcome<J extends Job> {
  readonly result: JobResult<J>
  readonly steps: Report['steps']
}

/** The threads for archive jobs. */
export interface ArchiveWorkers {
  /** Waits for a free thread, then for the job. Never rejects: a thread's crash is a failure of its job. */
  run<J extends Job>(job: J): Promise<Outcome<J>>
  /** Ends all threads. Unfinished jobs fail. */
  close(): Promise<void>
}

interface Waiting {
  readonly job: Job
  readonly answer: (outcome: Report) => void
}

/** The heap limit of a thread, in MB. A page that needs more ends the thread, but not the app. */
const heapMb = 512
/** The number of threads on any computer. More threads require memory for their heaps. */
const minThreads = 2
const hasRoom = (): boolean => process.availableMemory() > 2 * heapMb * 1024 ** 2

const failed = (failure: ArchiveFailure): Report => ({ result: fail(failure), steps: [] })

const stopped = (code: CauseCode): Report => failed({ kind: 'storage_failed', reason: cause(code) })

/** The failure for a crashed thread. The archive causes an out-of-memory error; any other crash is a bug. */
const crashed = (error: Error): Report =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? failed({ kind: 'content_too_large', what: cause('page_memory'), limit: heapMb * 1024 ** 2 })
    : stopped('unpacking_stopped')

/**
 * `script` is the built or the TypeScript worker, `threads` the maximum number of threads if memory allows. Threads start on
 * demand, are reused, and end after `restMs` without a job. `onCrash` receives bugs for the log.
 */
export function createArchiveWorkers(options: {
  readonly script: string | URL
  readonly threads: number
  readonly restMs?: number
  readonly onCrash?: (error: Error) => void
}): ArchiveWorkers {
  const { script, restMs } = options
  const pool = createThreadPool({
    script,
    heapMb: { old: heapMb, young: 8 },
    restMs,
    onIdleCrash: (error) => options.onCrash?.(error),
  })
  const waiting: Waiting[] = []
  let running = 0
  let closed = false

  /** Resolves with the thread's report, or when the thread ends. */
  const runOn = (worker: Worker, job: Job): Promise<Report> =>
    new Promise((resolve) => {
      const end = (report: Report): void => {
        worker.off('message', onReport).off('error', onError).off('exit', onExit)
        resolve(report)
      }
      const onReport = (report: Report): void => {
        // The thread keeps the heap of a large page until it ends.
        pool.keep(worker)
        end(report)
      }
      const onError = (error: Error): void => {
        options.onCrash?.(error)
        end(crashed(error))
      }
      const onExit = (): void => end(stopped(closed ? 'closing' : 'unpacking_stopped'))
      worker.on('message', onReport).once('error', onError).once('exit', onExit)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
      worker.postMessage(job)
    })

  const isFull = (): boolean => running >= options.threads || (running >= minThreads && !pool.hasIdle() && !hasRoom())

  const takeNext = (): Waiting | undefined => (closed || isFull() ? undefined : waiting.shift())

  function assign(): void {
    for (let next = takeNext(); next !== undefined; next = takeNext()) void answer(next)
  }

  async function answer(next: Waiting): Promise<void> {
    running += 1
    const report = await runOn(pool.take(), next.job)
    running -= 1
    next.answer(report)
    assign()
  }

  return {
    run: async <J extends Job>(job: J) => {
      const { result, steps } = closed
        ? stopped('closing')
        : await new Promise<Report>((answer) => {
            waiting.push({ job, answer })
            assign()
          })
      // Types meet the wire: the thread answers a job with a result of its kind.
      return { result: result as JobResult<J>, steps }
    },
    close: async () => {
      closed = true
      for (const next of waiting.splice(0)) next.answer(stopped('closing'))
      await pool.close()
    },
  }
}
