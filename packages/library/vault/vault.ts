import { existsSync, renameSync, rmSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolderSyncs } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

import type { FileLock } from '../db/file-lock.ts'
import type { RemoteFiles } from './read-files.ts'
import { readFiles } from './read-files.ts'
import { openStaging } from './staging.ts'
import type { FileReferences } from './unreferenced-files.ts'
import { unreferencedFiles } from './unreferenced-files.ts'

/** A synced file in staging. Its name becomes its hash when it is adopted. */
export interface Staged {
  readonly path: string
  readonly sha256: Sha256
}

/** Whether the log has the change that the moved files belong to. */
export type AdoptionOutcome = 'stored' | 'unknown' | 'nothing_stored'

/** Files that were moved to their places. */
export interface Adoption {
  /**
   * Call when the log has decided. `nothing_stored`: deletes files that were new and that nothing else references.
   * Otherwise all files are kept, even if it is unknown whether the log has the change: a later `gc` handles
   * unreferenced files.
   */
  settle(outcome: AdoptionOutcome): void
}

/** The path of a file in a library. */
export const filePath = (folder: string, file: Sha256): string => join(folder, 'files', file.charAt(0), file)

/**
 * Up to this number, files are moved synchronously: each takes a few microseconds, and a turn of the event loop ten
 * times that.
 */
const movedAtOnce = 32

/**
 * The files of a library, each named by the SHA-256 of its bytes: media, packs of small blobs, pages, states, archives.
 * No name from outside ever becomes a path here.
 *
 * Files are only deleted under the lock, after asking the index: files that it has dropped, and files of failed saves
 * of this process.
 */
export async function openVault(
  folder: string,
  references: FileReferences,
  lock: FileLock,
  remote: RemoteFiles | null = null,
) {
  const isReferenced = references.isReferenced
  const filesRoot = join(folder, 'files')
  // Sixteen folders: few enough to sync each after a save, and enough that none becomes too large.
  const shards = '0123456789abcdef'.split('').map((digit) => join(filesRoot, digit))
  const staging = await openStaging(folder, lock)
  for (const shard of shards) await mkdir(shard, { recursive: true, mode: 0o700 })

  const shardOf = (file: Sha256): string => join(filesRoot, file.charAt(0))
  const pathOf = (file: Sha256): string => filePath(folder, file)
  const readPath = remote?.pathOf ?? pathOf

  const syncFolder = createFolderSyncs()
  // Files of failed jobs. They are deleted when no job shares the lock, since another job may bring the same files.
  const abandoned = new Set<Sha256>()
  const dropAbandoned = (): void =>
    void lock.alone(() => {
      for (const file of abandoned) if (!isReferenced(file)) rmSync(pathOf(file), { force: true })
      abandoned.clear()
    })

  return {
    /** Where a file is read, and fetched to. */
    pathOf: readPath,
    derivedFolder: join(folder, 'derived'),

    ...staging,

    /** No file is deleted until the returned function is called. */
    share: lock.share,

    /**
     * Moves synced files to their places and makes the moves durable. Replaces an existing file with the same bytes,
     * which also repairs one that was lost or damaged.
     */
    async adopt(staged: readonly Staged[]): Promise<Adoption> {
      const files = staged.map(({ sha256 }) => sha256)
      const release = await lock.share()
      // A file that existed before is not ours to delete, whether anything references it or not.
      const added = files.filter((file) => !existsSync(pathOf(file)))
      const settle = (outcome: AdoptionOutcome): void => {
        try {
          if (outcome !== 'nothing_stored') return
          for (const file of added) if (!isReferenced(file)) abandoned.add(file)
        } finally {
          release()
          if (abandoned.size > 0) dropAbandoned()
        }
      }
      try {
        if (staged.length > movedAtOnce)
          await Promise.all(staged.map(({ path, sha256 }) => rename(path, pathOf(sha256))))
        else for (const { path, sha256 } of staged) renameSync(path, pathOf(sha256))
        await Promise.all([...new Set(files.map(shardOf))].map(syncFolder))
      } catch (error) {
        settle('nothing_stored')
        throw error
      }
      return { settle }
    },

    /** Makes the names of all files durable. */
    syncNames: async (): Promise<void> => void (await Promise.all(shards.map(syncFolder))),

    /** Whether a job is placing or reading files now, in this process or another. */
    isInUse: (): boolean => !lock.alone(() => undefined),

    ...readFiles(readPath, remote),

    ...unreferencedFiles({ shards, pathOf, asideFolder: join(folder, 'lost-and-found'), references, lock }),
  }
}

export type Vault = Awaited<ReturnType<typeof openVault>>
