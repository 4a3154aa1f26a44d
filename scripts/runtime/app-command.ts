/** The command that starts the app's window on a given display. */

import type { Display } from './display.ts'
import type { FoundElectron } from './electron.ts'
import { projectRoot } from './project.ts'

/** Executable, switches and app folder; more arguments may follow. */
export function appCommand(
  electron: FoundElectron,
  display: Display,
  folder: string = projectRoot,
): readonly [string, ...string[]] {
  const switches: string[] = []
  // Chromium refuses to run its sandbox as root.
  if (process.getuid?.() === 0) switches.push('--no-sandbox')
  // On a minimal system, Chromium reports every desktop service that is missing. None is expected there.
  if (display.kind === 'started') switches.push('--log-level=3')
  // Older versions of Electron try only X11 and need this switch in a pure Wayland session.
  if (process.platform === 'linux' && !display.env['DISPLAY'] && display.env['WAYLAND_DISPLAY']) {
    switches.push('--ozone-platform=wayland')
  }
  return [electron.executable, ...switches, folder]
}
