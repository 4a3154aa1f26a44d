import { createHash, randomBytes } from 'node:crypto'
import { constants, copyFileSync, fsyncSync, openSync, closeSync, renameSync, rmSync } from 'node:fs'
import { link, lstat, open, readdir, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { makeFolder } from './make-folder.ts'
import { unlessModeIsFixed } from './share-limits.ts'
import { syncFolder } from './sync-folder.ts'
import { isSystemError } from './system-error.ts'

export type Kind = 'file' | 'folder' | 'link' | 'other'

/** The disk operations of an export. Each is one system call or one file, so that a test can stop it at any point. */
export interface Disk {
  /** The entry at this path itself, without following links; null if there is none. */
  inspect(path: string): Promise<{ readonly kind: Kind; readonly sizeBytes: number } | null>
  list(folder: string): Promise<readonly string[]>
  makeFolder(path: string): Promise<void>
  /** Creates a file with these bytes and syncs it to disk. Fails if the path exists. */
  create(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  readText(path: string): Promise<string>
  hash(path: string): Promise<string>
  /** Gives a file a second name. Returns false if that is impossible, as on a file system without such names. */
  link(from: string, to: string): Promise<boolean>
  /** At once: between two pages that change together, nothing else happens. */
  rename(from: string, to: string): void
  remove(path: string): Promise<void>
  /** Removes the folder if it is empty. */
  removeFolder(path: string): Promise<void>
  /** Syncs a folder, so that created, renamed and removed entries survive a power failure. */
  syncFolder(path: string): Promise<void>
}

// Windows has no such flag, and requires a privilege to create a link.
const noFollow = constants.O_NOFOLLOW ?? 0
const readBytes = 64 * 1024

export const realDisk: Disk = {
  async inspect(path) {
    try {
      const stats = await lstat(path)
      const kind = stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other'
      return { kind, sizeBytes: stats.size }
    } catch (error) {
      if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
      throw error
    }
  },
  list: (folder) => readdir(folder),
  makeFolder: (path) => makeFolder(path, 0o755),
  async create(path, chunks) {
    await using file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o644)
    // A web server runs as another user, who could not read the file with a strict umask.
    await unlessModeIsFixed(file.chmod(0o644))
    for await (const chunk of chunks) await file.writeFile(chunk)
    await file.sync()
  },
  async readText(path) {
    await using file = await open(path, constants.O_RDONLY | noFollow)
    return await file.readFile('utf8')
  },
  async hash(path) {
    await using file = await open(path, constants.O_RDONLY | noFollow)
    const hash = createHash('sha256')
    // Most files are small, and a stream takes twice as long.
    const buffer = Buffer.allocUnsafe(readBytes)
    while (true) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
    }
  },
  async link(from, to) {
    try {
      await link(from, to)
      return true
    } catch (error) {
      if (!isSystemError(error)) throw error
      return false
    }
  },
  rename,
  remove: unlink,
  async removeFolder(path) {
    try {
      await rmdir(path)
    } catch (error) {
      // The folder contains files of others.
      if (!isSystemError(error) || !['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code)) throw error
    }
  },
  syncFolder,
}

/** A disk may be mounted inside the target, such as at `media`: then a copy beside the final path is renamed. */
function rename(from: string, to: string): void {
  try {
    return renameSync(from, to)
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EXDEV') throw error
  }
  const beside = join(dirname(to), temporaryName())
  try {
    copyFileSync(from, beside, constants.COPYFILE_EXCL)
    const file = openSync(beside, 'r+')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(beside, to)
  } finally {
    rmSync(beside, { force: true })
  }
  rmSync(from)
}

/** The name of an unfinished file. The leading dot keeps it different from every name in a bundle. */
export const temporaryName = (): string => `.galley-${randomBytes(8).toString('hex')}.tmp`
export const isTemporaryName = (name: string): boolean => /^\.galley-[0-9a-f]{16}\.tmp$/.test(name)
