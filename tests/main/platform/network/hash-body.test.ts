import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

import { hashBody } from '../../../../src/main/platform/network/hash-body.ts'

const text = randomBytes(200_000)
const packed = gzipSync(text)
const hashOf = async (body: Readable, isPacked: boolean): Promise<string> => {
  const hash = createHash('sha256')
  await hashBody(hash, body, isPacked)
  return hash.digest('hex')
}
const expected = createHash('sha256').update(text).digest('hex')
const inPieces = (bytes: Buffer) => Readable.from([bytes.subarray(0, 70_000), bytes.subarray(70_000)])

test('a body is hashed as it is, or unpacked', async () => {
  expect(await hashOf(inPieces(text), false)).toBe(expected)
  expect(await hashOf(inPieces(packed), true)).toBe(expected)
})

test('a body that is no gzip, or not all of one, has another hash', async () => {
  expect(await hashOf(inPieces(text), true)).not.toBe(expected)
  expect(await hashOf(inPieces(packed.subarray(0, 150_000)), true)).not.toBe(expected)
})

test.each([true, false])('a connection that is cut is reported (packed: %s)', async (isPacked) => {
  async function* cut() {
    yield (isPacked ? packed : text).subarray(0, 70_000)
    await Promise.reject(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }))
  }
  await expect(hashOf(Readable.from(cut()), isPacked)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
})
