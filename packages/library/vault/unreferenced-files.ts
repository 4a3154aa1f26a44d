import { lstatSync, renameSync, rmSync } from 'node:fs'
import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import type { Sha256 } from '@galley/wire'

import type { FileLock } from '../db/file-lock.ts'
import type { FolderEntry } from './folder-entries.ts'
import { entriesIn } from './folder-entries.ts'

/** The vault's questions about files, answered by the index. */
export interface FileReferences {
  /** Whether a blob is in this file. */
  readonly isReferenced: (file: Sha256) => boolean
  /** Whether a blob was in it once, and it may be deleted. */
  readonly wasDropped: (file: Sha256) => boolean
}

/** Files with their total size. `left` counts those that were skipped because other jobs held the lock. */
export interface FoundFiles {
  readonly files: readonly Sha256[]
  readonly bytes: number
  readonly left: number
}

interface Ports {
  readonly shards: readonly string[]
  readonly pathOf: (file: Sha256) => string
  readonly asideFolder: string
  readonly references: FileReferences
  readonly lock: FileLock
}

/** Files to move or delete per lock. A save waits a few milliseconds for each batch. */
const batch = 32
const timeLimitMs = 10_000
const retryMs = 3

/**
 * Returns a function that processes files in batches, only while no save is between moving its files in and referencing
 * them. `dispose` returns the size of the file, or null to skip it.
 */
function inBatches(lock: FileLock) {
  async function soon(work: () => void, signal?: AbortSignal): Promise<boolean> {
    for (let waitedMs = 0; !lock.alone(work); waitedMs += retryMs) {
      if (waitedMs >= timeLimitMs || signal?.aborted) return false
      await delay(retryMs)
    }
    return true
  }

  return async function each(
    candidates: readonly Sha256[],
    dispose: (file: Sha256) => number | null,
    signal?: AbortSignal,
  ): Promise<FoundFiles> {
    const files: Sha256[] = []
    let bytes = 0
    let left = 0
    for (let at = 0; at < candidates.length; at += batch) {
      if (signal?.aborted) break
      const some = candidates.slice(at, at + batch)
      const isDone = await soon(() => {
        for (const file of some) {
          const size = dispose(file)
          if (size === null) continue
          files.push(file)
          bytes += size
        }
      }, signal)
      if (!isDone) {
        left = candidates.length - at
        break
      }
      await nextTurn()
    }
    return { files, bytes, left }
  }
}

/** The vault's operations on files that may be deleted: dropped, unknown and set-aside ones, and local copies. */
export function unreferencedFiles({ shards, pathOf, asideFolder, references: names, lock }: Ports) {
  const each = inBatches(lock)

  /** All files in the folders that contain no blob. */
  async function findUnreferenced(signal?: AbortSignal): Promise<readonly Sha256[]> {
    const found: Sha256[] = []
    for (const shard of shards) {
      const all = (await readdir(shard)) as Sha256[]
      for (let at = 0; at < all.length; at += 500) {
        if (signal?.aborted) break
        found.push(...all.slice(at, at + 500).filter((file) => !names.isReferenced(file)))
        await nextTurn()
      }
    }
    return found
  }

  const currentSize = (file: Sha256): number | null =>
    names.isReferenced(file) ? null : (lstatSync(pathOf(file), { throwIfNoEntry: false })?.size ?? null)

  return {
    /** Deletes those of these files that the index has dropped and not referenced again. */
    deleteDropped: (candidates: readonly Sha256[], signal?: AbortSignal): Promise<FoundFiles> =>
      each(
        candidates,
        (file) => {
          const size = names.wasDropped(file) ? currentSize(file) : null
          if (size !== null) rmSync(pathOf(file), { force: true })
          return size
        },
        signal,
      ),

    /** Deletes local copies of files that also exist elsewhere. */
    deleteCopies: (copies: readonly Sha256[], signal?: AbortSignal): Promise<FoundFiles> =>
      each(
        copies,
        (file) => {
          const size = lstatSync(pathOf(file), { throwIfNoEntry: false })?.size ?? null
          if (size !== null) rmSync(pathOf(file), { force: true })
          return size
        },
        signal,
      ),

    /**
     * Unknown files: unreferenced and never dropped, written before this moment. Includes files that a save is about to
     * reference.
     */
    async unreferenced(olderThanMs: number, signal?: AbortSignal): Promise<FoundFiles> {
      const files: Sha256[] = []
      let bytes = 0
      for (const file of await findUnreferenced(signal)) {
        if (signal?.aborted) break
        const status = await lstat(pathOf(file)).catch(() => null)
        if (status === null || status.mtimeMs >= olderThanMs || names.wasDropped(file)) continue
        files.push(file)
        bytes += status.size
      }
      return { files, bytes, left: 0 }
    },

    /** Those of these files that are still unreferenced while no save is running. */
    stillUnreferenced: (candidates: readonly Sha256[], signal?: AbortSignal): Promise<FoundFiles> =>
      each(candidates, currentSize, signal),

    /** Moves these files to `lost-and-found`, except those that were referenced in the meantime. */
    async setAside(candidates: readonly Sha256[], signal?: AbortSignal): Promise<FoundFiles> {
      if (candidates.length > 0) await mkdir(asideFolder, { recursive: true, mode: 0o700 })
      return each(
        candidates,
        (file) => {
          const size = currentSize(file)
          if (size !== null) renameSync(pathOf(file), join(asideFolder, file))
          return size
        },
        signal,
      )
    },

    /** The contents of `lost-and-found`. */
    lostAndFound: (): Promise<readonly FolderEntry[]> => entriesIn(asideFolder),

    deleteLostAndFound: (name: string): Promise<void> => rm(join(asideFolder, name), { recursive: true, force: true }),
  }
}
