import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { makeFolder } from '../../platform/disk/make-folder.ts'
import { syncFolder } from '../../platform/disk/sync-folder.ts'
import type { Vault } from '../../library/vault/vault.ts'
import type { PublicFile, Publisher } from '../../library/vault/publisher.ts'
import { kept } from '../../library/vault/publisher.ts'
import { sweepTemporaryFiles, temporaryName } from './temporary-files.ts'

/**
 * Copies public files into a folder that a web server shows, each by temp and rename, synced with the folders it lies
 * in. Immutable addresses carry the content's hash, so a file that is already there with its size is the same file.
 */
export function folderPublisher(directory: string, vault: Pick<Vault, 'read'>): Publisher {
  const swept = new Set<string>()

  /** Once for each folder and process: a folder of all media is long, and leftovers come from processes before this one. */
  async function sweepOnce(folder: string): Promise<void> {
    if (swept.has(folder)) return
    swept.add(folder)
    await sweepTemporaryFiles(folder)
  }

  async function place({ path, slice, immutable }: PublicFile): Promise<string> {
    const names = namesIn(path)
    const target = join(directory, ...names)
    const folder = dirname(target)
    const isThere = immutable && (await stat(target).catch(() => null))?.size === slice.sizeBytes
    if (isThere) return folder
    await makeFolder(folder, 0o755)
    // Few folders have temporary files, so that leftovers are found; not the topmost, as `media` may be a link to another disk.
    const top = names.length > 1 ? join(directory, names[0] ?? '') : directory
    await sweepOnce(top)
    const temporary = join(top, temporaryName())
    const file = await open(temporary, 'wx', 0o644)
    try {
      // The web server that shows them is another user, whom the umask may keep out.
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

/**
 * The names that lead to a public path. The id of a snapshot comes from outside and may hold encoded slashes and dots:
 * what they would do to a path of ours is a fault, never a way out of the folder.
 */
function namesIn(path: string): readonly string[] {
  const names = path
    .split('/')
    .slice(1)
    .flatMap((segment) => decodeURIComponent(segment).split('/'))
  if (names.some((name) => name === '' || name === '.' || name === '..' || /[\\\0]/.test(name))) {
    throw new Error('A public path would leave its folder')
  }
  return names
}
