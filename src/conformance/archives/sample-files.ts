import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, check])
}

/**
 * A picture that backends with an eye for images take. Its bytes are its own by the note in it, and so is its size,
 * which is what is left of it where a site encodes its images anew.
 */
export function picture(note: string): Buffer {
  const [wide = 0, high = 0] = createHash('sha256').update(note).digest()
  const [width, height] = [wide + 2, high + 2]
  const header = Buffer.from([0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255, 8, 0, 0, 0, 0])
  const pixels = deflateSync(Buffer.alloc(height * (width + 1)))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${note}`, 'latin1')),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Bytes that begin as a WOFF2 file does. */
export const font = (note: string): Buffer => Buffer.from(`wOF2\0\x01\0\0${note}`, 'latin1')
