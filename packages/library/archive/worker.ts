import { parentPort } from 'node:worker_threads'

import type { Job, Report } from './jobs.ts'
import { runJob } from './run-job.ts'

// The entry point of the archive thread: one job at a time. A bug ends the thread and only its job.
const port = parentPort
if (port === null) throw new Error('The archive worker only runs as a thread')

port.on('message', (job: Job) => {
  runJob(job)
    .then((outcome) => port.postMessage(outcome satisfies Report))
    // Thrown outside the promise, because runtimes treat unhandled rejections in a thread differently.
    .catch((error: unknown) =>
      setImmediate(() => {
        throw error
      }),
    )
})
