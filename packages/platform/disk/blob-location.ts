import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { CausedError, cause } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

/** The location of a blob in the vault: a whole file, or a range of a pack. Offset and size in bytes. */
export interface FileSlice {
  readonly file: Sha256
  readonly offset: number
  readonly sizeBytes: number
}

/** The location of a blob on disk: a whole file, or a slice of a pack. Offset and size in bytes. */
export interface BlobLocation {
  readonly path: string
  readonly offset: number
  readonly sizeBytes: number
}

/** All bytes of a blob. Throws if the file is missing or too short. */
export async function readBlob({ path, offset, sizeBytes }: BlobLocation): Promise<Buffer> {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(sizeBytes)
    let at = 0
    while (at < sizeBytes) {
      const { bytesRead } = await file.read(bytes, at, sizeBytes - at, offset + at)
      if (bytesRead === 0) throw cutShort()
      at += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

/** Reads synchronously, which is faster for small blobs than waiting for another thread. */
export function readBlobNow({ path, offset, sizeBytes }: BlobLocation): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(sizeBytes)
    for (let at = 0; at < sizeBytes;) {
      const read = readSync(descriptor, bytes, at, sizeBytes - at, offset + at)
      if (read === 0) throw cutShort()
      at += read
    }
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

/** A stream of a file takes longer than reading this much at once. In bytes. */
const readAtOnce = 64 * 1024

/** The bytes of a blob, for a process or thread that nothing else waits for. */
export async function* blobChunks(location: BlobLocation): AsyncGenerator<Buffer> {
  const { path, offset, sizeBytes } = location
  if (sizeBytes <= readAtOnce) yield readBlobNow(location)
  else yield* createReadStream(path, { start: offset, end: offset + sizeBytes - 1 }) as AsyncIterable<Buffer>
}

const cutShort = (): Error => new CausedError(cause('file_altered'))
