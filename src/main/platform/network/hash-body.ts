import type { Hash } from 'node:crypto'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

import { errorCode } from '../../../contract/error-code.ts'

/** The forms in which a server may send a body, also without being asked: those that every browser reads. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Adds a body to a hash, unpacked from its content encoding. What cannot be unpacked gets the hash of nothing that was ever
 * sent. Rejects when the connection is cut.
 */
export async function hashBody(hash: Hash, body: Readable, encoding: string): Promise<void> {
  const take = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) hash.update(chunk)
  }
  const unpack = unpackers[encoding.toLowerCase()]
  // Not `pipe`, which would wait for ever for the rest of a body that has failed.
  try {
    await (unpack ? pipeline(body, unpack(), take) : pipeline(body, take))
  } catch (error) {
    // The second form is that of Brotli.
    if (!/^(?:Z_|ERR__)/.test(errorCode(error) ?? '')) throw error
    hash.update('not packed')
  }
}
