import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { realDisk } from '../../platform/disk/disk.ts'
import { makeFolder } from '../../platform/disk/make-folder.ts'
import { syncFolder } from '../../platform/disk/sync-folder.ts'
import type { Vault } from '../../library/vault/vault.ts'
import type { PublicFile, Publisher } from '../../library/vault/publisher.ts'
import { kept } from '../../library/vault/publisher.ts'
import { namesIn } from './public-path.ts'
import { sweepTemporaryFiles, temporaryName } from './temporary-files.ts'

/**
 * Copies public files to a folder of a web server. Writes each to a temporary file, renames it and syncs its folders. A file
 * that is there already with the same content stays.
 */
export function folderPublisher(directory: string, vault: Pick<Vault, 'read'>): Publisher {
  const swept = new Set<string>()

  /** Once for each folder and process: media folders are large, and leftovers come from earlier processes. */
  async function sweepOnce(folder: string): Promise<void> {
    if (swept.has(folder)) return
    swept.add(folder)
    await sweepTemporaryFiles(folder)
  }

  async function place({ path, sha256, slice, immutable }: PublicFile): Promise<string> {
    const names = namesIn(path)
    const target = join(directory, ...names)
    const folder = dirname(target)
    if (immutable && (await isSame(target, slice.sizeBytes, sha256))) return folder
    await makeFolder(folder, 0o755)
    // Temporary files are in a few folders, so that leftovers are found. Not in the topmost, because `media` may be a link
    // to another disk.
    const top = names.length > 1 ? join(directory, names[0] ?? '') : directory
    await sweepOnce(top)
    const temporary = join(top, temporaryName())
    const file = await open(temporary, 'wx', 0o644)
    try {
      // The web server runs as another user, who could not read the file with a strict umask.
      await file.chmod(0o644)
      await pipeline(vault.read(slice), file.createWriteStream({ flush: true }))
      await rename(temporary, target)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    return folder
  }

  return {
    async publish(files) {
      const folders = new Set<string>()
      for (const file of files) {
        for (let folder = await place(file); !folders.has(folder); folder = dirname(folder)) {
          folders.add(folder)
          if (folder === join(directory)) break
        }
      }
      await Promise.all([...folders].map(syncFolder))
      return kept
    },
  }
}

async function isSame(file: string, sizeBytes: number, sha256: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() !== true || found.size !== sizeBytes) return false
  // A file that cannot be read is written again, which reports the cause.
  return (await realDisk.hash(file).catch(() => null)) === sha256
}
