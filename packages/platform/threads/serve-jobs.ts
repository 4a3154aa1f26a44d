import { parentPort } from 'node:worker_threads'
import type { TaskProgress } from '@galley/wire'

import type { FromThread, ToThread } from './messages.ts'

/** The context of a job. */
export interface JobContext {
  /** Queries the main thread, which alone has the index. The caller of the job answers. */
  readonly ask: (name: string, input: unknown) => Promise<unknown>
  readonly signal: AbortSignal
  readonly progress: (progress: TaskProgress) => void
}

/** The handlers of a thread for each job of a `Background<Jobs>`. */
export type JobHandlers<Jobs extends { readonly [Name in keyof Jobs]: { input: unknown; output: unknown } }> = {
  readonly [Name in keyof Jobs]: (input: Jobs[Name]['input'], context: JobContext) => Promise<Jobs[Name]['output']>
}

/** Makes this thread a background thread with one job at a time. A bug ends the thread and only its job. */
export function serveJobs(handlers: Readonly<Record<string, (input: never, context: JobContext) => Promise<unknown>>>) {
  const port = parentPort
  if (port === null) throw new Error('A background thread only runs as a thread')

  const send = (message: FromThread): void => port.postMessage(message)
  const asked = new Map<number, (output: unknown) => void>()
  let lastNumber = 0
  let cancel = new AbortController()

  const ask: JobContext['ask'] = (name, input) =>
    new Promise((resolve) => {
      lastNumber += 1
      asked.set(lastNumber, resolve)
      send({ kind: 'ask', number: lastNumber, name, input })
    })

  async function run(name: string, input: unknown, signal: AbortSignal): Promise<void> {
    try {
      const handler = handlers[name]
      if (handler === undefined) throw new Error(`No background job is called ${name}`)
      // Types meet the wire: `Background` ties each input to its name.
      const output = await handler(input as never, {
        ask,
        signal,
        progress: (progress) => send({ kind: 'progress', progress }),
      })
      send({ kind: 'done', output })
    } catch (error) {
      if (signal.aborted) return send({ kind: 'cancelled' })
      // Thrown outside the promise, because runtimes treat unhandled rejections in a thread differently.
      setImmediate(() => {
        throw error
      })
    }
  }

  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'answer':
        asked.get(message.number)?.(message.output)
        asked.delete(message.number)
        return
      case 'cancel':
        cancel.abort()
        return
      case 'job':
        cancel = new AbortController()
        void run(message.name, message.input, cancel.signal)
    }
  })
}
