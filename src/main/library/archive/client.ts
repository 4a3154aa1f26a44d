import type { Worker } from 'node:worker_threads'

import type { CauseCode } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { fail } from '../../../contract/result.ts'
import { createThreadPool } from '../../platform/threads/pool.ts'
import type { ArchiveFailure, Job, JobResult, Report } from './jobs.ts'

export interface Outcome<J extends Job> {
  readonly result: JobResult<J>
  readonly steps: Report['steps']
}

/** The threads that do archive jobs. */
export interface ArchiveWorkers {
  /** Waits for a free thread, then for the job. Never rejects: whatever befalls a thread is a failure of its job. */
  run<J extends Job>(job: J): Promise<Outcome<J>>
  /** Ends all threads. Jobs that are not done fail. */
  close(): Promise<void>
}

interface Waiting {
  readonly job: Job
  readonly answer: (outcome: Report) => void
}

/** A thread's own heap: a page that needs more to be parsed ends the thread, while the rest of the app lives on. */
const heapMb = 512
/** So many run wherever it is; more need room for their heaps. */
const modestThreads = 2
const hasRoom = (): boolean => process.availableMemory() > 2 * heapMb * 1024 ** 2

const failed = (failure: ArchiveFailure): Report => ({ result: fail(failure), steps: [] })

const stopped = (code: CauseCode): Report => failed({ kind: 'storage_failed', reason: cause(code) })

/** What the end of a thread means for its job. Running out of memory is the archive's doing, anything else a bug. */
const crashed = (error: Error): Report =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? failed({ kind: 'content_too_large', what: cause('page_memory'), limit: heapMb * 1024 ** 2 })
    : stopped('unpacking_stopped')

/**
 * `script` is the built or the TypeScript worker, `threads` how many run at most, where there is memory; they start with
 * the first jobs, stay for the next ones, and end after `restMs` without any. `onCrash` hears of bugs, for the log.
 */
export function createArchiveWorkers(options: {
  readonly script: string | URL
  readonly threads: number
  readonly restMs?: number
  readonly onCrash?: (error: Error) => void
}): ArchiveWorkers {
  const { script, restMs } = options
  const pool = createThreadPool({ script, heapMb: { old: heapMb, young: 8 }, restMs })
  const waiting: Waiting[] = []
  let running = 0
  let closed = false

  /** Ends with the thread's report, or with its end. */
  const runOn = (worker: Worker, job: Job): Promise<Report> =>
    new Promise((resolve) => {
      const end = (report: Report): void => {
        worker.off('message', onReport).off('error', onError).off('exit', onExit)
        resolve(report)
      }
      const onReport = (report: Report): void => {
        // What a large page has left in its heap goes with the thread, once that has rested.
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

  const isFull = (): boolean =>
    running >= options.threads || (running >= modestThreads && !pool.hasIdle() && !hasRoom())

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
      // Meets the wire: the thread answers a job of one kind with a result of that kind.
      return { result: result as JobResult<J>, steps }
    },
    close: async () => {
      closed = true
      for (const next of waiting.splice(0)) next.answer(stopped('closing'))
      await pool.close()
    },
  }
}
