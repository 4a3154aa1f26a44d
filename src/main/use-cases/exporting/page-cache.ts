import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

import { isSystemError } from '../../platform/disk/system-error.ts'
import { scratchBytes, scratchRoom } from './scratch.ts'
import type { BundleSource } from './source.ts'
import type { SiteId } from '../../../contract/ids.ts'

/** Values that an earlier export derived from a page, by a key that names everything they depend on. */
export interface PageCache {
  get(key: string): unknown
  /** Returns an equal value that does not keep the source string of its slices in memory. */
  put<Value>(key: string, value: Value): Value
  add(key: string, value: unknown): void
  /** Keeps a value for later exports that this one does not need. */
  touch(key: string): void
  /**
   * Keeps a text with this hash on disk until the export ends; the returned function reads it. null, from either: render it
   * again.
   */
  spool(text: Buffer, sha256: string): (() => string | null) | null
  /** Deletes the values of earlier exports. */
  forget(): void
  /** Saves the values that this export used for the next one. */
  close(): void
}

/** A text is not what an earlier export made of the same inputs, so the cache cannot be trusted. */
export class StaleText extends Error {}

/** Caches nothing: for exports without a library on this disk. */
export const noCache: PageCache = {
  get: () => null,
  put: (_key, value) => value,
  add: () => undefined,
  touch: () => undefined,
  spool: () => null,
  forget: () => undefined,
  close: () => undefined,
}

interface RecordLocation {
  readonly offset: number
  readonly bytes: number
  /** The first half of the SHA-256 of the bytes. A torn record is a cache miss. */
  readonly check: string
}

const magic = 'galley-pages-2\n'
const lengthDigits = 12
const tailBytes = magic.length + lengthDigits
/** A file that grows beyond this, or beyond three times what an export uses, is rewritten without unused records. */
const capBytes = 1024 ** 3
const spareFactor = 3

const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const checkDigits = 32
const checkOf = (bytes: Uint8Array): string => hashOf(bytes).slice(0, checkDigits)
/** Keys name every link of a page: thousands of them would take more memory than anything else. */
const idOf = (key: string): string => hashOf(key).slice(0, checkDigits)

/**
 * The cache of a site: one file of records followed by their places, which is replaced as a whole when an export ends.
 * Two concurrent exports do not disturb each other; the last one wins. All of it may be deleted at any time, and a
 * failure to write it costs only time.
 */
function openPageCache(folder: string, site: SiteId): PageCache {
  const file = join(folder, `pages-${hashOf(site).slice(0, 16)}`)
  const before = readPlaces(file)
  const used = new Map<string, RecordLocation>()
  const fresh = new Map<string, RecordLocation>()
  const records = scratchFile(folder)
  const spooled = scratchFile(folder)
  let isTrusted = true
  function add(key: string, text: string): void {
    const bytes = scratchBytes(text)
    const offset = records.append(bytes)
    if (offset !== null) fresh.set(idOf(key), { offset, bytes: bytes.length, check: checkOf(bytes) })
  }

  return {
    get(key) {
      const id = idOf(key)
      const made = fresh.get(id)
      const place = made ?? before.places.get(id)
      const fd = made === undefined ? before.fd : records.fd
      const bytes = place === undefined || fd === null ? null : read(fd, place)
      if (place === undefined || bytes === null) return null
      if (made === undefined) used.set(id, place)
      return JSON.parse(bytes.toString('utf8')) as unknown
    },
    put<Value>(key: string, value: Value): Value {
      const text = JSON.stringify(value)
      add(key, text)
      // The strings of `value` are slices that would keep the whole page in memory.
      return JSON.parse(text) as Value
    },
    add: (key, value) => add(key, JSON.stringify(value)),
    touch(key) {
      const id = idOf(key)
      const place = before.places.get(id)
      if (place !== undefined) used.set(id, place)
    },
    spool(text, sha256) {
      const offset = spooled.append(text)
      if (offset === null || spooled.fd === null) return null
      return readerOf(spooled.fd, { offset, bytes: text.length, check: sha256.slice(0, checkDigits) })
    },
    forget() {
      isTrusted = false
      rmSync(file, { force: true })
    },
    close() {
      try {
        if (isTrusted) saveRecords(file, { before, used, fresh, records })
      } catch (error) {
        if (!isSystemError(error)) throw error
      } finally {
        if (before.fd !== null) closeSync(before.fd)
        records.close()
        spooled.close()
      }
    },
  }
}

/** In the scratch buffer. */
function read(fd: number, { offset, bytes, check }: RecordLocation): Buffer | null {
  const buffer = scratchRoom(bytes)
  return readSync(fd, buffer, 0, bytes, offset) === bytes && checkOf(buffer) === check ? buffer : null
}

interface Kept {
  readonly before: ReturnType<typeof readPlaces>
  /** The records of `before` that this export used. */
  readonly used: ReadonlyMap<string, RecordLocation>
  readonly fresh: ReadonlyMap<string, RecordLocation>
  readonly records: ReturnType<typeof scratchFile>
}

/** Merges the earlier records and the new ones into one file. */
function saveRecords(file: string, { before, used, fresh, records }: Kept): void {
  if (records.isBroken() || (fresh.size === 0 && before.places.size <= used.size * spareFactor)) return
  const path = `${file}.${randomUUID()}.tmp`
  try {
    const size = (places: Iterable<RecordLocation>): number => [...places].reduce((sum, { bytes }) => sum + bytes, 0)
    const wanted = size(used.values()) + size(fresh.values())
    const isSpare = before.end + size(fresh.values()) > Math.min(capBytes, wanted * spareFactor + 1)
    const kept = new Map(isSpare ? used : before.places)
    const start = isSpare || before.fd === null ? 0 : before.end
    if (start > 0) copyFileSync(file, path)
    const out = openSync(path, start > 0 ? 'r+' : 'w', 0o600)
    try {
      const places = new Map<string, RecordLocation>(isSpare ? [] : kept)
      let at = start
      const copy = (fd: number | null, from: ReadonlyMap<string, RecordLocation>): void => {
        for (const [key, place] of from) {
          const bytes = fd === null || at > capBytes ? null : read(fd, place)
          if (bytes === null) continue
          writeSync(out, bytes, 0, bytes.length, at)
          places.set(key, { ...place, offset: at })
          at += bytes.length
        }
      }
      if (isSpare) copy(before.fd, kept)
      copy(records.fd, fresh)
      const index = Buffer.from(JSON.stringify([...places].map(([key, p]) => [key, p.offset, p.bytes, p.check])))
      const tail = Buffer.from(`${String(index.length).padStart(lengthDigits, '0')}${magic}`)
      writeSync(out, Buffer.concat([index, tail]), 0, index.length + tail.length, at)
    } finally {
      closeSync(out)
    }
    renameSync(path, file)
  } finally {
    rmSync(path, { force: true })
  }
}

/** A separate function, so that its closure does not keep the text in memory. */
const readerOf = (fd: number, place: RecordLocation) => (): string | null => read(fd, place)?.toString('utf8') ?? null

/** Runs an export with the cache of its site, if its library has one. */
export async function withPageCache<Value>(
  { site, cacheFolder }: Pick<BundleSource, 'site' | 'cacheFolder'>,
  work: (cache: PageCache) => Promise<Value>,
): Promise<Value> {
  const cache = cacheFolder === undefined ? noCache : openPageCache(cacheFolder, site.id)
  try {
    return await work(cache)
  } catch (error) {
    if (!(error instanceof StaleText)) throw error
    // No known case leads here. Without this, exports would fail until somebody deletes the cache.
    cache.forget()
    return await work(noCache)
  } finally {
    cache.close()
  }
}

/** The places of the records that an earlier export saved; none if the file is missing or incomplete. */
function readPlaces(file: string) {
  const places = new Map<string, RecordLocation>()
  let fd: number
  try {
    fd = openSync(file, 'r')
  } catch (error) {
    if (!isSystemError(error)) throw error
    return { fd: null, places, end: 0 }
  }
  const size = statSync(file).size
  const tail = Buffer.alloc(tailBytes)
  readSync(fd, tail, 0, tailBytes, Math.max(0, size - tailBytes))
  const bytes = Number(tail.toString('latin1', 0, lengthDigits))
  const end = size - tailBytes - bytes
  if (tail.toString('latin1', lengthDigits) !== magic || !Number.isSafeInteger(bytes) || end < 0) {
    closeSync(fd)
    return { fd: null, places, end: 0 }
  }
  const index = Buffer.alloc(bytes)
  readSync(fd, index, 0, bytes, end)
  try {
    // Meets the disk: a record that was damaged has another checksum.
    for (const [key, offset, length, check] of JSON.parse(index.toString('utf8')) as [string, number, number, string][])
      places.set(key, { offset, bytes: length, check })
    return { fd, places, end }
  } catch {
    closeSync(fd)
    return { fd: null, places: new Map<string, RecordLocation>(), end: 0 }
  }
}

/** A private file that is deleted when this process ends. */
function scratchFile(folder: string) {
  const path = join(folder, `${randomUUID()}.tmp`)
  const state: { fd: number | null; end: number; isBroken: boolean } = { fd: null, end: 0, isBroken: false }
  const broken = (error: unknown): null => {
    if (!isSystemError(error)) throw error
    state.isBroken = true
    return null
  }
  function open(): number | null {
    if (state.fd !== null || state.isBroken) return state.fd
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      state.fd = openSync(path, 'w+', 0o600)
      // Windows cannot delete an open file: there it is deleted at the end.
      if (process.platform !== 'win32') rmSync(path)
      return state.fd
    } catch (error) {
      return broken(error)
    }
  }
  return {
    get fd() {
      return state.fd
    },
    isBroken: () => state.isBroken,
    append(bytes: Buffer): number | null {
      const fd = open()
      if (fd === null || state.isBroken) return null
      try {
        const offset = state.end
        for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, offset + done)
        state.end += bytes.length
        return offset
      } catch (error) {
        return broken(error)
      }
    },
    close(): void {
      if (state.fd === null) return
      closeSync(state.fd)
      rmSync(path, { force: true })
    },
  }
}
