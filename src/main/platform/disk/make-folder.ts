import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those it lies in, with exactly this mode where one is given, whatever the umask is; one that is there
 * is left as it is. Throws what the system refuses. Not Node's own
 * recursive `mkdir`: that tries for ever where a folder is there and takes nothing new, as below /proc.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  if (await isFolder(path)) return
  // The root is its own parent: where not even that is a folder, the last `mkdir` says so.
  if (dirname(path) !== path) await makeFolder(dirname(path), mode)
  try {
    await mkdir(path, { mode: mode ?? 0o777 })
    if (mode !== undefined) await chmod(path, mode)
  } catch (error) {
    // Somebody else may have made it in between.
    if (!(await isFolder(path))) throw error
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
