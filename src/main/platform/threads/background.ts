import { Worker } from 'node:worker_threads'

import type { TaskProgress } from '../../../contract/ipc/tasks.ts'
import { restMs } from './rest.ts'
import type { FromThread, ToThread } from './messages.ts'

/** What can go with a job. */
export interface JobOptions {
  readonly signal?: AbortSignal
  readonly progress?: (progress: TaskProgress) => void
  /** Answers what the job asks about the index; a job that asks nothing needs none. */
  readonly answer?: (name: string, input: unknown) => Promise<unknown>
}

/**
 * Threads for work that would hold the main one: each has one job at a time, and idle ones are used again for a while.
 * `Jobs` maps the name of each job to its `input` and `output`; a use case asks for no more than its own.
 */
export interface Background<Jobs> {
  /** Rejects when the signal aborts, when the thread ends by a fault, or when Galley closes. */
  run<Name extends keyof Jobs & string>(
    name: Name,
    input: Jobs[Name] extends { input: infer Input } ? Input : never,
    options?: JobOptions,
  ): Promise<Jobs[Name] extends { output: infer Output } ? Output : never>
  close(): Promise<void>
}

/** As an unpacking thread: a text that needs more ends the thread, while the rest of the app lives on. */
const resourceLimits = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 16 }

/** `script` is the built or the TypeScript thread; one that has had nothing to do for `endsAfterMs` ends. */
export function createBackground<Jobs>(script: string | URL, endsAfterMs = restMs): Background<Jobs> {
  const threads = createThreads(script, endsAfterMs)

  return {
    run: (name, input, { signal, progress, answer } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(abortError())
        const worker = threads.take()
        const send = (message: ToThread): void => worker.postMessage(message)
        const onAbort = (): void => send({ kind: 'cancel' })
        const end = (): void => {
          signal?.removeEventListener('abort', onAbort)
          worker.removeAllListeners('message').removeAllListeners('error').off('exit', onExit)
        }
        const onExit = (): void => {
          end()
          reject(signal?.aborted ? abortError() : new Error(`The thread ended before ${name} did`))
        }
        const release = (): void => {
          end()
          threads.keep(worker)
        }
        worker.on('message', (message: FromThread) => {
          switch (message.kind) {
            case 'progress':
              return progress?.(message.progress)
            case 'ask': {
              const { number } = message
              const asked = answer?.(message.name, message.input) ?? Promise.resolve(null)
              return void asked.then(
                (output) => send({ kind: 'answer', number, output }),
                (error: unknown) => {
                  end()
                  void worker.terminate()
                  reject(error instanceof Error ? error : new Error(String(error)))
                },
              )
            }
            case 'done':
              release()
              // Meets the wire: a job of one name ends with the output of that name.
              return resolve(message.output as never)
            case 'cancelled':
              release()
              return reject(abortError())
          }
        })
        worker.once('error', (error) => {
          end()
          reject(error)
        })
        worker.once('exit', onExit)
        signal?.addEventListener('abort', onAbort)
        send({ kind: 'job', name, input })
      }),
    close: threads.close,
  }
}

const abortError = (): Error => new DOMException('The work was cancelled', 'AbortError')

/** Threads of one script. An idle one waits a while for its next job, then ends and gives its memory back. */
function createThreads(script: string | URL, endsAfterMs: number) {
  const idle: { readonly worker: Worker; readonly rest: NodeJS.Timeout }[] = []
  const threads = new Set<Worker>()

  /** An idle thread or a new one; it keeps the process alive until it is kept for later. */
  function take(): Worker {
    const known = idle.pop()
    if (known) {
      clearTimeout(known.rest)
      known.worker.ref()
      return known.worker
    }
    // A thread takes none of the flags that the process was started with: they were meant for its own script.
    const worker = new Worker(script, { resourceLimits, execArgv: [] })
    threads.add(worker)
    worker.once('exit', () => {
      threads.delete(worker)
      forget(worker)
    })
    return worker
  }

  function forget(worker: Worker): void {
    const at = idle.findIndex((other) => other.worker === worker)
    if (at !== -1) for (const { rest } of idle.splice(at, 1)) clearTimeout(rest)
  }

  function keep(worker: Worker): void {
    worker.unref()
    const rest = setTimeout(() => {
      forget(worker)
      void worker.terminate()
    }, endsAfterMs).unref()
    idle.push({ worker, rest })
  }

  return {
    take,
    keep,
    async close(): Promise<void> {
      await Promise.all([...threads].map((worker) => worker.terminate()))
    },
  }
}
