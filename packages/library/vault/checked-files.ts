import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type { BlobLocation } from '@galley/platform'
import { isSystemError, readBlobNow } from '@galley/platform'
import { CausedError } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

/** `missing`: the file does not exist. `altered`: its content has changed since it was stored. */
export type OpenedFile =
  | { readonly kind: 'whole'; readonly handle: FileHandle }
  | { readonly kind: 'missing' }
  | { readonly kind: 'altered' }

/** The chunk size for hashing: less than a millisecond of work before yielding to the event loop. */
const chunkBytes = 256 * 1024
/** Up to this size, a blob is read and hashed at once: that takes less time than asking another thread four times. */
const atOnceBytes = 64 * 1024
/** The size of the cache of verdicts. */
const cacheMax = 20_000

/**
 * Opens stored blobs whose content is unchanged. A blob is hashed when first opened, once for all concurrent readers. The
 * verdict is cached until the file on disk changes.
 */
export function createCheckedFiles(log: (line: string) => void) {
  const verdicts = new Map<string, Promise<boolean>>()
  // The whole hash would be redacted, since it looks like a signature.
  const logAltered = (blob: Sha256): void =>
    log(
      `the stored file ${blob.slice(0, 12)}… was changed on disk and is no longer served; run galley fsck --repair to look for an intact copy`,
    )

  function stateNow(blob: Sha256, location: BlobLocation): OpenedFile['kind'] {
    try {
      if (createHash('sha256').update(readBlobNow(location)).digest('hex') === blob) return 'whole'
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOENT') return 'missing'
      // The file is too short.
      if (!(error instanceof CausedError)) throw error
    }
    logAltered(blob)
    return 'altered'
  }

  function isWhole(handle: FileHandle, blob: Sha256, location: BlobLocation, status: BigIntStats): Promise<boolean> {
    const { dev, ino, size, mtimeNs, ctimeNs } = status
    // A rewritten pack may contain the blob at a different offset.
    const key = [blob, location.offset, dev, ino, size, mtimeNs, ctimeNs].join(' ')
    const known = verdicts.get(key)
    if (known) return known
    const verdict = hashOf(handle, location).then((hash) => {
      if (hash !== blob) logAltered(blob)
      return hash === blob
    })
    verdicts.set(key, verdict)
    // A disk that fails now may be readable later.
    verdict.catch(() => verdicts.delete(key))
    const [oldest] = verdicts.keys()
    if (verdicts.size > cacheMax && oldest !== undefined) verdicts.delete(oldest)
    return verdict
  }

  /** The caller closes the handle of a whole file. Throws if the disk cannot be read. */
  async function openWhole(blob: Sha256, location: BlobLocation): Promise<OpenedFile> {
    const handle = await open(location.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (!handle) return { kind: 'missing' }
    let isKept = false
    try {
      const status = await handle.stat({ bigint: true })
      isKept = await isWhole(handle, blob, location, status)
      return isKept ? { kind: 'whole', handle } : { kind: 'altered' }
    } finally {
      if (!isKept) await handle.close()
    }
  }

  return {
    /** The state of a blob at this moment. Throws if the disk cannot be read. */
    async stateOf(blob: Sha256, location: BlobLocation): Promise<OpenedFile['kind']> {
      if (location.sizeBytes <= atOnceBytes) return stateNow(blob, location)
      const opened = await openWhole(blob, location)
      if (opened.kind === 'whole') await opened.handle.close()
      return opened.kind
    },

    open: openWhole,
  }
}

export type CheckedFiles = ReturnType<typeof createCheckedFiles>

/** The SHA-256 of a slice in hex; of the available part if the file is too short. */
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
