import { once } from 'node:events'
import { crc32, createDeflate, deflateSync, inflateSync } from 'node:zlib'
import type { Bitmap } from '@galley/compare'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Bytes of a pixel by the colour type of a PNG. */
const bytesOf: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

/**
 * Reads a PNG as Chromium writes pictures of pages: 8 bits a channel, RGB or RGBA, not interlaced. Throws for any other.
 */
export function decodePng(png: Uint8Array): Bitmap {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  if (!bytes.subarray(0, 8).equals(signature)) throw new Error('A picture of a page is no PNG')
  const data: Buffer[] = []
  let [width, height, channels] = [0, 0, 0]
  for (let at = 8; at + 8 <= bytes.length;) {
    const [length, type] = [bytes.readUInt32BE(at), bytes.toString('latin1', at + 4, at + 8)]
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      ;[width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)]
      channels = body[8] === 8 && body[12] === 0 ? (bytesOf[body[9] ?? 0] ?? 0) : 0
    }
    if (type === 'IDAT') data.push(body)
    at += 12 + length
  }
  if (channels === 0) throw new Error('A picture of a page has another format')
  return { width, height, data: unfiltered(inflateSync(Buffer.concat(data)), { width, height, channels }) }
}

/** All of a page as one picture, in slices that lie below each other. */
export interface WholePicture {
  readonly width: number
  readonly height: number
  /** PNGs of this width, as Chromium writes them. */
  readonly slices: readonly Uint8Array[]
  /** Whether the page is longer. */
  readonly isCut: boolean
}

/** One PNG of all slices, with one of them at a time in memory as pixels; null if they have another size together. */
export async function encodeWhole({ width, height, slices }: WholePicture): Promise<Uint8Array | null> {
  const packed = createDeflate({ level: 6 })
  const parts: Buffer[] = []
  packed.on('data', (part: Buffer) => parts.push(part))
  let rows = 0
  for (const png of slices) {
    const slice = decodePng(png)
    if (slice.width !== width) return null
    rows += slice.height
    if (!packed.write(rowsOf(slice))) await once(packed, 'drain')
  }
  packed.end()
  await once(packed, 'end')
  if (rows !== height) return null
  return Buffer.concat([
    signature,
    headerOf(width, height, 'rgb'),
    chunk('IDAT', Buffer.concat(parts)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The first chunk of a PNG with 8 bits for each channel, or for each number of the palette. */
function headerOf(width: number, height: number, colours: 'rgb' | 'palette'): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colours === 'rgb' ? 2 : 3], 8)
  return chunk('IHDR', header)
}

/** The rows of a picture as a PNG has them: without alpha, each pixel as it is, after the number of no filter. */
function rowsOf({ width, height, data }: Bitmap): Buffer {
  const size = width * 3 + 1
  const raw = Buffer.alloc(size * height)
  for (let y = 0; y < height; y += 1)
    for (let [from, to] = [y * width * 4, y * size + 1]; to < (y + 1) * size; from += 4, to += 3) {
      raw[to] = data[from] ?? 0
      raw[to + 1] = data[from + 1] ?? 0
      raw[to + 2] = data[from + 2] ?? 0
    }
  return raw
}

/** Undoes the filters of the rows, each of which begins with the number of its own. */
function unfiltered(
  raw: Uint8Array,
  { width, height, channels }: { readonly width: number; readonly height: number; readonly channels: number },
): Uint8Array {
  const size = width * channels
  const pixels = new Uint8Array(width * height * 4).fill(255)
  let above: Uint8Array = new Uint8Array(size)
  for (let y = 0; y < height; y += 1) {
    const start = y * (size + 1)
    const row = raw.subarray(start + 1, start + 1 + size)
    unfilter(row, above, raw[start] ?? 0, channels)
    above = row
    if (channels === 4) {
      pixels.set(row, y * width * 4)
      continue
    }
    for (let from = 0, to = y * width * 4; from < size; from += 3, to += 4) {
      pixels[to] = row[from] ?? 0
      pixels[to + 1] = row[from + 1] ?? 0
      pixels[to + 2] = row[from + 2] ?? 0
    }
  }
  return pixels
}

function unfilter(row: Uint8Array, above: Uint8Array, filter: number, channels: number): void {
  if (filter === 0) return
  // The two that Chromium takes for speed.
  if (filter === 1)
    for (let at = channels; at < row.length; at += 1) row[at] = (row[at] ?? 0) + (row[at - channels] ?? 0)
  else if (filter === 2) for (let at = 0; at < row.length; at += 1) row[at] = (row[at] ?? 0) + (above[at] ?? 0)
  else unfilterByMore(row, above, filter, channels)
}

function unfilterByMore(row: Uint8Array, above: Uint8Array, filter: number, channels: number): void {
  for (let at = 0; at < row.length; at += 1) {
    const left = at < channels ? 0 : (row[at - channels] ?? 0)
    const up = above[at] ?? 0
    const corner = at < channels ? 0 : (above[at - channels] ?? 0)
    row[at] = (row[at] ?? 0) + (filter === 3 ? (left + up) >> 1 : nearest(left, up, corner))
  }
}

/** The neighbour that is nearest to `left + up - corner`. */
function nearest(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** A PNG that is transparent, and magenta where the plane has a 1. */
export function encodeMask(plane: Uint8Array, width: number, height: number): Uint8Array {
  const raw = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) raw.set(plane.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return Buffer.concat([
    signature,
    headerOf(width, height, 'palette'),
    chunk('PLTE', Buffer.from([0, 0, 0, 0xe6, 0x00, 0x7a])),
    chunk('tRNS', Buffer.from([0, 255])),
    chunk('IDAT', deflateSync(raw, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(body.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), framed.length - 4)
  return framed
}
