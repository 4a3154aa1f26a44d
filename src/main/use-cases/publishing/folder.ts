import type { Stats } from 'node:fs'
import { open, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { PublicFile, Publisher } from '../../library/vault/publisher.ts'
import type { AdoptionOutcome, Vault } from '../../library/vault/vault.ts'
import { realDisk } from '../../platform/disk/disk.ts'
import { makeFolder } from '../../platform/disk/make-folder.ts'
import { unlessModeIsFixed } from '../../platform/disk/share-limits.ts'
import { syncFolder } from '../../platform/disk/sync-folder.ts'
import type { createHeldObjects } from './held-objects.ts'
import { namesIn } from './public-path.ts'
import { sweepTemporaryFiles, temporaryName } from './temporary-files.ts'

interface Ports {
  readonly vault: Pick<Vault, 'read'>
  readonly held: ReturnType<typeof createHeldObjects>
  /** Whether a stored version or font set uses this path, or may use it. */
  readonly isReferenced: (path: string) => boolean
}

/**
 * Copies public files to a folder of a web server. Writes each to a temporary file, renames it and syncs its folders. A file
 * that is there already with the same content stays. Files that only a failed save added are deleted.
 */
export function folderPublisher(directory: string, { vault, held, isReferenced }: Ports): Publisher {
  const swept = new Set<string>()

  /** Once for each folder and process: media folders are large, and leftovers come from earlier processes. */
  async function sweepOnce(folder: string): Promise<void> {
    if (swept.has(folder)) return
    swept.add(folder)
    await sweepTemporaryFiles(folder)
  }

  /** Returns whether there was no such file before. */
  async function place({ path, sha256, slice, immutable }: PublicFile): Promise<boolean> {
    const names = namesIn(path)
    const target = join(directory, ...names)
    const folder = dirname(target)
    const found = await stat(target).catch(() => null)
    if (found !== null && immutable && (await isSame(target, found, { sizeBytes: slice.sizeBytes, sha256 })))
      return false
    await makeFolder(folder, 0o755)
    // Temporary files are in a few folders, so that leftovers are found. Not in the topmost, because `media` may be a link
    // to another disk.
    const top = names.length > 1 ? join(directory, names[0] ?? '') : directory
    await sweepOnce(top)
    const temporary = join(top, temporaryName())
    const file = await open(temporary, 'wx', 0o644)
    try {
      // The web server runs as another user, who could not read the file with a strict umask.
      await unlessModeIsFixed(file.chmod(0o644))
      await pipeline(vault.read(slice), file.createWriteStream({ flush: true }))
      await rename(temporary, target)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    return found === null
  }

  /** Deletes a file, and the folders that are empty then. */
  async function remove(target: string): Promise<void> {
    await rm(target, { force: true })
    for (let folder = dirname(target); folder !== join(directory); folder = dirname(folder)) await rmdir(folder)
  }

  return {
    async publish(files) {
      const targets = new Map(files.map(({ path }) => [join(directory, ...namesIn(path)), path]))
      const added = new Set<string>()
      /** A file whose content changes may refer to the others even if the save fails. */
      let isReferring = false

      async function settle(outcome: AdoptionOutcome): Promise<void> {
        const isUnused = outcome === 'nothing_stored' && !isReferring
        for (const [target, path] of targets) {
          await held.release(target, isUnused && added.has(target), async () => {
            // A file that cannot be deleted does no harm: nothing links to it, and its URL contains its hash.
            if (!isReferenced(path)) await remove(target).catch(() => undefined)
          })
        }
      }

      for (const target of targets.keys()) await held.hold(target)
      try {
        const folders = new Set<string>()
        for (const file of files) {
          const target = join(directory, ...namesIn(file.path))
          if (!file.immutable) isReferring = true
          if (await place(file)) added.add(target)
          for (let folder = dirname(target); !folders.has(folder); folder = dirname(folder)) {
            folders.add(folder)
            if (folder === join(directory)) break
          }
        }
        await Promise.all([...folders].map(syncFolder))
      } catch (error) {
        await settle('nothing_stored')
        throw error
      }
      return { settle }
    },
  }
}

async function isSame(
  file: string,
  found: Stats,
  { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string },
): Promise<boolean> {
  if (!found.isFile() || found.size !== sizeBytes) return false
  // A file that cannot be read is written again, which reports the cause.
  return (await realDisk.hash(file).catch(() => null)) === sha256
}
