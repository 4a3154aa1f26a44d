import { hash, randomUUID } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isSystemError } from '@galley/platform'
import type { SiteId } from '@galley/wire'

import type { RecordLocation } from './record-table.ts'
import { hashBytes, RecordTable, rowBytes } from './record-table.ts'
import { scratchBytes, scratchRoom } from './scratch.ts'
import type { BundleSource } from './source.ts'

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

const magic = 'galley-pages-3\n'
/** After the magic word: offset, size and check sum of the table of records. */
const headerBytes = magic.length + 2 * 6 + hashBytes
/** A file that grows beyond this, or beyond three times what an export uses, is rewritten without unused records. */
const capBytes = 1024 ** 3
const spareFactor = 3
/** In a small file, earlier tables are larger than records. */
const spareBytes = 16 * 1024

const checkOf = (bytes: Uint8Array | string): Buffer => hash('sha256', bytes, 'buffer').subarray(0, hashBytes)

/**
 * The cache of a site: one file of records and a table of their places, which its header names. An export adds its records and a
 * new table at the end, then changes the header: before that, the file is as it was. If another export did so meanwhile, the file
 * is replaced as a whole, so the last one wins. All of it may be deleted at any time, and a failure to write it costs only time.
 */
function openPageCache(folder: string, site: SiteId): PageCache {
  const file = join(folder, `pages-${hash('sha256', site).slice(0, 16)}`)
  const before = readTable(file)
  /** Which rows of `before` this export used. */
  const used = new Uint8Array(before.table.size)
  const fresh = new RecordTable()
  const records = scratchFile(folder)
  const spooled = scratchFile(folder)
  const texts = new RecordTable()
  let isTrusted = true
  function add(key: string, text: string): void {
    const bytes = scratchBytes(text)
    const offset = records.append(bytes)
    // Keys name every link of a page: thousands of them would take more memory than anything else.
    if (offset !== null) fresh.set(checkOf(key), { offset, bytes: bytes.length, check: checkOf(bytes) })
  }

  return {
    get(key) {
      const id = checkOf(key)
      const made = fresh.find(id)
      const known = made === null ? before.table.find(id) : null
      const fd = made === null ? before.fd : records.fd
      if (fd === null) return null
      const place = made !== null ? fresh.at(made) : known !== null ? before.table.at(known) : null
      const bytes = place && read(fd, place)
      if (bytes === null) return null
      if (known !== null) used[known] = 1
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
      const known = before.table.find(checkOf(key))
      if (known !== null) used[known] = 1
    },
    spool(text, sha256) {
      const offset = spooled.append(text)
      if (offset === null || spooled.fd === null) return null
      const id = Buffer.from(sha256.slice(0, 2 * hashBytes), 'hex')
      texts.set(id, { offset, bytes: text.length, check: id })
      return readerOf(spooled.fd, texts, sha256)
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
  return readSync(fd, buffer, 0, bytes, offset) === bytes && checkOf(buffer).equals(check) ? buffer : null
}

interface Kept {
  readonly before: ReturnType<typeof readTable>
  readonly used: Uint8Array
  readonly fresh: RecordTable
  readonly records: ReturnType<typeof scratchFile>
}

/** Adds the new records to the file, or makes a new file of them and the used ones. */
function saveRecords(file: string, kept: Kept): void {
  const { before, used, fresh, records } = kept
  const usedRows = [...used.keys()].filter((row) => used[row] === 1)
  if (records.isBroken() || (fresh.size === 0 && before.table.size <= usedRows.length * spareFactor)) return
  const added = sizeOf(fresh, [...rowsOf(fresh)])
  const wanted = sizeOf(before.table, usedRows) + added
  if (
    before.fd !== null &&
    before.end + added <= Math.min(capBytes, wanted * spareFactor + spareBytes) &&
    isUnchanged(file, before)
  ) {
    const out = openSync(file, 'r+')
    try {
      const table = new RecordTable(Buffer.from(before.table.rows))
      writeTable(
        out,
        table,
        copyRecords(out, before.end, table, { from: records.fd, places: fresh, rows: rowsOf(fresh) }),
      )
    } finally {
      closeSync(out)
    }
    return
  }
  const path = `${file}.${randomUUID()}.tmp`
  try {
    const out = openSync(path, 'wx', 0o600)
    try {
      const table = new RecordTable()
      const end = copyRecords(out, headerBytes, table, { from: before.fd, places: before.table, rows: usedRows })
      writeTable(out, table, copyRecords(out, end, table, { from: records.fd, places: fresh, rows: rowsOf(fresh) }))
    } finally {
      closeSync(out)
    }
    renameSync(path, file)
  } finally {
    rmSync(path, { force: true })
  }
}

const rowsOf = ({ size }: RecordTable): Iterable<number> => Array(size).keys()
/** The size of records and of their rows. */
const sizeOf = (table: RecordTable, rows: readonly number[]): number =>
  rows.reduce((sum, row) => sum + table.at(row).bytes + rowBytes, 0)

/** Copies records to the place `at` of a file. Returns where they end. */
function copyRecords(
  out: number,
  at: number,
  table: RecordTable,
  {
    from,
    places,
    rows,
  }: { readonly from: number | null; readonly places: RecordTable; readonly rows: Iterable<number> },
): number {
  let end = at
  for (const row of rows) {
    const place = places.at(row)
    const bytes = from === null || end > capBytes ? null : read(from, place)
    if (bytes === null) continue
    writeSync(out, bytes, 0, bytes.length, end)
    table.set(places.id(row), { ...place, offset: end })
    end += bytes.length
  }
  return end
}

/** Writes the table to the end of a file, then the header that names it. */
function writeTable(out: number, { rows }: RecordTable, end: number): void {
  writeSync(out, rows, 0, rows.length, end)
  const header = Buffer.alloc(headerBytes)
  header.write(magic)
  header.writeUIntBE(end, magic.length, 6)
  header.writeUIntBE(rows.length, magic.length + 6, 6)
  checkOf(rows).copy(header, magic.length + 12)
  writeSync(out, header, 0, headerBytes, 0)
}

/** Whether no other export has written the file since it was read. */
function isUnchanged(file: string, { header, fd }: ReturnType<typeof readTable>): boolean {
  const now = openSync(file, 'r')
  try {
    const found = Buffer.alloc(headerBytes)
    readSync(now, found, 0, headerBytes, 0)
    return found.equals(header) && fd !== null && fstatSync(fd).ino === fstatSync(now).ino
  } finally {
    closeSync(now)
  }
}

/** A separate function, so that its closure does not keep the text in memory. */
const readerOf = (fd: number, texts: RecordTable, sha256: string) => (): string | null => {
  const row = texts.find(Buffer.from(sha256.slice(0, 2 * hashBytes), 'hex'))
  return row === null ? null : (read(fd, texts.at(row))?.toString('utf8') ?? null)
}

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
    // No known case leads here. Without this, every export would fail until the cache is deleted.
    cache.forget()
    return await work(noCache)
  } finally {
    cache.close()
  }
}

/** The records that an earlier export saved; none if the file is missing or damaged. `end`: where the next one adds its own. */
function readTable(file: string) {
  const header = Buffer.alloc(headerBytes)
  const none = { fd: null, header, table: new RecordTable(), end: headerBytes }
  let fd: number
  try {
    fd = openSync(file, 'r')
  } catch (error) {
    if (!isSystemError(error)) throw error
    return none
  }
  readSync(fd, header, 0, headerBytes, 0)
  const offset = header.readUIntBE(magic.length, 6)
  const bytes = header.readUIntBE(magic.length + 6, 6)
  const end = offset + bytes
  if (header.toString('latin1', 0, magic.length) === magic && end <= fstatSync(fd).size) {
    const rows = Buffer.alloc(bytes)
    readSync(fd, rows, 0, bytes, offset)
    if (checkOf(rows).equals(header.subarray(magic.length + 12)) && RecordTable.isValid(rows))
      return { fd, header, table: new RecordTable(rows), end }
  }
  closeSync(fd)
  return none
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
