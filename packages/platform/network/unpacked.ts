import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { errorCode } from '@galley/wire'

import { chunksOf } from './chunks.ts'

// Of a body that is cut, all bytes that are there are unpacked.
const zip = { finishFlush: constants.Z_SYNC_FLUSH }

/** The forms in which a server may send a body, also without being asked: those that every browser reads. */
const unpackers: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip(zip)],
  ['x-gzip', () => createGunzip(zip)],
  ['deflate', () => createInflate(zip)],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
])

/** Whether a body with this content encoding has other bytes than what it stands for. */
export const isPacked = (encoding: string): boolean => unpackers.has(encoding.toLowerCase())

/**
 * The bytes of a body, unpacked from its content encoding. A body that has another form than it says ends with bytes that
 * nothing ever has. Throws when the connection is cut.
 */
export async function* unpacked(body: Readable, encoding: string): AsyncIterable<Buffer> {
  const unpack = unpackers.get(encoding.toLowerCase())
  if (unpack === undefined) return yield* chunksOf(body)
  const plain = unpack()
  // Not `pipe`, which would wait for ever for the rest of a body that has failed. What fails is thrown by `plain`.
  pipeline(body, plain, () => undefined)
  try {
    yield* chunksOf(plain)
  } catch (error) {
    // The second form is that of Brotli.
    if (!/^(?:Z_|ERR__)/.test(errorCode(error) ?? '')) throw error
    yield Buffer.from('not packed')
  }
}
