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
 * Makes a valid PNG that backends accept as an image. The note makes its bytes unique, and also its dimensions, which
 * still identify it when a site re-encodes its images.
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

/** Bytes that start like a WOFF2 file. */
export const font = (note: string): Buffer => Buffer.from(`wOF2\0\x01\0\0${note}`, 'latin1')
