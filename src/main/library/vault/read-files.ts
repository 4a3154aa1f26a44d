import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'

import { CausedError, cause } from '../../../contract/cause.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'
import { readBlob, readBlobNow } from '../../platform/disk/blob-location.ts'
import type { RemoteObject } from './remote-copy.ts'
import { isWholeInBucket } from './remote-copy.ts'

/** A slice of a vault file; sizes and offsets in bytes. */
export interface Slice {
  readonly file: Sha256
  readonly offset: number
  readonly sizeBytes: number
}

/** Where files are that this machine has not read yet: the bucket of a team. */
export interface RemoteFiles {
  /** Where a file is or will be on this machine. */
  readonly pathOf: (file: Sha256) => string
  /** Makes sure that the complete file is at its path. Throws errors of the bucket and the disk. */
  fetch(file: Sha256): Promise<void>
  /** Replaces the file at its path, which is damaged. Throws the same. */
  fetchAgain(file: Sha256): Promise<void>
  /** Reads the file in the bucket of a team, and keeps nothing of it. Throws the same. */
  verify(file: Sha256): Promise<void>
}

/** The part of the vault that reads files, and fetches those that only the bucket of a team has. */
export function readFiles(pathOf: (file: Sha256) => string, remote: RemoteFiles | null) {
  const isLocal = (file: Sha256): boolean => remote === null || existsSync(pathOf(file))
  const ensureLocal = async (file: Sha256): Promise<void> => (isLocal(file) ? undefined : remote?.fetch(file))
  const place = ({ file, offset, sizeBytes }: Slice): BlobLocation => ({ path: pathOf(file), offset, sizeBytes })

  const readLocal = ({ file, offset, sizeBytes }: Slice): Readable =>
    // createReadStream cannot express an empty range.
    sizeBytes === 0 ? Readable.from([]) : createReadStream(pathOf(file), { start: offset, end: offset + sizeBytes - 1 })
  async function* readRemote(slice: Slice): AsyncGenerator<Buffer> {
    await ensureLocal(slice.file)
    yield* readLocal(slice) as AsyncIterable<Buffer>
  }

  return {
    /** Where a thread finds the bytes of a slice. Throws what the bucket of a team throws. */
    async locate(slice: Slice): Promise<BlobLocation> {
      await ensureLocal(slice.file)
      return place(slice)
    },

    /** Brings a file that only the bucket of the team has. */
    have: ensureLocal,

    /** Whether only the bucket of the team has this file, as far as this machine knows. */
    isRemote: (file: Sha256): boolean => !isLocal(file),

    /** Whether the bucket of the team has this file as it is on this machine. Throws errors of the bucket and the disk. */
    isWholeInBucket: async (file: Sha256, object: RemoteObject | null): Promise<boolean> =>
      remote !== null && isWholeInBucket(remote, file, object),

    read: (slice: Slice): Readable => (isLocal(slice.file) ? readLocal(slice) : Readable.from(readRemote(slice))),

    /** The same at once, for a slice that is small and on this machine. */
    readNow: (slice: Slice): Buffer => readBlobNow(place(slice)),

    /** All bytes of a blob. Throws `file_altered` if they are no longer those that were stored. */
    async readWhole(blob: Sha256, slice: Slice): Promise<Buffer> {
      await ensureLocal(slice.file)
      const bytes = await readBlob(place(slice))
      if (createHash('sha256').update(bytes).digest('hex') !== blob) throw new CausedError(cause('file_altered'))
      return bytes
    },

    async readBytes(slice: Slice): Promise<Buffer> {
      await ensureLocal(slice.file)
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
