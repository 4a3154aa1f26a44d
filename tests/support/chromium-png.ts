import { deflateSync } from 'node:zlib'

export type Colour = readonly [number, number, number]

/** A PNG of some rows as Chromium writes them, with a filter of its own for each row. */
export function png(width: number, rows: readonly (readonly Colour[])[]): Uint8Array {
  const lines = rows.map((row, y) => {
    const bytes = row.flat()
    // A row is stored as it is, or as what differs from the pixel before.
    return y % 2 === 0
      ? [0, ...bytes]
      : [1, ...bytes.map((value, at) => (value - (at < 3 ? 0 : (bytes[at - 3] ?? 0))) & 255)]
  })
  const chunk = (type: string, body: Buffer): Buffer => {
    const framed = Buffer.alloc(12 + body.length)
    framed.writeUInt32BE(body.length, 0)
    framed.write(type, 4, 'latin1')
    body.copy(framed, 8)
    return framed
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(rows.length, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
