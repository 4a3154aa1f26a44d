import { nodeProblem, ownProcess, runKit } from '@galley/cli/kit'
import { ignoreWriteErrors } from '@galley/platform'

// The developer kit on plain Node: `npm run package -- kit` makes a package of it.
ignoreWriteErrors(process.stderr)
const problem = nodeProblem(process.versions.node, { running: process.execPath, installed: null })
if (problem === null) {
  const start = { host: ownProcess, args: process.argv.slice(2), environment: process.env, buildFolder: __dirname }
  void runKit(start).then((code) => (process.exitCode = code))
} else {
  process.stderr.write(`galley-kit: ${problem}\n`)
  process.exitCode = 2
}
