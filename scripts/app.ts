/** `npm start`: builds if needed, finds Electron and a display, and runs the app until it is closed. */

import { appCommand } from './runtime/app-command.ts'
import { ensureBuilt } from './runtime/built.ts'
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
    if (display.kind === 'started')
      console.error('Display: this machine has none, so the window opens on a virtual one nobody sees')
    const [executable, ...args] = appCommand(electron, display)
    // Electron removes Node's variable from its environment.
    const { NODE_EXTRA_CA_CERTS: file } = process.env
    const environment = file === undefined ? display.env : { GALLEY_CA_CERTS: file, ...display.env }
    return runInForeground(executable, [...args, ...process.argv.slice(2)], environment)
  })
})
