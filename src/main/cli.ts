import { join } from 'node:path'

import { run } from './commands.ts'
import { ownProcess } from './edges/cli/host.ts'
import { ignoreWriteErrors } from './platform/logging/standard-streams.ts'
import { widenThreadPool } from './platform/threads/libuv-pool.ts'

// The command line on plain Node. Uses the same core as the app.
widenThreadPool()
ignoreWriteErrors(process.stdout)
ignoreWriteErrors(process.stderr)

const code = run({
  host: ownProcess,
  args: process.argv.slice(2),
  environment: process.env,
  buildFolder: join(__dirname, '..'),
})
// Output that could not be written has set the exit code already.
void code.then((value) => (process.exitCode = value || process.exitCode || 0))
