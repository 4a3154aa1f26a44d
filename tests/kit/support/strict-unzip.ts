import { crc32, inflateRawSync } from 'node:zlib'

/** How a careless reader differs from a careful one. */
export interface Carelessness {
  /** Unreadable entries are left out; a file that is no archive has none. */
  readonly skips?: boolean
  readonly ignoresChecksums?: boolean
  readonly ignoresNames?: boolean
  readonly ignoresKinds?: boolean
  readonly ignoresLayout?: boolean
}

/** Every file of an archive by its name; null when anything about it is not as it should be. */
export function unzip(bytes: Buffer, careless: Carelessness = {}): Map<string, Buffer> | null {
  const end = careless.ignoresLayout ? bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1') : bytes.length - 22
  const isEnd = end >= 0 && end + 22 <= bytes.length && bytes.readUInt32LE(end) === 0x06054b50
  if (!isEnd) return careless.skips ? new Map() : null
  const files = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  let expectedOffset = 0
  const isPlaced = at + bytes.readUInt32LE(end + 12) === end
  if (!isPlaced && !careless.ignoresLayout) return careless.skips ? new Map() : null
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) return careless.skips ? files : null
    const nameBytes = bytes.readUInt16LE(at + 28)
    const name = bytes.subarray(at + 46, at + 46 + nameBytes).toString('utf8')
    const entry = readEntry(bytes, at, name, expectedOffset, careless)
    const isTwice = files.has(name) && !careless.ignoresLayout
    if (entry === null || isTwice) {
      if (!careless.skips) return null
    } else {
      expectedOffset = entry.end
      if (!name.endsWith('/')) files.set(name, entry.data)
    }
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return files
}

function readEntry(
  bytes: Buffer,
  at: number,
  name: string,
  expectedOffset: number,
  careless: Carelessness,
): { readonly data: Buffer; readonly end: number } | null {
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]
  const [crc, compressed, size] = [16, 20, 24].map((place) => bytes.readUInt32LE(at + place))
  const kind = (bytes.readUInt32LE(at + 38) >>> 16) & 0xf000
  const offset = bytes.readUInt32LE(at + 42)
  if (compressed === undefined || size === undefined || size > 500_000_000) return null
  if ((flags & 1) !== 0 || (method !== 0 && method !== 8)) return null
  if (![0, 0x8000, 0x4000].includes(kind) && !careless.ignoresKinds) return null
  if (!careless.ignoresNames && isBadName(name.replace(/\/$/, ''))) return null
  const nameBytes = bytes.readUInt16LE(offset + 26)
  const isNamedAlike = bytes.subarray(offset + 30, offset + 30 + nameBytes).toString('utf8') === name
  if (!careless.ignoresLayout && (offset !== expectedOffset || !isNamedAlike)) return null
  const start = offset + 30 + nameBytes + bytes.readUInt16LE(offset + 28)
  const raw = bytes.subarray(start, start + compressed)
  const data = method === 0 ? raw : inflated(raw, careless.ignoresChecksums ? 1e9 : size)
  if (data === null) return null
  const isSound = data.length === size && crc32(data) === crc
  return isSound || careless.ignoresChecksums ? { data, end: start + compressed } : null
}

const isBadName = (name: string): boolean =>
  /[\p{Cc}\\]|^\/|^[a-z]:/iu.test(name) ||
  name
    .replace(/%2e/gi, '.')
    .split('/')
    .some((part) => part === '' || part === '.' || part === '..')

function inflated(raw: Buffer, maxBytes: number): Buffer | null {
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, maxBytes) })
  } catch {
    // Damaged, or larger than declared.
    return null
  }
}
