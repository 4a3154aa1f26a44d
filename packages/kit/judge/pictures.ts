import { crc32 } from 'node:zlib'

/** Width and height of an image in pixels. */
interface Size {
  readonly width: number
  readonly height: number
}

/** Reads the size of a PNG, GIF, WebP, AVIF or JPEG; null for any other file. */
export function imageSize(bytes: Buffer): Size | null {
  if (bytes.length < 16) return null
  const text = (from: number, to: number): string => bytes.toString('latin1', from, to)
  try {
    if (text(1, 4) === 'PNG') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    if (text(0, 3) === 'GIF') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return webpSize(bytes)
    if (text(4, 8) === 'ftyp') return avifSize(bytes)
    return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : null
  } catch (error) {
    // The file is truncated before its dimensions, so no browser would show it.
    if (error instanceof RangeError) return null
    throw error
  }
}

function webpSize(bytes: Buffer): Size | null {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return null
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** From the `ispe` property, which every AVIF and HEIF image has. */
function avifSize(bytes: Buffer): Size | null {
  const at = bytes.indexOf('ispe', 0, 'latin1')
  return at === -1 ? null : { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
}

/** From the first frame header; earlier segments are skipped. */
function jpegSize(bytes: Buffer): Size | null {
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
  }
  return null
}

/** Whether every chunk of a PNG is there and has its checksum; true for other formats. */
function isUndamaged(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return true
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true
    at = end + 4
  }
  return false
}

/**
 * Whether an image of other bytes may be a re-encoded version of another: sites optimise published images, but keep the dimensions.
 */
export function isSamePicture(sent: Buffer, served: Buffer): boolean {
  // A truncated picture begins like the original; it may still be the same picture if more than that was sent.
  if (sent.subarray(0, served.length).equals(served) || !isUndamaged(served)) return false
  const [one, other] = [imageSize(sent), imageSize(served)]
  return one !== null && other !== null && one.width === other.width && one.height === other.height
}
