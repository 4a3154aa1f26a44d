import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { BlobLocation, FileSlice } from '@galley/platform'
import { isStorageFault, readBlob, readBlobNow, storageCause } from '@galley/platform'
import { CausedError, cause } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

/** Files that are not on this machine yet: those in the bucket of a team. */
export interface RemoteFiles {
  /** Where a file is or will be on this machine. */
  readonly pathOf: (file: Sha256) => string
  /** Fetches the file to its path, unless it is there. Throws errors of the bucket and the disk. */
  fetch(file: Sha256): Promise<void>
  /** Replaces the damaged file at its path. Throws the same. */
  fetchAgain(file: Sha256): Promise<void>
  /** Reads the file from the bucket and compares its hash. Stores nothing. Throws the same. */
  verify(file: Sha256): Promise<void>
}

/** An object as listed by the bucket. `md5`: null if the list has none; it may be the hash of something else. */
export interface RemoteObject {
  readonly sizeBytes: number
  readonly md5: string | null
}

/**
 * Whether the bucket has the bytes of a file that is on this machine. Reads the object only if its size is right and its
 * hash is another or unknown: that of an encrypted object is not the hash of its bytes. `object`: null if the list does
 * not say its size. Throws errors of the bucket and the disk.
 */
async function isWholeInBucket(
  files: { readonly pathOf: (file: Sha256) => string; fetchAgain(file: Sha256): Promise<void> },
  file: Sha256,
  object: RemoteObject | null,
): Promise<boolean> {
  const path = files.pathOf(file)
  if (object !== null && (await stat(path)).size !== object.sizeBytes) return false
  if (object !== null && object.md5 !== null && (await md5Of(path)) === object.md5) return true
  try {
    await files.fetchAgain(file)
    return true
  } catch (error) {
    if (isStorageFault(error) && storageCause(error).code.startsWith('team_file_')) return false
    throw error
  }
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/** The part of the vault that reads files, and fetches those that only the bucket of a team has. */
export function readFiles(pathOf: (file: Sha256) => string, remote: RemoteFiles | null) {
  const isLocal = (file: Sha256): boolean => remote === null || existsSync(pathOf(file))
  const ensureLocal = async (file: Sha256): Promise<void> => (isLocal(file) ? undefined : remote?.fetch(file))
  const place = ({ file, offset, sizeBytes }: FileSlice): BlobLocation => ({ path: pathOf(file), offset, sizeBytes })

  const readLocal = ({ file, offset, sizeBytes }: FileSlice): Readable =>
    // createReadStream cannot express an empty range.
    sizeBytes === 0 ? Readable.from([]) : createReadStream(pathOf(file), { start: offset, end: offset + sizeBytes - 1 })
  async function* readRemote(slice: FileSlice): AsyncGenerator<Buffer> {
    await ensureLocal(slice.file)
    yield* readLocal(slice) as AsyncIterable<Buffer>
  }

  return {
    /** The path and range of a slice, for a thread. Fetches the file first if necessary. Throws errors of the bucket. */
    async locate(slice: FileSlice): Promise<BlobLocation> {
      await ensureLocal(slice.file)
      return place(slice)
    },

    /** Fetches a file that only the bucket of the team has. */
    ensureLocal,

    /** Whether only the bucket of the team has this file, as far as this machine knows. */
    isRemote: (file: Sha256): boolean => !isLocal(file),

    /** Whether the bucket of the team has this file as it is on this machine. Throws errors of the bucket and the disk. */
    isWholeInBucket: async (file: Sha256, object: RemoteObject | null): Promise<boolean> =>
      remote !== null && isWholeInBucket(remote, file, object),

    read: (slice: FileSlice): Readable => (isLocal(slice.file) ? readLocal(slice) : Readable.from(readRemote(slice))),

    /** Reads synchronously: only for a small slice that is on this machine. */
    readNow: (slice: FileSlice): Buffer => readBlobNow(place(slice)),

    /** All bytes of a blob. Throws `file_altered` if they are no longer those that were stored. */
    async readWhole(blob: Sha256, slice: FileSlice): Promise<Buffer> {
      await ensureLocal(slice.file)
      const bytes = await readBlob(place(slice))
      if (createHash('sha256').update(bytes).digest('hex') !== blob) throw new CausedError(cause('file_altered'))
      return bytes
    },

    async readBytes(slice: FileSlice): Promise<Buffer> {
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
