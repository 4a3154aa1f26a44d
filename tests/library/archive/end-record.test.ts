import { expect, test } from 'vitest'

import type { ByteWindow } from '../../../packages/library/archive/byte-window.ts'
import { readEndRecord } from '../../../packages/library/archive/end-record.ts'
import { cause } from '../../../packages/wire/cause.ts'

/** A file of which only the end is read, after any number of bytes. */
const behind = (sizeBytes: number, end: Buffer): ByteWindow => ({
  sizeBytes: sizeBytes + end.length,
  view: (offset, length) => {
    const bytes = Buffer.alloc(length)
    if (offset + length > sizeBytes) end.copy(bytes, Math.max(0, sizeBytes - offset), Math.max(0, offset - sizeBytes))
    return bytes
  },
})

const signature = 0x06054b50

function anEnd(directoryOffset: number, directoryBytes: number, comment: Buffer): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(signature, 0)
  end.writeUInt32LE(directoryBytes, 12)
  end.writeUInt32LE(directoryOffset, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([end, comment])
}

test('an end record whose offset looks like a signature is read', () => {
  const { ok } = readEndRecord(behind(signature + 100, anEnd(signature, 100, Buffer.alloc(0))))
  expect(ok).toBe(true)
})

test('an end record inside another one is refused', () => {
  // The offset of the outer record is the signature of the inner one, which also ends with the file.
  const comment = Buffer.alloc(20)
  comment.writeUInt16LE(4, 14)
  expect(readEndRecord(behind(signature + 100, anEnd(signature, 100, comment)))).toEqual({
    ok: false,
    failure: cause('many_ends'),
  })
})
