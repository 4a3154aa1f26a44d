import { createReadStream } from 'node:fs'
import { open, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { realDisk } from '../disk/disk.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { unlessModeIsFixed } from '../disk/share-limits.ts'
import { syncFolder } from '../disk/sync-folder.ts'
import { isSystemError } from '../disk/system-error.ts'
import { chunksOf } from '../network/chunks.ts'
import type { OutgoingFile, Store } from './store.ts'
import { sweepTemporaryFiles, temporaryName } from './temporary-files.ts'

/** What the system says of a file that cannot be there. */
const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

function unlessAbsent(error: unknown): null {
  if (isSystemError(error) && absent.has(error.code)) return null
  throw error
}

/**
 * The folder of a web server, which other programs may use too, and in which folders may be links. Each file is written under a
 * temporary name, synced and renamed.
 */
export function folderStore(directory: string) {
  const root = join(directory)
  const at = (path: string): string => join(root, path)
  const swept = new Set<string>()

  /** Once for each folder and process: media folders are large, and leftovers come from earlier processes. */
  async function sweepOnce(folder: string): Promise<void> {
    if (swept.has(folder)) return
    swept.add(folder)
    await sweepTemporaryFiles(folder)
  }

  async function write(place: string, { bytes, read }: OutgoingFile): Promise<void> {
    await using file = await open(place, 'wx', 0o644)
    // The web server runs as another user, who could not read the file with a strict umask.
    await unlessModeIsFixed(file.chmod(0o644))
    await file.writeFile(read(0, bytes))
    await file.sync()
  }

  return {
    address: root,
    hasHeaders: false,
    atATime: 8,

    async head({ path, bytes, sha256 }): Promise<'there' | 'missing'> {
      const found = await stat(at(path)).catch(() => null)
      if (found?.isFile() !== true || found.size !== bytes) return 'missing'
      // A file that cannot be read is written again, which reports the cause.
      return (await realDisk.hash(at(path)).catch(() => null)) === sha256 ? 'there' : 'missing'
    },

    async get<Value>(path: string, take: (bytes: AsyncIterable<Buffer>) => Promise<Value>): Promise<Value | null> {
      return (await stat(at(path)).catch(unlessAbsent)) === null ? null : take(chunksOf(createReadStream(at(path))))
    },

    async put(file: OutgoingFile) {
      const place = at(file.path)
      await makeFolder(dirname(place), 0o755)
      // Temporary files are in a few folders, so that leftovers are found. Not in the topmost, because `media` may be a link
      // to another disk.
      const [first = '', ...below] = file.path.split('/')
      const top = below.length > 0 ? at(first) : root
      await sweepOnce(top)
      const temporary = join(top, temporaryName())
      try {
        await write(temporary, file)
        await rename(temporary, place)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      return {}
    },

    /** Returns whether there was no such file. */
    async create(file: OutgoingFile): Promise<boolean> {
      await makeFolder(dirname(at(file.path)), 0o755)
      try {
        await write(at(file.path), file)
        return true
      } catch (error) {
        if (isSystemError(error) && error.code === 'EEXIST') return false
        throw error
      }
    },

    /** Also deletes the folders that are empty then. */
    async delete(paths: readonly string[]): Promise<void> {
      for (const path of paths) {
        await rm(at(path), { force: true }).catch(unlessAbsent)
        await removeEmpty(dirname(at(path)), root).catch(() => undefined)
      }
    },

    /** Makes files survive a power failure under their names. */
    async sync(paths: readonly string[]): Promise<void> {
      const folders = new Set<string>()
      for (const path of paths)
        for (let folder = dirname(at(path)); !folders.has(folder); folder = dirname(folder)) {
          folders.add(folder)
          if (folder === root) break
        }
      await Promise.all([...folders].map(syncFolder))
    },
  } satisfies Partial<Store> & Readonly<Record<string, unknown>>
}

/** Removes folders up to the first one that has something. */
async function removeEmpty(inner: string, root: string): Promise<void> {
  for (let folder = inner; folder !== root; folder = dirname(folder)) await rmdir(folder)
}
