import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** The bytes of a binary stream. Node does not type its chunks. */
export const chunksOf = (stream: Readable): AsyncIterable<Buffer> => stream

/** The digest of all bytes of a stream, in hexadecimal. */
export async function digestFrom(hash: Hash, stream: Readable): Promise<string> {
  for await (const chunk of chunksOf(stream)) hash.update(chunk)
  return hash.digest('hex')
}

/** All bytes of a stream; null as soon as there are more than the limit. The rest is not read. */
export async function bytesUpTo(maxBytes: number, stream: Readable): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of chunksOf(stream)) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
