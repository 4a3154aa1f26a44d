import { foldersOf, isTooLong, sha256Of } from '@galley/platform'

import { inertExtension, mayRunOnServer } from '../records/file-name.ts'
import type { Written } from './new-file.ts'

/** UTF-16 units that are kept of a name that is replaced. */
const keptUnits = 60

/** A file of an archive with the name under which it is stored and public. */
export interface StoredFile extends Written {
  readonly storedName: string
}

/**
 * Assigns the names under which files are stored: their own, except for a file in the folder of a web server that would
 * run it, or whose public path no disk could hold because a part of the name is too long or is the name of another
 * file. `folderOf` says which files share a folder. Depends on the archive alone, so a repeated save gets the same
 * names.
 */
export function withStoredNames(
  files: ReadonlyMap<string, Written>,
  isInFolder: boolean,
  folderOf: (file: Written) => string,
): ReadonlyMap<string, StoredFile> {
  const isFile = (file: Written, name: string): boolean => {
    const other = files.get(name)
    return other !== undefined && folderOf(other) === folderOf(file)
  }
  function storedName(name: string, file: Written): string {
    if (!isInFolder) return name
    if (mayRunOnServer(name)) return otherName(name, inertExtension(name))
    const isInFile = foldersOf(name).some((folder) => isFile(file, folder))
    return isTooLong(name) || isInFile ? otherName(name, /\.[A-Za-z0-9]{1,11}$/.exec(name)?.[0] ?? '') : name
  }
  return new Map(Array.from(files, ([name, file]) => [name, { ...file, storedName: storedName(name, file) }]))
}

/** Starts like the original name, contains no other dot, and is different for different names. */
function otherName(name: string, ending: string): string {
  const start = (name.endsWith(ending) ? name.slice(0, name.length - ending.length) : name)
    .replaceAll(/[/.]/g, '-')
    .slice(0, keptUnits)
  return `${start.replace(/[\uD800-\uDBFF]$/, '')}-${sha256Of(name).slice(0, 16)}${ending}`
}
