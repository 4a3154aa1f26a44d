import { sha256Of } from '../../platform/disk/sha256.ts'
import type { Written } from './new-file.ts'

/** The longest name of a file or folder that disks can hold, in bytes. */
const nameMaxBytes = 255

/** UTF-16 units that are kept of a name that is too long. */
const keptUnits = 60

/** A file of an archive with the name under which it is stored and public. */
export interface StoredFile extends Written {
  readonly storedName: string
}

/**
 * Gives files the names under which they are stored: their own, or a shorter one where no disk of a web server could hold
 * their public path. Then a part of the name is too long, or is the name of another file. `folderOf` says which files share
 * a folder. Depends on the archive alone, so a repeated save gets the same names.
 */
export function withStoredNames(
  files: ReadonlyMap<string, Written>,
  folderOf: (file: Written) => string,
): ReadonlyMap<string, StoredFile> {
  const isFile = (file: Written, name: string): boolean => {
    const other = files.get(name)
    return other !== undefined && folderOf(other) === folderOf(file)
  }
  return new Map(
    Array.from(files, ([name, file]) => {
      const parts = name.split('/')
      const isTooLong = parts.some((part) => Buffer.byteLength(part) > nameMaxBytes)
      const isInFile = parts.some((_, at) => at > 0 && isFile(file, parts.slice(0, at).join('/')))
      return [name, { ...file, storedName: isTooLong || isInFile ? shortName(name) : name }]
    }),
  )
}

/** Begins like the name, and tells different names apart. */
function shortName(name: string): string {
  const [ending = ''] = /\.[A-Za-z0-9]{1,11}$/.exec(name) ?? []
  const start = name
    .slice(0, name.length - ending.length)
    .replaceAll('/', '-')
    .slice(0, keptUnits)
  return `${start.replace(/[\uD800-\uDBFF]$/, '')}-${sha256Of(name).slice(0, 16)}${ending}`
}
