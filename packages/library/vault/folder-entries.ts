import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** An entry of a folder, with everything below it. */
export interface FolderEntry {
  readonly name: string
  readonly files: number
  readonly bytes: number
  /** The last modification of the entry itself. */
  readonly changedMs: number
}

/** The entries of a folder; none when it does not exist. Entries that disappear during the scan are skipped. */
export async function entriesIn(folder: string): Promise<readonly FolderEntry[]> {
  const names = await readdir(folder).catch(() => [])
  const entries = await Promise.all(names.map((name) => entryAt(folder, name)))
  return entries.filter((entry) => entry !== null)
}

async function entryAt(folder: string, name: string): Promise<FolderEntry | null> {
  const path = join(folder, name)
  const status = await lstat(path).catch(() => null)
  if (status === null) return null
  const changedMs = status.mtimeMs
  if (!status.isDirectory()) return { name, files: 1, bytes: status.size, changedMs }
  const below = await entriesIn(path)
  return {
    name,
    files: below.reduce((sum, { files }) => sum + files, 0),
    bytes: below.reduce((sum, { bytes }) => sum + bytes, 0),
    changedMs,
  }
}
