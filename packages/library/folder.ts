import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { unlink, writeFile } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { isThere, makeFolder, withoutLinks } from '@galley/platform'

type Environment = Readonly<Record<string, string | undefined>>

/** The user's data folder: the default location of a library. */
function defaultFolder(environment: Environment): string {
  // Never relative: a library that moves with the working directory is lost to the next start.
  const home = isAbsolute(homedir()) ? homedir() : userInfo().homedir
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Galley', 'library')
  if (process.platform === 'win32') return join(environment.APPDATA || home, 'Galley', 'library')
  const data = environment.XDG_DATA_HOME ?? ''
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), 'galley')
}

/** Where this computer remembers what it knows of newer versions, for every library of this user. */
export const updateNotesFile = (environment: Environment): string => join(defaultFolder(environment), 'updates.json')

const choiceFile = (environment: Environment): string => join(defaultFolder(environment), 'library-is-elsewhere.json')

/** The default library folder of the app and the command line: the chosen folder, otherwise the usual one. */
export function defaultLibraryFolder(environment: Environment): string {
  if (environment.GALLEY_LIBRARY) return environment.GALLEY_LIBRARY
  try {
    const { folder } = JSON.parse(readFileSync(choiceFile(environment), 'utf8')) as { folder?: unknown }
    if (typeof folder === 'string') return folder
  } catch {
    // No stored choice, so the library is at its usual location.
  }
  return defaultFolder(environment)
}

/** Whether files can be created and deleted in this folder. Tests it by doing so. */
export async function canKeepLibrary(folder: string): Promise<boolean> {
  const probe = join(folder, `.galley-probe-${randomUUID()}`)
  try {
    await writeFile(probe, '', { flag: 'wx' })
    await unlink(probe)
    return true
  } catch {
    // Missing, not a folder, read-only or not accessible: in any case a different one is needed.
    return false
  }
}

/** Whether the environment variable overrides the chosen library. */
export interface Remembered {
  readonly isOverruled: boolean
}

/** Stores this folder as the library for later starts. */
export async function rememberLibraryFolder(environment: Environment, folder: string): Promise<Remembered> {
  await makeFolder(defaultFolder(environment), 0o700)
  await writeFile(choiceFile(environment), JSON.stringify({ folder }), { mode: 0o600 })
  return { isOverruled: Boolean(environment.GALLEY_LIBRARY) }
}

/** Files of which each set is in a library only: one that was served, one that was opened, and one that was restored. */
const signs = [['owner.db'], ['files.db', 'index.db'], ['library.json', 'log']]

async function isLibrary(folder: string): Promise<boolean> {
  for (const names of signs) {
    const found = await Promise.all(names.map((name) => isThere(join(folder, name))))
    if (!found.includes(false)) return true
  }
  return false
}

/** Whether the folder is a library or inside one, by its real path; it need not exist. */
export async function isInLibrary(folder: string): Promise<boolean> {
  for (let at = await withoutLinks(folder); ; at = dirname(at)) {
    if (await isLibrary(at)) return true
    if (at === dirname(at)) return false
  }
}
