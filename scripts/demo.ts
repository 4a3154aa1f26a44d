/** `npm run demo`: runs the demo of the command line and gives it a window to show at the end. */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { appCommand } from './runtime/app-command.ts'
import { cliFile, ensureBuilt } from './runtime/built.ts'
import { ensureSystem } from './runtime/debian.ts'
import { withDisplay } from './runtime/display.ts'
import { findElectron } from './runtime/electron.ts'
import { endWithNpmShell } from './runtime/npm-shell.ts'
import { runInForeground } from './runtime/processes.ts'
import { runScript } from './runtime/unavailable.ts'

endWithNpmShell()
await runScript(async () => {
  await ensureBuilt()
  await ensureSystem(['electron'])
  const electron = await findElectron()
  return withDisplay((display) => {
    const window = ['--window', JSON.stringify(appCommand(electron, display))]
    // A virtual display is not visible to the user, so a picture replaces the window. Its folder is kept.
    const picture =
      display.kind === 'started'
        ? ['--screenshot', join(mkdtempSync(join(tmpdir(), 'galley-demo-')), 'window.png')]
        : []
    return runInForeground(
      process.execPath,
      [cliFile, 'demo', ...window, ...picture, ...process.argv.slice(2)],
      display.env,
    )
  })
})
