import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { makeFolder } from '../../platform/disk/make-folder.ts'

/** Where a Linux desktop looks for what starts at login, below the user's configuration folder. */
export const autostartFile = (configFolder: string): string => join(configFolder, 'autostart', 'galley.desktop')

/**
 * One argument of `Exec` (Desktop Entry Specification, "The Exec key"): in quotes, in which four signs are escaped and `%`
 * is doubled; then escaped once more as any value of such a file, where an end of line would begin another key.
 */
const quoted = (argument: string): string =>
  `"${argument.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')

/** Starts a command at login from now on, or no more; Electron knows how on the other systems only. */
export async function setAutostart(file: string, command: readonly string[] | null): Promise<void> {
  if (command === null) return rm(file, { force: true })
  const lines = ['[Desktop Entry]', 'Type=Application', 'Name=Galley', `Exec=${command.map(quoted).join(' ')}`]
  await makeFolder(dirname(file))
  await writeFile(file, `${lines.join('\n')}\n`)
}
