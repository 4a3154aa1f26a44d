/** `npm run -s galley -- COMMAND`: the command line on plain Node, built first when that is needed. */
import { createRequire } from 'node:module'
import { cliFile, ensureBuilt } from './runtime/built.ts'
import { endWithNpmShell } from './runtime/npm-shell.ts'
import { projectRoot } from './runtime/project.ts'
import { runScript } from './runtime/unavailable.ts'

endWithNpmShell()
await runScript(async () => {
  await ensureBuilt()
  // npm moves to the project's root first; relative paths are meant from where the user typed the command.
  const typedIn =
    process.env['npm_lifecycle_event'] === 'galley' && process.cwd() === projectRoot && process.env['INIT_CWD']
  if (typedIn) process.chdir(typedIn)
  // In this very process, so that arguments, signals and the exit code are the command line's own.
  process.argv[1] = cliFile
  createRequire(import.meta.url)(cliFile)
  return Number(process.exitCode ?? 0)
})
