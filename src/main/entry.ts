import { join } from 'node:path'
import { ownProcess } from '@galley/cli'
import { ignoreWriteErrors, print, widenThreadPool } from '@galley/platform'
import { app } from 'electron'

// The first script of an installed app: its window, or the command line for `/usr/bin/galley`, which gives `--cli`, switches of
// Chromium, and after `--` what was typed.
const [, first = '', ...more] = process.argv
if (first === '--cli') void runCommand(more.slice(more.indexOf('--') + 1))
else if (/^(?:[a-z]+|--help|--version)$/.test(first)) {
  print(
    process.stderr,
    `This is Galley's window, which knows no commands. Type: galley ${[first, ...more].join(' ')}\n`,
  )
  app.exit(2)
} else void import('./index.ts')

async function runCommand(args: readonly string[]): Promise<void> {
  widenThreadPool()
  ignoreWriteErrors(process.stdout)
  ignoreWriteErrors(process.stderr)
  // Electron sets handlers for signals while it starts, in place of those that a command has set by then.
  await app.whenReady()
  const { run } = await import('./commands.ts')
  const code = await run({ host: ownProcess, args, environment: process.env, buildFolder: join(__dirname, '..') })
  // Unlike the end of a process, an exit does not wait for what was written.
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  // Output that could not be written has set the exit code already.
  app.exit(code || Number(process.exitCode ?? 0))
}
