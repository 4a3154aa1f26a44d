import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { unlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { makeFolder } from '../platform/disk/make-folder.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The data folder of the user: where a library lies unless somebody chose another place. */
function usualFolder(environment: Environment): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Galley', 'library')
  if (process.platform === 'win32') return join(environment.APPDATA ?? homedir(), 'Galley', 'library')
  return join(environment.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'galley')
}

const signpost = (environment: Environment): string => join(usualFolder(environment), 'library-is-elsewhere.json')

/** Where the library lies unless told otherwise: the chosen folder, else the usual one; the same for app and command line. */
export function defaultLibraryFolder(environment: Environment): string {
  if (environment.GALLEY_LIBRARY) return environment.GALLEY_LIBRARY
  try {
    const { folder } = JSON.parse(readFileSync(signpost(environment), 'utf8')) as { folder?: unknown }
    if (typeof folder === 'string') return folder
  } catch {
    // No signpost, so the library is where it usually is.
  }
  return usualFolder(environment)
}

/** Whether this is a folder in which files can be made and deleted; asked by doing so. */
export async function canKeepLibrary(folder: string): Promise<boolean> {
  const probe = join(folder, `.galley-probe-${randomUUID()}`)
  try {
    await writeFile(probe, '', { flag: 'wx' })
    await unlink(probe)
    return true
  } catch {
    // Gone, no folder, read-only or not ours: whichever it is, another one has to be chosen.
    return false
  }
}

/** Whether starts with this environment open another library than the one that was chosen. */
export interface Remembered {
  readonly isOverruled: boolean
}

/** From the next start on, this folder is the library unless told otherwise. */
export async function rememberLibraryFolder(environment: Environment, folder: string): Promise<Remembered> {
  await makeFolder(usualFolder(environment), 0o700)
  await writeFile(signpost(environment), JSON.stringify({ folder }), { mode: 0o600 })
  return { isOverruled: Boolean(environment.GALLEY_LIBRARY) }
}
