import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'

import type { Sha256 } from '../../../contract/ids.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'

/** `missing`: there is no such file. `altered`: its bytes are not those that were stored. */
export type OpenedFile =
  | { readonly kind: 'whole'; readonly handle: FileHandle }
  | { readonly kind: 'missing' }
  | { readonly kind: 'altered' }

/** Read at a time while hashing: less than a millisecond of work between two turns of the event loop. */
const chunkBytes = 256 * 1024
/** So many verdicts are remembered. */
const rememberedAtMost = 20_000

/**
 * Opens stored blobs whose bytes are still what they were. A blob is hashed when it is first opened, by one reader for
 * all that come meanwhile; the verdict holds until the file on disk changes.
 */
export function createCheckedFiles(log: (line: string) => void) {
  const verdicts = new Map<string, Promise<boolean>>()

  function isWhole(handle: FileHandle, blob: Sha256, place: BlobLocation, status: BigIntStats): Promise<boolean> {
    const { dev, ino, size, mtimeNs, ctimeNs } = status
    // A pack may be written anew, with the blob at another place in it.
    const key = [blob, place.offset, dev, ino, size, mtimeNs, ctimeNs].join(' ')
    const known = verdicts.get(key)
    if (known) return known
    const verdict = hashOf(handle, place).then((hash) => {
      if (hash === blob) return true
      log(
        `the stored file ${blob} was changed on disk and is not served any more; galley fsck --repair looks for its bytes`,
      )
      return false
    })
    verdicts.set(key, verdict)
    // A disk that could not be read now may be readable later.
    verdict.catch(() => verdicts.delete(key))
    const [oldest] = verdicts.keys()
    if (verdicts.size > rememberedAtMost && oldest !== undefined) verdicts.delete(oldest)
    return verdict
  }

  return {
    /** The caller closes the handle of a whole file. Throws when the disk cannot be read. */
    async open(blob: Sha256, place: BlobLocation): Promise<OpenedFile> {
      const handle = await open(place.path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (!handle) return { kind: 'missing' }
      let isKept = false
      try {
        const status = await handle.stat({ bigint: true })
        isKept = await isWhole(handle, blob, place, status)
        return isKept ? { kind: 'whole', handle } : { kind: 'altered' }
      } finally {
        if (!isKept) await handle.close()
      }
    },
  }
}

/** The SHA-256 of a slice in hex; of what there is of it, when the file ends too early. */
async function hashOf(handle: FileHandle, { offset, sizeBytes }: BlobLocation): Promise<string> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafeSlow(Math.max(1, Math.min(chunkBytes, sizeBytes)))
  for (let at = 0; at < sizeBytes;) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.length, sizeBytes - at), offset + at)
    if (bytesRead === 0) break
    hash.update(chunk.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest('hex')
}
