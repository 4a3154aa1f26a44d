/** Writes ZIP archives of any size to disk, with one entry in memory at a time. */

import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipFileEntry {
  readonly name: string
  readonly data: Buffer
}

export type ZipMethod = 'stored' | 'deflated'

/** Midnight of 1 January 1980 in DOS format: archives with the same content are identical. */
const dosEpoch = 0x0021_0000

/** Writes the entries in order. An existing file is an error. Returns the size of the archive in bytes. */
export function writeZipFile(file: string, entries: Iterable<ZipFileEntry>, method: ZipMethod): number {
  const fd = openSync(file, 'wx')
  const directory: Buffer[] = []
  let at = 0
  const write = (bytes: Buffer): void => {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
    at += bytes.length
  }
  try {
    for (const { name, data } of entries) {
      const content = method === 'stored' ? data : deflateRawSync(data)
      const nameBytes = Buffer.from(name)
      const figures = figuresOf(data, content.length, nameBytes.length, method)
      directory.push(centralRecord(figures, at), nameBytes)
      write(localHeader(figures))
      write(nameBytes)
      write(content)
    }
    const start = at
    for (const part of directory) write(part)
    write(endRecord(directory.length / 2, at - start, start))
  } finally {
    closeSync(fd)
  }
  return at
}

/** The fields that local header and central record share, from "version needed" to the length of the extra field. */
function figuresOf(data: Buffer, compressedBytes: number, nameBytes: number, method: ZipMethod): Buffer {
  const figures = Buffer.alloc(26)
  figures.writeUInt16LE(20, 0)
  figures.writeUInt16LE(0x0800, 2)
  figures.writeUInt16LE(method === 'stored' ? 0 : 8, 4)
  figures.writeUInt32LE(dosEpoch, 6)
  figures.writeUInt32LE(crc32(data), 10)
  figures.writeUInt32LE(compressedBytes, 14)
  figures.writeUInt32LE(data.length, 18)
  figures.writeUInt16LE(nameBytes, 22)
  return figures
}

function localHeader(figures: Buffer): Buffer {
  const signature = Buffer.alloc(4)
  signature.writeUInt32LE(0x04034b50)
  return Buffer.concat([signature, figures])
}

function centralRecord(figures: Buffer, localOffset: number): Buffer {
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE((3 << 8) | 20, 4)
  figures.copy(record, 6)
  record.writeUInt32LE(localOffset, 42)
  return record
}

function endRecord(entries: number, directoryBytes: number, directoryOffset: number): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(entries, 8)
  record.writeUInt16LE(entries, 10)
  record.writeUInt32LE(directoryBytes, 12)
  record.writeUInt32LE(directoryOffset, 16)
  return record
}
