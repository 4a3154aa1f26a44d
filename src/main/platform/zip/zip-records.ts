/** One file in a ZIP: where its local header stands, its size and its CRC-32. */
export interface ZipEntry {
  readonly path: string
  readonly offset: number
  readonly sizeBytes: number
  readonly crc32: number
}

// 1 January 1980, 00:00: the earliest time a ZIP can name, since no time belongs to a bundle's files.
const dosTime = 0
const dosDate = 0x21
const stored = 0
/** Made on Unix, by ZIP 4.5, as a plain file that all may read. */
const madeBy = (3 << 8) | 45
const plainFile = (0o100644 << 16) >>> 0
const version = (zip64: boolean): number => (zip64 ? 45 : 20)

const max16 = 0xffff
const max32 = 0xffffffff

/** Where the CRC-32 stands in a local header. */
export const crcOffset = 14

/**
 * The header before a file's bytes (APPNOTE 4.3.7). Bundle paths are ASCII, so they need no encoding flag; no file of a
 * library is as large as 4 GB.
 */
export function localHeader({ path, sizeBytes, crc32 }: Omit<ZipEntry, 'offset'>): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(version(false), 4)
  header.writeUInt16LE(stored, 8)
  header.writeUInt16LE(dosTime, 10)
  header.writeUInt16LE(dosDate, 12)
  header.writeUInt32LE(crc32, crcOffset)
  header.writeUInt32LE(sizeBytes, 18)
  header.writeUInt32LE(sizeBytes, 22)
  header.writeUInt16LE(path.length, 26)
  return Buffer.concat([header, Buffer.from(path, 'latin1')])
}

/** The entry in the central directory (4.3.12); an offset beyond 4 GB moves to a Zip64 field (4.5.3). */
export function centralHeader({ path, offset, sizeBytes, crc32 }: ZipEntry): Buffer {
  const far = offset >= max32
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(madeBy, 4)
  header.writeUInt16LE(version(far), 6)
  header.writeUInt16LE(stored, 10)
  header.writeUInt16LE(dosTime, 12)
  header.writeUInt16LE(dosDate, 14)
  header.writeUInt32LE(crc32, 16)
  header.writeUInt32LE(sizeBytes, 20)
  header.writeUInt32LE(sizeBytes, 24)
  header.writeUInt16LE(path.length, 28)
  header.writeUInt16LE(far ? 12 : 0, 30)
  header.writeUInt32LE(plainFile, 38)
  header.writeUInt32LE(far ? max32 : offset, 42)
  const extra = Buffer.alloc(far ? 12 : 0)
  if (far) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(offset), 4)
  }
  return Buffer.concat([header, Buffer.from(path, 'latin1'), extra])
}

/** How many entries there are and where their central directory lies. */
export interface Directory {
  readonly entries: number
  readonly offset: number
  readonly sizeBytes: number
}

/** The end of a ZIP (4.3.14 to 4.3.16), with the Zip64 records when the plain one cannot hold the figures. */
export function endRecords({ entries, offset, sizeBytes }: Directory, comment: string): Buffer {
  const zip64 = entries >= max16 || offset >= max32 || sizeBytes >= max32
  const large = Buffer.alloc(zip64 ? 76 : 0)
  if (zip64) {
    large.writeUInt32LE(0x06064b50, 0)
    large.writeBigUInt64LE(44n, 4)
    large.writeUInt16LE(madeBy, 12)
    large.writeUInt16LE(version(true), 14)
    large.writeBigUInt64LE(BigInt(entries), 24)
    large.writeBigUInt64LE(BigInt(entries), 32)
    large.writeBigUInt64LE(BigInt(sizeBytes), 40)
    large.writeBigUInt64LE(BigInt(offset), 48)
    large.writeUInt32LE(0x07064b50, 56)
    large.writeBigUInt64LE(BigInt(offset + sizeBytes), 64)
    large.writeUInt32LE(1, 72)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, max16), 8)
  end.writeUInt16LE(Math.min(entries, max16), 10)
  end.writeUInt32LE(Math.min(sizeBytes, max32), 12)
  end.writeUInt32LE(Math.min(offset, max32), 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([large, end, Buffer.from(comment, 'latin1')])
}
