import { Worker } from 'node:worker_threads'

import type { CauseCode } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { fail } from '../../../contract/result.ts'
import { restMs } from '../../platform/threads/rest.ts'
import type { ArchiveFailure, Job, JobResult, Report, Request } from './jobs.ts'

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
  readonly answer: (outcome: Omit<Report, 'seq'>) => void
}

interface Thread {
  readonly worker: Worker
  current: { readonly seq: number; readonly answer: Waiting['answer'] } | null
  /** Runs while it is idle, and ends it. */
  rest: NodeJS.Timeout | null
}

/** A thread's own heap: a page that needs more to be parsed ends the thread, while the rest of the app lives on. */
const heapMb = 512
/** So many run wherever it is; more need room for their heaps. */
const modestThreads = 2
const hasRoom = (): boolean => process.availableMemory() > 2 * heapMb * 1024 ** 2
const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 8 }

const failed = (failure: ArchiveFailure): Omit<Report, 'seq'> => ({ result: fail(failure), steps: [] })

const stopped = (code: CauseCode): Omit<Report, 'seq'> => failed({ kind: 'storage_failed', reason: cause(code) })

/** What the end of a thread means for its job. Running out of memory is the archive's doing, anything else a bug. */
const crashed = (error: Error): Omit<Report, 'seq'> =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? failed({ kind: 'content_too_large', what: cause('page_memory'), limit: heapMb * 1024 ** 2 })
    : stopped('unpacking_stopped')

/**
 * `script` is the built or the TypeScript worker, `threads` how many run at most, where there is memory; they start with the first jobs, stay
 * for the next ones, end after `restMs` without any, and while idle do not keep the process alive. `onCrash` hears of
 * bugs, for the log.
 */
export function createArchiveWorkers(options: {
  readonly script: string | URL
  readonly threads: number
  readonly restMs?: number
  readonly onCrash?: (error: Error) => void
}): ArchiveWorkers {
  const threads = new Set<Thread>()
  const waiting: Waiting[] = []
  let lastSeq = 0
  let closed = false

  const start = (): Thread => {
    // A thread takes none of the flags that the process was started with: they were meant for its own script.
    const worker = new Worker(options.script, { resourceLimits, execArgv: [] })
    const thread: Thread = { worker, current: null, rest: null }
    threads.add(thread)
    worker.on('message', (report: Report) => {
      if (report.seq === thread.current?.seq) finish(thread, report)
    })
    worker.on('error', (error) => {
      options.onCrash?.(error)
      threads.delete(thread)
      finish(thread, crashed(error))
    })
    worker.on('exit', () => {
      if (thread.rest) clearTimeout(thread.rest)
      threads.delete(thread)
      finish(thread, stopped(closed ? 'closing' : 'unpacking_stopped'))
    })
    return thread
  }
  const finish = (thread: Thread, outcome: Omit<Report, 'seq'>): void => {
    thread.worker.unref()
    const { current } = thread
    thread.current = null
    current?.answer({ result: outcome.result, steps: outcome.steps })
    assign()
    if (thread.current !== null || !threads.has(thread)) return
    // What a large page has left in its heap goes with it.
    thread.rest = setTimeout(() => {
      threads.delete(thread)
      void thread.worker.terminate()
    }, options.restMs ?? restMs).unref()
  }
  const assign = (): void => {
    if (closed) return
    while (waiting.length > 0) {
      const idle = [...threads].find((thread) => thread.current === null)
      const isFull = threads.size >= options.threads || (threads.size >= modestThreads && !hasRoom())
      if (idle === undefined && isFull) return
      const next = waiting.shift()
      if (next === undefined) return
      const thread = idle ?? start()
      if (thread.rest) clearTimeout(thread.rest)
      lastSeq += 1
      thread.current = { seq: lastSeq, answer: next.answer }
      thread.worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
      thread.worker.postMessage({ seq: lastSeq, job: next.job } satisfies Request)
    }
  }

  return {
    run: async <J extends Job>(job: J) => {
      const outcome = closed
        ? stopped('closing')
        : await new Promise<Omit<Report, 'seq'>>((resolve) => {
            waiting.push({ job, answer: resolve })
            assign()
          })
      // Meets the wire: the thread answers a job of one kind with a result of that kind.
      return { result: outcome.result as JobResult<J>, steps: outcome.steps }
    },
    close: async () => {
      closed = true
      for (const { answer } of waiting.splice(0)) answer(stopped('closing'))
      await Promise.all([...threads].map((thread) => thread.worker.terminate()))
    },
  }
}
