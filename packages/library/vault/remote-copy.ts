import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isStorageFault, storageCause } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

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
export async function isWholeInBucket(
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
