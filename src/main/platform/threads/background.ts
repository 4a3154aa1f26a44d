import type { TaskProgress } from '../../../contract/ipc/tasks.ts'
import type { FromThread, ToThread } from './messages.ts'
import { createThreadPool } from './pool.ts'

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

/** `script` is the built or the TypeScript thread; one that has had nothing to do for `restMs` ends. */
export function createBackground<Jobs>(script: string | URL, restMs?: number): Background<Jobs> {
  const threads = createThreadPool({ script, heapMb: { old: 1024, young: 16 }, restMs })

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
              // Meets the wire: a job of one name ends with the output of that name.
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
