import { parentPort } from 'node:worker_threads'

import type { Ask, FromThread, ToThread } from './jobs.ts'
import { runJob } from './run-job.ts'

// The entry of a background thread: one job at a time. A bug ends the thread, and only its job.
const port = parentPort
if (port === null) throw new Error('A background thread only runs as a thread')

const send = (message: FromThread): void => port.postMessage(message)
const asked = new Map<number, (output: unknown) => void>()
let lastNumber = 0
let cancel = new AbortController()

const ask: Ask = (name, input) =>
  new Promise((resolve) => {
    lastNumber += 1
    asked.set(lastNumber, resolve as (output: unknown) => void)
    send({ kind: 'ask', number: lastNumber, name, input })
  })

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'answer':
      asked.get(message.number)?.(message.output)
      asked.delete(message.number)
      return
    case 'cancel':
      cancel.abort()
      return
    case 'job': {
      cancel = new AbortController()
      const { signal } = cancel
      runJob(message.name, message.input, { ask, signal, progress: (progress) => send({ kind: 'progress', progress }) })
        .then((output) => send({ kind: 'done', output }))
        .catch((error: unknown) => {
          if (signal.aborted) return send({ kind: 'cancelled' })
          // Thrown outside of the promise, since runtimes differ in what an unhandled rejection means to a thread.
          setImmediate(() => {
            throw error
          })
        })
    }
  }
})
