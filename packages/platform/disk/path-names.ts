/** The longest name of a file or folder that disks can hold, in bytes. */
const nameMaxBytes = 255

/** Whether no disk can hold a file at this path. */
export const isTooLong = (path: string): boolean =>
  path.split('/').some((part) => Buffer.byteLength(part) > nameMaxBytes)

/** The paths of the folders that a file at this path is in: `a` and `a/b` for `a/b/c`. */
export const foldersOf = (path: string): readonly string[] =>
  Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index))
