import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'

import { picture } from '../../../packages/kit/archives/sample-files.ts'
import { isSamePicture } from '../../../packages/kit/judge/pictures.ts'

const sent = picture('a note of some length')

/** The picture with another note, written as an encoder would: as long as the one that was sent. */
function encodedAgain(): Buffer {
  const made = Buffer.from(sent.toString('latin1').replace('a note', 'A NOTE'), 'latin1')
  const at = made.indexOf('tEXt', 0, 'latin1')
  const end = at + 4 + made.readUInt32BE(at - 4)
  made.writeUInt32BE(crc32(made.subarray(at, end)), end)
  return made
}

test('a picture that is encoded again is the same picture, also by chance with the same length', () => {
  expect(encodedAgain()).toHaveLength(sent.length)
  expect(isSamePicture(sent, encodedAgain())).toBe(true)
})

test('a damaged or cut picture is another one, whatever its header says', () => {
  const damaged = Buffer.from(sent)
  damaged.writeUInt8(0, sent.indexOf('IDAT', 0, 'latin1') + 8)
  expect(isSamePicture(sent, damaged)).toBe(false)
  expect(isSamePicture(sent, sent.subarray(0, -5))).toBe(false)
  expect(isSamePicture(sent, encodedAgain().subarray(0, -5))).toBe(false)
  // As a backend sends it that reads files as text.
  expect(isSamePicture(sent, Buffer.from(sent.toString('utf8')))).toBe(false)
  expect(isSamePicture(sent, picture('another'))).toBe(false)
})
