import type { TaskProgress } from '@galley/wire'

import type { FromThread, ToThread } from './messages.ts'
import type { PoolOptions } from './pool.ts'
import { createThreadPool } from './pool.ts'

/** Options of a job. */
export interface JobOptions {
  readonly signal?: AbortSignal
  readonly progress?: (progress: TaskProgress) => void
  /** Answers the job's queries to the index. Not needed for jobs without queries. */
  readonly answer?: (name: string, input: unknown) => Promise<unknown>
}

/**
 * Threads for work that would block the main thread. Each runs one job at a time; idle ones are reused for a while. `Jobs`
 * maps the name of each job to its `input` and `output`; a use case declares only its own jobs.
 */
export interface Background<Jobs> {
  /** Rejects if the signal aborts, the thread crashes, or Galley closes. */
  run<Name extends keyof Jobs & string>(
    name: Name,
    input: Jobs[Name] extends { input: infer Input } ? Input : never,
    options?: JobOptions,
  ): Promise<Jobs[Name] extends { output: infer Output } ? Output : never>
  close(): Promise<void>
}

/**
 * `script` is the built or the TypeScript thread. A thread ends after `restMs` without a job. `onIdleCrash` receives the error
 * of a thread that has none.
 */
export function createBackground<Jobs>(
  script: string | URL,
  onIdleCrash: PoolOptions['onIdleCrash'] = () => undefined,
  restMs?: number,
): Background<Jobs> {
  const threads = createThreadPool({ script, heapMb: { old: 1024, young: 16 }, restMs, onIdleCrash })

  return {
    run: (name, input, { signal, progress, answer } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(abortError())
        const worker = threads.take()
        const send = (message: ToThread): void => worker.postMessage(message)
        const onAbort = (): void => send({ kind: 'cancel' })
        const end = (): void => {
          signal?.removeEventListener('abort', onAbort)
          worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        }
        const onExit = (): void => {
          end()
          reject(signal?.aborted ? abortError() : new Error(`The thread ended before ${name} did`))
        }
        const release = (): void => {
          end()
          threads.keep(worker)
        }
        const onError = (error: Error): void => {
          end()
          reject(error)
        }
        const onMessage = (message: FromThread): void => {
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
              // Types meet the wire: a job ends with the output for its name.
              return resolve(message.output as never)
            case 'cancelled':
              release()
              return reject(abortError())
          }
        }
        worker.on('message', onMessage).once('error', onError).once('exit', onExit)
        signal?.addEventListener('abort', onAbort)
        send({ kind: 'job', name, input })
      }),
    close: threads.close,
  }
}

const abortError = (): Error => new DOMException('The work was cancelled', 'AbortError')
