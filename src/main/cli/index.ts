import { join } from 'node:path'

import { version } from '../../../package.json'
import { run } from './run.ts'

// The command line on plain Node: real edges for the same core that the app runs on.
// Whoever read our lines may be gone; a listener goes on without them.
process.stdout.on('error', () => undefined)

const code = run({
  args: process.argv.slice(2),
  environment: process.env,
  version,
  workerScript: join(__dirname, 'worker.js'),
  backgroundScript: join(__dirname, 'background.js'),
  editorFolder: join(__dirname, '..', 'renderer'),
  themesFolder: join(__dirname, '..', '..', 'resources', 'themes'),
  demoFolder: join(__dirname, '..', '..', 'resources', 'demo'),
})
void code.then((value) => (process.exitCode = value))
