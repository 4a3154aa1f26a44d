import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import type { Sha256 } from '../../contract/ids.ts'

/** A slice of one of the vault's files; sizes and offsets in bytes. */
export interface Slice {
  readonly file: Sha256
  readonly offset: number
  readonly sizeBytes: number
}

/** A synced file in a staging folder, named by its hash once it is adopted. */
export interface Staged {
  readonly path: string
  readonly sha256: Sha256
}

/** Files that have moved to their places. */
export interface Adoption {
  /** To be called when the index has decided: what it names stays, the rest is deleted again. */
  settle(): Promise<void>
}

/**
 * The files of a library, each named by the SHA-256 of its bytes: media, packs of small blobs, pages, states, archives.
 * No name from outside ever becomes a path here. `isNamed` asks the index whether some blob lies in a file.
 */
export async function openVault(folder: string, isNamed: (file: Sha256) => boolean) {
  const stagingRoot = join(folder, 'staging')
  const filesRoot = join(folder, 'files')
  // Sixteen folders: few enough to sync each after a save, many enough that none grows out of hand.
  const shards = '0123456789abcdef'.split('').map((digit) => join(filesRoot, digit))
  await mkdir(stagingRoot, { recursive: true, mode: 0o700 })
  for (const shard of shards) await mkdir(shard, { recursive: true, mode: 0o700 })

  const shardOf = (file: Sha256): string => join(filesRoot, file.charAt(0))
  const pathOf = (file: Sha256): string => join(shardOf(file), file)

  // Files that a running job has moved into place and the index does not name yet; two jobs may share one.
  const claims = new Map<Sha256, number>()
  const release = (file: Sha256): boolean => {
    const left = (claims.get(file) ?? 1) - 1
    if (left > 0) claims.set(file, left)
    else claims.delete(file)
    return left <= 0
  }

  return {
    pathOf,

    /** A new empty folder for one job, on the same volume as the files: a rename out of it is atomic. */
    async stage(): Promise<string> {
      const directory = join(stagingRoot, randomUUID())
      await mkdir(directory, { mode: 0o700 })
      return directory
    },

    discard: (directory: string): Promise<void> => rm(directory, { recursive: true, force: true }),

    /**
     * Moves synced files to their places and makes the moves durable. A file that is already there is replaced by the
     * same bytes, which also mends one that was lost or damaged.
     */
    async adopt(staged: readonly Staged[]): Promise<Adoption> {
      const files = staged.map(({ sha256 }) => sha256)
      for (const file of files) claims.set(file, (claims.get(file) ?? 0) + 1)
      const settle = async () => {
        const orphans = files.filter((file) => release(file) && !isNamed(file))
        await Promise.all(orphans.map((file) => rm(pathOf(file), { force: true })))
      }
      try {
        await Promise.all(staged.map(({ path, sha256 }) => rename(path, pathOf(sha256))))
        await Promise.all([...new Set(files.map(shardOf))].map(syncDirectory))
      } catch (error) {
        await settle()
        throw error
      }
      return { settle }
    },

    read: ({ file, offset, sizeBytes }: Slice): Readable =>
      // A range of nothing cannot be told to createReadStream.
      sizeBytes === 0
        ? Readable.from([])
        : createReadStream(pathOf(file), { start: offset, end: offset + sizeBytes - 1 }),

    async readBytes({ file, offset, sizeBytes }: Slice): Promise<Buffer> {
      const handle = await open(pathOf(file))
      try {
        const bytes = Buffer.alloc(sizeBytes)
        let at = 0
        while (at < sizeBytes) {
          const { bytesRead } = await handle.read(bytes, at, sizeBytes - at, offset + at)
          if (bytesRead === 0) throw new Error('A stored file is shorter than the index says')
          at += bytesRead
        }
        return bytes
      } finally {
        await handle.close()
      }
    },

    /** Size of a file in bytes, or null when it is not there. */
    sizeOf: (file: Sha256): Promise<number | null> =>
      stat(pathOf(file)).then(
        (found) => found.size,
        () => null,
      ),

    /** Empties staging: what lies there belongs to jobs that died. Only the owner of the library may call it. */
    async sweepStaging(): Promise<void> {
      for (const name of await readdir(stagingRoot)) await rm(join(stagingRoot, name), { recursive: true, force: true })
    },

    /** Deletes files that neither the index nor a running job names, and says how many. Only for the owner. */
    async sweepOrphans(signal?: AbortSignal): Promise<number> {
      let swept = 0
      for (const shard of shards) {
        for (const name of await readdir(shard)) {
          if (signal?.aborted) return swept
          const file = name as Sha256
          if (claims.has(file) || isNamed(file)) continue
          await rm(join(shard, name), { force: true })
          swept += 1
        }
      }
      return swept
    },
  }
}

export type Vault = Awaited<ReturnType<typeof openVault>>

/** Makes renames inside a folder durable; Windows has no such call and needs none. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
