import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents, with exactly this mode if given, whatever the umask. Existing folders stay unchanged.
 * Throws the system's error. Node's recursive `mkdir` never returns if an existing parent accepts no new entries, for
 * example below /proc.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  if (await isFolder(path)) return
  // The root is its own parent. If it is not a folder either, the last `mkdir` throws.
  if (dirname(path) !== path) await makeFolder(dirname(path), mode)
  try {
    await mkdir(path, { mode: mode ?? 0o777 })
    if (mode !== undefined) await chmod(path, mode)
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!(await isFolder(path))) throw error
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
