/** `npm run -s galley -- COMMAND`: runs the command line on plain Node, and builds it first if needed. */

import { createRequire } from 'node:module'

import { cliFile, ensureBuilt } from './runtime/built.ts'
import { endWithNpmShell } from './runtime/npm-shell.ts'
import { projectRoot } from './runtime/project.ts'
import { runScript } from './runtime/unavailable.ts'

endWithNpmShell()
await runScript(async () => {
  await ensureBuilt()
  // npm changes to the project's root first, but relative paths refer to the folder where the user typed the command.
  const typedIn =
    process.env['npm_lifecycle_event'] === 'galley' && process.cwd() === projectRoot && process.env['INIT_CWD']
  if (typedIn) process.chdir(typedIn)
  // Runs in this process, so that arguments, signals and the exit code are those of the command line.
  process.argv[1] = cliFile
  createRequire(import.meta.url)(cliFile)
  return Number(process.exitCode ?? 0)
})
