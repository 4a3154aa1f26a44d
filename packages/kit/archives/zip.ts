import { crc32, deflateRawSync } from 'node:zlib'

/** The values in one of the two headers of an entry. */
interface Header {
  readonly name: string | Buffer
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressedBytes: number
  readonly sizeBytes: number
}

/** One archive entry. Everything except name and data exists to write wrong values. */
export interface Entry {
  readonly name: string | Buffer
  readonly data?: string | Buffer
  readonly isStored?: boolean
  /** Written instead of the data, already compressed. */
  readonly raw?: Buffer
  /** External attributes: the upper half holds the Unix mode. */
  readonly attributes?: number
  /** Written to both headers. */
  readonly says?: Partial<Header>
  /** Written to the local header only. */
  readonly saysLocally?: Partial<Header>
  /** Has no content and points to that of the previous entry. */
  readonly isAlias?: boolean
}

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, at) => bytes.writeUInt16LE(value, at * 2))
  return bytes
}
const longs = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, at) => bytes.writeUInt32LE(value >>> 0, at * 4))
  return bytes
}

const versionNeeded = 20
const dosTime = words(0, 0x21)
const utf8Names = 0x800

/** The fields both headers share, from the flags to the extra length. */
function shared({ flags, method, crc, compressedBytes, sizeBytes }: Header, name: Buffer): Buffer {
  const head = [words(versionNeeded, flags, method), dosTime, longs(crc, compressedBytes, sizeBytes)]
  return Buffer.concat([...head, words(name.length, 0)])
}

/** The bytes of an entry in the archive, and what its headers say about them. */
function contentOf({ data: given = '', isStored, raw: written }: Entry) {
  const data = Buffer.from(given)
  const raw = written ?? (isStored ? data : deflateRawSync(data))
  return {
    raw,
    method: isStored ? 0 : 8,
    crc: crc32(data),
    compressedBytes: raw.length,
    sizeBytes: data.length,
  }
}

/**
 * Writes an archive byte by byte, following APPNOTE.TXT. It is valid unless an entry overrides its values. The kit has
 * its own writer so that it shares no code and no blind spots with the readers it tests.
 */
export function zip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  let lastOffset = 0
  let content = contentOf({ name: '' })
  for (const entry of entries) {
    if (!entry.isAlias) content = contentOf(entry)
    const { raw, ...described } = content
    const header: Header = { name: entry.name, flags: utf8Names, ...described, ...entry.says }
    if (!entry.isAlias) {
      const local = { ...header, ...entry.saysLocally }
      const name = Buffer.from(local.name)
      const record = Buffer.concat([longs(0x04034b50), shared(local, name), name, raw])
      parts.push(record)
      lastOffset = offset
      offset += record.length
    }
    const name = Buffer.from(header.name)
    const place = [words(0, 0, 0), longs(entry.attributes ?? 0, lastOffset)]
    directory.push(
      Buffer.concat([longs(0x02014b50), words((3 << 8) | versionNeeded), shared(header, name), ...place, name]),
    )
  }
  const bytes = directory.reduce((sum, record) => sum + record.length, 0)
  const end = [longs(0x06054b50), words(0, 0, entries.length, entries.length), longs(bytes, offset), words(0)]
  return Buffer.concat([...parts, ...directory, ...end])
}
