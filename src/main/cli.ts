import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nodeProblem, ownProcess } from '@galley/cli'
import { ignoreWriteErrors, widenThreadPool } from '@galley/platform'

// The command line on plain Node. Uses the same core as the app.
widenThreadPool()
ignoreWriteErrors(process.stdout)
ignoreWriteErrors(process.stderr)

const buildFolder = join(__dirname, '..')
const args = process.argv.slice(2)

/** An older Node may fail on reading the commands already, so they are loaded afterwards. */
async function run(): Promise<number> {
  const installed = join(buildFolder, '..', 'node_modules', 'node', 'bin', 'node')
  const paths = { running: process.execPath, installed: existsSync(installed) ? installed : null }
  const problem = nodeProblem(process.versions.node, paths)
  if (problem === null) {
    const commands = await import('./commands.ts')
    return commands.run({ host: ownProcess, args, environment: process.env, buildFolder })
  }
  if (/(?:^| )--(?:json|log[= ]json)(?: |$)/.test(args.join(' ')))
    process.stdout.write(`${JSON.stringify({ error: { code: 'node_too_old', message: problem } })}\n`)
  process.stderr.write(`galley: ${problem}\n`)
  return 2
}

// Output that could not be written has set the exit code already.
void run().then((value) => (process.exitCode = value || process.exitCode || 0))
