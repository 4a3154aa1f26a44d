import { parentPort } from 'node:worker_threads'

import type { Job, Report } from './jobs.ts'
import { runJob } from './run-job.ts'

// The entry of the archive thread: one job at a time. A bug ends the thread, and only its job.
const port = parentPort
if (port === null) throw new Error('The archive worker only runs as a thread')

port.on('message', (job: Job) => {
  runJob(job)
    .then((outcome) => port.postMessage(outcome satisfies Report))
    // Thrown outside of the promise, since runtimes differ in what an unhandled rejection means to a thread.
    .catch((error: unknown) =>
      setImmediate(() => {
        throw error
      }),
    )
})
