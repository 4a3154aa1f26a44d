import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { Sha256 } from '../../../contract/ids.ts'
import type { BlobPlace } from '../../library/db/blobs.ts'

/** A blob with its place in the file that is looked at. */
export type PlacedBlob = BlobPlace & { readonly sha256: Sha256 }

/** What the bytes of a file turned out to be. */
export interface FileVerdict {
  readonly sha256: string
  /** Blobs whose bytes are not the ones that their name says. */
  readonly bad: ReadonlySet<Sha256>
}

/** Reads a file once, and compares all of it and every blob in it with their names. `blobs` in the order of their places. */
export async function readFile(
  bytes: Readable,
  blobs: readonly PlacedBlob[],
  onChunk: (bytes: number) => void,
): Promise<FileVerdict> {
  const whole = createHash('sha256')
  const bad = new Set(blobs.map(({ sha256 }) => sha256))
  let next = 0
  let hash = createHash('sha256')
  let at = 0
  const finish = ({ sha256 }: PlacedBlob): void => {
    if (hash.digest('hex') === sha256) bad.delete(sha256)
    hash = createHash('sha256')
    next += 1
  }
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    whole.update(chunk)
    const end = at + chunk.length
    for (let blob = blobs[next]; blob !== undefined && blob.offset <= end; blob = blobs[next]) {
      const blobEnd = blob.offset + blob.sizeBytes
      hash.update(chunk.subarray(Math.max(0, blob.offset - at), Math.max(0, blobEnd - at)))
      if (blobEnd > end) break
      finish(blob)
    }
    at = end
    onChunk(chunk.length)
  }
  // What is left has no bytes, or fewer than it should.
  for (let blob = blobs[next]; blob !== undefined; blob = blobs[next]) finish(blob)
  return { sha256: whole.digest('hex'), bad }
}
