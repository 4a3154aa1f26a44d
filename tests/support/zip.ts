import { crc32, deflateRawSync } from 'node:zlib'

/** The numbers of one header. A test overrides those that should be wrong. */
interface Header {
  readonly signature: number
  readonly madeBy: number
  readonly needed: number
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressed: number
  readonly size: number
  readonly name: string | Buffer
  readonly extra: Buffer
  readonly comment: string
  readonly disk: number
  readonly attributes: number
  readonly offset: number
}

/** One entry. `raw` is written instead of the compressed data; `local` and `central` override one header each. */
export interface TestEntry {
  readonly name: string | Buffer
  readonly data?: string | Buffer
  readonly method?: number
  readonly flags?: number
  readonly extra?: Buffer
  readonly attributes?: number
  readonly raw?: Buffer
  readonly descriptor?: 'none' | 'plain' | 'signed' | 'plain64' | 'signed64'
  /** Written after the data and the descriptor. */
  readonly after?: Buffer
  readonly local?: Partial<Header>
  readonly central?: Partial<Header>
  /** Numbers are written to Zip64 fields, in both headers. */
  readonly zip64?: boolean
  /** Written to the archive but not to its directory. */
  readonly hidden?: boolean
  /** Written only to the directory, and shares the local record of the previous entry. */
  readonly alias?: boolean
}

export interface TestArchive {
  readonly prefix?: Buffer
  readonly beforeDirectory?: Buffer
  readonly comment?: Buffer
  readonly suffix?: Buffer
  readonly zip64?: boolean
  readonly end?: Partial<Readonly<Record<'disk' | 'here' | 'entries' | 'bytes' | 'offset' | 'commentBytes', number>>>
  readonly end64?: Partial<Readonly<Record<'size' | 'here' | 'entries' | 'bytes' | 'offset' | 'locator', number>>>
}

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, (value >>> 8) & 0xff])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** One extra field. */
export const extraField = (id: number, data: Buffer): Buffer => Buffer.concat([u16(id), u16(data.length), data])

/** An Info-ZIP Unicode path field for a header whose name is `header`. */
export const unicodePath = (header: string | Buffer, name: string | Buffer, crc = crc32(header)): Buffer =>
  extraField(0x7075, Buffer.concat([Buffer.from([1]), u32(crc), Buffer.from(name)]))

const dosTime = Buffer.concat([u16(0), u16(0x21)])

function localHeader(h: Header): Buffer {
  const name = Buffer.from(h.name)
  const figures = [u32(h.crc), u32(h.compressed), u32(h.size), u16(name.length), u16(h.extra.length)]
  return Buffer.concat([
    u32(h.signature),
    u16(h.needed),
    u16(h.flags),
    u16(h.method),
    dosTime,
    ...figures,
    name,
    h.extra,
  ])
}

function centralRecord(h: Header): Buffer {
  const name = Buffer.from(h.name)
  const comment = Buffer.from(h.comment)
  const head = [u32(h.signature), u16(h.madeBy), u16(h.needed), u16(h.flags), u16(h.method), dosTime]
  const figures = [u32(h.crc), u32(h.compressed), u32(h.size), u16(name.length), u16(h.extra.length)]
  const rest = [u16(comment.length), u16(h.disk), u16(0), u32(h.attributes), u32(h.offset)]
  return Buffer.concat([...head, ...figures, ...rest, name, h.extra, comment])
}

/** Builds an archive byte by byte, valid by default. Independent of every ZIP library. */
export function aZip(entries: readonly TestEntry[], archive: TestArchive = {}): Buffer {
  const parts: Buffer[] = [archive.prefix ?? Buffer.alloc(0)]
  const records: Buffer[] = []
  let offset = parts[0]?.length ?? 0
  let last = offset
  const push = (...added: Buffer[]): void => {
    for (const part of added) {
      parts.push(part)
      offset += part.length
    }
  }
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '')
    const method = entry.method ?? 8
    const raw = entry.raw ?? (method === 8 ? deflateRawSync(data) : data)
    const descriptor = entry.descriptor ?? 'none'
    const known = descriptor === 'none'
    if (entry.alias !== true) last = offset
    const base = {
      madeBy: (3 << 8) | 20,
      needed: 20,
      flags: (entry.flags ?? 0x800) | (known ? 0 : 8),
      method,
      name: entry.name,
      comment: '',
      disk: 0,
      attributes: entry.attributes ?? 0,
    }
    const extra = entry.extra ?? Buffer.alloc(0)
    const wide = entry.zip64 === true
    const figures = { crc: crc32(data), compressed: raw.length, size: data.length }
    const longs = (...values: number[]): Buffer => extraField(1, Buffer.concat(values.map(u64)))
    const saturated = wide ? { compressed: 0xffffffff, size: 0xffffffff } : {}
    if (entry.alias !== true) {
      const local = known ? figures : { crc: 0, compressed: 0, size: 0 }
      push(
        localHeader({
          ...base,
          signature: 0x04034b50,
          offset: 0,
          ...local,
          ...saturated,
          extra: wide ? Buffer.concat([longs(local.size, local.compressed), extra]) : extra,
          ...entry.local,
        }),
        raw,
      )
      if (!known) {
        const size = descriptor.endsWith('64') ? u64 : u32
        if (descriptor.startsWith('signed')) push(u32(0x08074b50))
        push(u32(figures.crc), size(figures.compressed), size(figures.size))
      }
      push(entry.after ?? Buffer.alloc(0))
    }
    if (entry.hidden === true) continue
    records.push(
      centralRecord({
        ...base,
        signature: 0x02014b50,
        ...figures,
        ...saturated,
        offset: wide ? 0xffffffff : last,
        extra: wide ? Buffer.concat([longs(figures.size, figures.compressed, last), extra]) : extra,
        ...entry.central,
      }),
    )
  }
  push(archive.beforeDirectory ?? Buffer.alloc(0))
  const directoryOffset = offset
  push(...records)
  return Buffer.concat([...parts, endRecords(archive, records.length, directoryOffset, offset)])
}

function endRecords(archive: TestArchive, count: number, directoryOffset: number, directoryEnd: number): Buffer {
  const bytes = directoryEnd - directoryOffset
  const comment = archive.comment ?? Buffer.alloc(0)
  const short = archive.zip64
    ? { disk: 0, here: 0xffff, entries: 0xffff, bytes: 0xffffffff, offset: 0xffffffff }
    : { disk: 0, here: count, entries: count, bytes, offset: directoryOffset }
  const end = { ...short, commentBytes: comment.length, ...archive.end }
  const long = { size: 44, here: count, entries: count, bytes, offset: directoryOffset, locator: directoryEnd }
  const end64 = { ...long, ...archive.end64 }
  const record = [u32(0x06064b50), u64(end64.size), u16(45), u16(45), u32(0), u32(0)]
  const figures = [u64(end64.here), u64(end64.entries), u64(end64.bytes), u64(end64.offset)]
  const locator = [u32(0x07064b50), u32(0), u64(end64.locator), u32(1)]
  const zip64 = Buffer.concat([...record, ...figures, ...locator])
  const head = [u32(0x06054b50), u16(end.disk), u16(end.disk), u16(end.here), u16(end.entries)]
  const tail = [u32(end.bytes), u32(end.offset), u16(end.commentBytes), comment, archive.suffix ?? Buffer.alloc(0)]
  return Buffer.concat([archive.zip64 === true ? zip64 : Buffer.alloc(0), ...head, ...tail])
}
