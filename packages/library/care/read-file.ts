import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FileSlice } from '@galley/platform'
import { chunksOf } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

/** A blob with its location in the checked file. */
export type BlobSlice = FileSlice & { readonly sha256: Sha256 }

/** The result of reading a file. */
export interface FileVerdict {
  readonly sha256: string
  /** Blobs whose content does not match their hash. */
  readonly bad: ReadonlySet<Sha256>
}

/** Reads a file once and compares its hash and that of every blob in it. `blobs` are ordered by offset. */
export async function readFile(
  bytes: Readable,
  blobs: readonly BlobSlice[],
  onChunk: (bytes: number) => void,
): Promise<FileVerdict> {
  const whole = createHash('sha256')
  const bad = new Set(blobs.map(({ sha256 }) => sha256))
  let next = 0
  let hash = createHash('sha256')
  let at = 0
  const finish = ({ sha256 }: BlobSlice): void => {
    if (hash.digest('hex') === sha256) bad.delete(sha256)
    hash = createHash('sha256')
    next += 1
  }
  for await (const chunk of chunksOf(bytes)) {
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
  // The remaining blobs are empty or truncated.
  for (let blob = blobs[next]; blob !== undefined; blob = blobs[next]) finish(blob)
  return { sha256: whole.digest('hex'), bad }
}
