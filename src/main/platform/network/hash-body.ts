import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

import { errorCode } from '../../../contract/error-code.ts'

/**
 * Adds a body to a hash, unpacked where it is packed with gzip. What cannot be unpacked gets the hash of nothing that was
 * ever sent. Rejects when the connection is cut.
 */
export async function hashBody(hash: Hash, body: Readable, isPacked: boolean): Promise<void> {
  const take = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) hash.update(chunk)
  }
  // Not `pipe`, which would wait for ever for the rest of a body that has failed.
  try {
    await (isPacked ? pipeline(body, createGunzip(), take) : pipeline(body, take))
  } catch (error) {
    if (!errorCode(error)?.startsWith('Z_')) throw error
    hash.update('not gzip')
  }
}
