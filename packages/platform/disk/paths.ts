import { access, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** The longest name of a file or folder that disks can hold, in bytes. */
const nameMaxBytes = 255

/** Whether no disk can hold a file at this path. */
export const isTooLong = (path: string): boolean =>
  path.split('/').some((part) => Buffer.byteLength(part) > nameMaxBytes)

/** The paths of the folders that a file at this path is in: `a` and `a/b` for `a/b/c`. */
export const foldersOf = (path: string): readonly string[] =>
  Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index))

/** The absolute path without symbolic links. Its last parts need not exist. */
export async function withoutLinks(path: string): Promise<string> {
  const at = resolve(path)
  try {
    return await realpath(at)
  } catch {
    return at === dirname(at) ? at : join(await withoutLinks(dirname(at)), basename(at))
  }
}

/**
 * A path of the app's own files as functions can read it that Electron does not answer inside an `app.asar`, `opendir` and `cp`
 * among them: packages have these files beside the archive. Elsewhere the path itself.
 */
export const outsideAsar = (path: string): string => path.replace(/\.asar(?=[/\\])/, '.asar.unpacked')

/** Whether the path exists and is accessible. */
export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The size of these files together, in bytes. Files that cannot be read count 0. */
export async function sizeOfFiles(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
