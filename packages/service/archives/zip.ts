import { crc32, deflateRawSync } from 'node:zlib'

/** One file of an archive. Media and fonts are already compressed, so only text is deflated. */
export interface ZipEntry {
  readonly name: string
  readonly content: Buffer | string
}

const localBytes = 30
const centralBytes = 46
const endBytes = 22
/** Basic deflate, and names in UTF-8 (APPNOTE 4.4.3 and 4.4.4). */
const versionNeeded = 20
const namesInUtf8 = 0x0800

/**
 * Builds a ZIP in memory. It blocks the thread (under a second for 200 MB), which keeps a save atomic until its
 * callback. adm-zip, made for changing archives, would take most of a save's time; this only has to write one in order.
 */
export function buildZip(entries: readonly ZipEntry[], modifiedMs: number): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content } of entries) {
    const nameBytes = Buffer.from(name, 'utf8')
    const facts = entryFacts(content, modifiedMs)
    const local = Buffer.alloc(localBytes)
    local.writeUInt32LE(0x04034b50, 0)
    facts.figures.copy(local, 4)
    local.writeUInt16LE(nameBytes.length, 26)
    const central = Buffer.alloc(centralBytes)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(versionNeeded, 4)
    facts.figures.copy(central, 6)
    central.writeUInt16LE(nameBytes.length, 28)
    central.writeUInt32LE(at, 42)
    parts.push(local, nameBytes, facts.data)
    directory.push(central, nameBytes)
    at += localBytes + nameBytes.length + facts.data.length
  }
  const directorySize = directory.reduce((size, part) => size + part.length, 0)
  const end = Buffer.alloc(endBytes)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directorySize, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** An entry's data, and the fields both of its headers share, from "version needed" to the uncompressed size. */
function entryFacts(content: Buffer | string, modifiedMs: number): { readonly data: Buffer; readonly figures: Buffer } {
  const isText = typeof content === 'string'
  const bytes = isText ? Buffer.from(content, 'utf8') : content
  const data = isText ? deflateRawSync(bytes) : bytes
  const figures = Buffer.alloc(22)
  figures.writeUInt16LE(versionNeeded, 0)
  figures.writeUInt16LE(namesInUtf8, 2)
  figures.writeUInt16LE(isText ? 8 : 0, 4)
  figures.writeUInt32LE(dosTime(modifiedMs), 6)
  figures.writeUInt32LE(crc32(bytes), 10)
  figures.writeUInt32LE(data.length, 14)
  figures.writeUInt32LE(bytes.length, 18)
  return { data, figures }
}

/** A UTC time in DOS format: two-second precision, 1980 at the earliest. */
function dosTime(ms: number): number {
  const time = new Date(ms)
  const years = Math.max(0, time.getUTCFullYear() - 1980)
  const date = (years << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
  return ((date << 16) | clock) >>> 0
}
