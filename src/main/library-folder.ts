import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the library lies unless told otherwise: the data folder of the user, the same for app and command line. */
export function defaultLibraryFolder(environment: Readonly<Record<string, string | undefined>>): string {
  if (environment.GALLEY_LIBRARY) return environment.GALLEY_LIBRARY
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Galley', 'library')
  if (process.platform === 'win32') return join(environment.APPDATA ?? homedir(), 'Galley', 'library')
  return join(environment.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'galley')
}
