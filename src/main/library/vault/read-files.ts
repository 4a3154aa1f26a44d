import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'

import { CausedError, cause } from '../../../contract/cause.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'
import { readBlob, readBlobNow } from '../../platform/disk/blob-location.ts'
import type { DistantObject } from './distant-copy.ts'
import { isWholeInBucket } from './distant-copy.ts'

/** A slice of a vault file; sizes and offsets in bytes. */
export interface Slice {
  readonly file: Sha256
  readonly offset: number
  readonly sizeBytes: number
}

/** Where files are that this machine has not read yet: the bucket of a team. */
export interface DistantFiles {
  /** Where a file is or will be on this machine. */
  readonly pathOf: (file: Sha256) => string
  /** Makes sure that the complete file is at its path. Throws errors of the bucket and the disk. */
  bring(file: Sha256): Promise<void>
  /** Replaces the file at its path, which is damaged. Throws the same. */
  bringAgain(file: Sha256): Promise<void>
  /** Reads the file in the bucket of a team, and keeps nothing of it. Throws the same. */
  verify(file: Sha256): Promise<void>
}

/** The part of the vault that reads files, and fetches those that only the bucket of a team has. */
export function readFiles(pathOf: (file: Sha256) => string, distant: DistantFiles | null) {
  const isHere = (file: Sha256): boolean => distant === null || existsSync(pathOf(file))
  const have = async (file: Sha256): Promise<void> => (isHere(file) ? undefined : distant?.bring(file))
  const place = ({ file, offset, sizeBytes }: Slice): BlobLocation => ({ path: pathOf(file), offset, sizeBytes })

  const readHere = ({ file, offset, sizeBytes }: Slice): Readable =>
    // createReadStream cannot express an empty range.
    sizeBytes === 0 ? Readable.from([]) : createReadStream(pathOf(file), { start: offset, end: offset + sizeBytes - 1 })
  async function* readDistant(slice: Slice): AsyncGenerator<Buffer> {
    await have(slice.file)
    yield* readHere(slice) as AsyncIterable<Buffer>
  }

  return {
    /** Where a thread finds the bytes of a slice. Throws what the bucket of a team throws. */
    async locate(slice: Slice): Promise<BlobLocation> {
      await have(slice.file)
      return place(slice)
    },

    /** Brings a file that only the bucket of the team has. */
    have,

    /** Whether only the bucket of the team has this file, as far as this machine knows. */
    isDistant: (file: Sha256): boolean => !isHere(file),

    /** Whether the bucket of the team has this file as it is on this machine. Throws errors of the bucket and the disk. */
    isWholeInBucket: async (file: Sha256, object: DistantObject | null): Promise<boolean> =>
      distant !== null && isWholeInBucket(distant, file, object),

    read: (slice: Slice): Readable => (isHere(slice.file) ? readHere(slice) : Readable.from(readDistant(slice))),

    /** The same at once, for a slice that is small and on this machine. */
    readNow: (slice: Slice): Buffer => readBlobNow(place(slice)),

    /** All bytes of a blob. Throws `file_altered` if they are no longer those that were stored. */
    async readWhole(blob: Sha256, slice: Slice): Promise<Buffer> {
      await have(slice.file)
      const bytes = await readBlob(place(slice))
      if (createHash('sha256').update(bytes).digest('hex') !== blob) throw new CausedError(cause('file_altered'))
      return bytes
    },

    async readBytes(slice: Slice): Promise<Buffer> {
      await have(slice.file)
      return readBlob(place(slice))
    },

    /** Size of a file in bytes, or null when it is not on this machine. */
    sizeOf: (file: Sha256): Promise<number | null> =>
      stat(pathOf(file)).then(
        (found) => found.size,
        () => null,
      ),
  }
}
