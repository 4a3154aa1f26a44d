import { join } from 'node:path'

import { version } from '../../../../package.json'
import { ignoreWriteErrors } from '../../platform/logging/standard-streams.ts'
import { widenThreadPool } from '../../platform/threads/libuv-pool.ts'
import { run } from './run.ts'

// The command line on plain Node. Uses the same core as the app.
widenThreadPool()
ignoreWriteErrors(process.stdout)
ignoreWriteErrors(process.stderr)

const code = run({
  args: process.argv.slice(2),
  environment: process.env,
  version,
  built: join(__dirname, '..'),
  workerScript: join(__dirname, 'worker.js'),
  backgroundScript: join(__dirname, 'background.js'),
  editorFolder: join(__dirname, '..', 'renderer'),
  themesFolder: join(__dirname, '..', '..', 'resources', 'themes'),
  demoFolder: join(__dirname, '..', '..', 'resources', 'demo'),
})
// Output that could not be written has set the exit code already.
void code.then((value) => (process.exitCode = value || process.exitCode || 0))
