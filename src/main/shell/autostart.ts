import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '@galley/platform'

/** The autostart file of a Linux desktop, in the user's configuration folder. */
export const autostartFile = (configFolder: string): string => join(configFolder, 'autostart', 'galley.desktop')

/**
 * Quotes an argument of `Exec` (Desktop Entry Specification, "The Exec key"): escapes four characters and doubles `%`, then
 * escapes the result as a value of the file, where a line break would start another key.
 */
const quoted = (argument: string): string =>
  `"${argument.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')

/** Adds or removes a command that starts at login. Electron supports only the other systems. */
export async function setAutostart(file: string, command: readonly string[] | null): Promise<void> {
  if (command === null) return rm(file, { force: true })
  const lines = ['[Desktop Entry]', 'Type=Application', 'Name=Galley', `Exec=${command.map(quoted).join(' ')}`]
  await makeFolder(dirname(file))
  await writeFile(file, `${lines.join('\n')}\n`)
}
