/** A file in a ZIP: the offset of its local header, its size and CRC-32. */
export interface ZipEntry {
  readonly path: string
  readonly offset: number
  readonly sizeBytes: number
  readonly crc32: number
}

// 1 January 1980, 00:00, the earliest time in a ZIP: files of a bundle have no time.
const dosTime = 0
const dosDate = 0x21
const stored = 0
/** Made on Unix, ZIP 4.5, a plain file that all can read. */
const madeBy = (3 << 8) | 45
const plainFile = (0o100644 << 16) >>> 0
const version = (zip64: boolean): number => (zip64 ? 45 : 20)

const max16 = 0xffff
const max32 = 0xffffffff

/** The offset of the CRC-32 in a local header. */
export const crcOffset = 14

/**
 * The header before a file's content (APPNOTE 4.3.7). Bundle paths are ASCII and need no encoding flag. Files of a library
 * are smaller than 4 GB.
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

/** The entry in the central directory (4.3.12). Offsets beyond 4 GB use a Zip64 field (4.5.3). */
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

/** The entry count and the position of the central directory. */
export interface Directory {
  readonly entries: number
  readonly offset: number
  readonly sizeBytes: number
}

/** The end of a ZIP (4.3.14 to 4.3.16), with the Zip64 records if the values do not fit the plain one. */
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
