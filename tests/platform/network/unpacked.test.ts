import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

import { isPacked, unpacked } from '../../../packages/platform/network/unpacked.ts'

const text = randomBytes(200_000)
const bodies: Readonly<Record<string, Buffer>> = {
  '': text,
  gzip: gzipSync(text),
  deflate: deflateSync(text),
  br: brotliCompressSync(text),
}
const packed = Object.keys(bodies).filter(Boolean)
const bodyOf = (encoding: string): Buffer => bodies[encoding] ?? text
const hashOf = async (body: Readable, encoding: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of unpacked(body, encoding)) hash.update(chunk)
  return hash.digest('hex')
}
const expected = createHash('sha256').update(text).digest('hex')
const inPieces = (bytes: Buffer) => Readable.from([bytes.subarray(0, 70_000), bytes.subarray(70_000)])

test.each(Object.keys(bodies))('a body is passed on as it is, or unpacked: %s', async (encoding) => {
  expect(isPacked(encoding.toUpperCase())).toBe(encoding !== '')
  expect(await hashOf(inPieces(bodyOf(encoding)), encoding.toUpperCase())).toBe(expected)
})

test.each(packed)('a body that is no %s, or not all of one, has other bytes', async (encoding) => {
  expect(await hashOf(inPieces(text), encoding)).not.toBe(expected)
  expect(await hashOf(inPieces(bodyOf(encoding).subarray(0, 150_000)), encoding)).not.toBe(expected)
})

test.each(Object.keys(bodies))('a connection that is cut is reported (packed: %s)', async (encoding) => {
  async function* cut() {
    yield bodyOf(encoding).subarray(0, 70_000)
    await Promise.reject(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }))
  }
  await expect(hashOf(Readable.from(cut()), encoding)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
})
