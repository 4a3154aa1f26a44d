import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { Vault } from '../vault/vault.ts'
import type { Publisher } from './publisher.ts'

/**
 * Copies public files into a folder that a web server shows, each by temp and rename, synced. Addresses carry the
 * content's hash, so a file that is already there with its size is the same file.
 */
export function folderPublisher(directory: string, vault: Pick<Vault, 'read'>): Publisher {
  return {
    async publish(files) {
      for (const { path, slice } of files) {
        const target = join(directory, ...path.split('/').map(decodeURIComponent))
        await mkdir(dirname(target), { recursive: true })
        const temporary = `${target}.galley-new`
        const file = await open(temporary, 'w', 0o644)
        try {
          await pipeline(vault.read(slice), file.createWriteStream({ flush: true }))
          await rename(temporary, target)
        } catch (error) {
          await rm(temporary, { force: true })
          throw error
        }
      }
    },
  }
}
