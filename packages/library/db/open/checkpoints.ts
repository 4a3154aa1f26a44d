import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { diskSpace, isOutOfRoom, syncFolder } from '@galley/platform'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../../log/log.ts'
import type { LogMark } from '../../log/mark.ts'
import type { CheckpointVerdict } from '../../team/requests.ts'
import { copyIndex } from '../copy.ts'
import { hasOwnSchema, isSound, inspectIndex } from '../database/open.ts'
import { NewerLibraryError } from '../database/other-versions.ts'
import { makePrivateFile } from '../database/private-file.ts'
import { markIn, readIndexCopy } from '../index-copy.ts'
import type { IndexWork } from '../index-work.ts'
import { IndexWorkError } from '../index-work.ts'
import { nameWithMoment } from './rebuild.ts'
import { hasValuesOfLog } from './values-of-log.ts'

/** Keeps two in case one is damaged. */
const checkpointsMax = 2
/** The prefix of unfinished checkpoints. Another process may write one at the same time. */
export const unfinished = 'unfinished-'
/** Longer than it takes to write one. */
const dayMs = 86_400_000

/** The maximum compression ratio: a usual index shrinks to a third, so a much larger ratio is an attack on the disk. */
const growthAtMost = 100
const growthAlways = 64 * 1024 ** 2
/** Free space that unpacking leaves for other writes. */
export const spareBytes = 64 * 1024 ** 2

/**
 * Passes on at most this many bytes, and no more than there is room for. Fails with a `code`, like a disk error, if
 * there are more.
 */
function endingAt(maxBytes: number, roomBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(Object.assign(new Error('It unpacks to more than an index'), { code: 'EFBIG' }))
      else if (bytes > roomBytes) done(Object.assign(new Error('It has no room'), { code: 'ENOSPC' }))
      else done(null, chunk)
    },
  })
}

/**
 * The log mark of a copy of an index. null if it is damaged, has an earlier schema, or is of no position in the log:
 * `ahead` also accepts one that the log ends at or before. Throws NewerLibraryError.
 */
export function fittingMark(
  file: string,
  log: LibraryLog,
  { ahead }: { readonly ahead: boolean } = { ahead: false },
): LogMark | null {
  const mark = soundMark(file)
  if (mark === null) return null
  return log.holds(mark) === 'holds' || (ahead && log.read(mark).next().done === true) ? mark : null
}

/** The same, independent of the log in this folder. */
function soundMark(file: string): LogMark | null {
  const found = inspectIndex(file)
  if (found.kind === 'other_schema' && found.isLater) throw new NewerLibraryError('its index')
  if (found.kind !== 'usable') return null
  try {
    if (!isSound(file)) return null
    const db = new BetterSqlite3(file, { readonly: true })
    try {
      return hasOwnSchema(db) ? markIn(db) : null
    } finally {
      db.close()
    }
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError && !isOutOfRoom(error)) return null
    throw error
  }
}

interface UnpackOptions {
  readonly upTo?: number
  readonly schema?: 'own' | 'any'
  readonly ahead?: boolean
}

/** How many bytes can be written next to a file. */
const roomBeside = async (file: string): Promise<number> => (await diskSpace(dirname(file))).freeBytes - spareBytes

async function unpack(source: string, target: string): Promise<void> {
  makePrivateFile(target)
  const maxBytes = Math.max((await stat(source)).size * growthAtMost, growthAlways)
  const end = endingAt(maxBytes, await roomBeside(target))
  await pipeline(createReadStream(source), createGunzip(), end, createWriteStream(target))
}

/** The file of an unpacked checkpoint of another computer, or why it is not used. */
type Foreign = { readonly file: string } | Exclude<CheckpointVerdict, 'fit'>

async function unpackForeign(
  source: string,
  target: string,
  { position, library }: { readonly position: number; readonly library: string },
): Promise<Foreign> {
  let fault: Exclude<Foreign, object> = 'unfit'
  try {
    await unpack(source, target)
    const mark = soundMark(target)
    const found = inspectIndex(target)
    const isOurs = mark?.position === position && found.kind === 'usable' && found.library === library
    if (isOurs && (await hasValuesOfLog(target, new AbortController().signal))) return { file: target }
  } catch (error) {
    if (error instanceof NewerLibraryError) fault = 'newer'
    else if (isOutOfRoom(error)) fault = 'no_room'
    else if (!(error instanceof Error && 'code' in error)) throw error
  }
  await removeDatabase(target)
  return fault
}

/** Deletes files of processes that died while writing a checkpoint. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    if (!name.startsWith(unfinished)) continue
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > dayMs) await rm(file, { force: true })
  }
}

interface Packing {
  readonly indexFile: string
  readonly scratch: string
  readonly compact: IndexWork['compact'] | null
  readonly folder: string
  readonly fileOf: (position: number) => string
}

/** Writes a compressed copy of the current index to its place, and returns its position. */
async function pack({ indexFile, scratch, compact, folder, fileOf }: Packing, signal: AbortSignal): Promise<number> {
  const name = `${unfinished}${randomUUID()}.db`
  const copy = join(scratch, name)
  const packed = join(folder, `${name}.gz`)
  try {
    await copyIndex(indexFile, copy, () => undefined, signal)
    const code = compact && (await compact(copy))
    if (code !== null) throw new IndexWorkError(code)
    const { position } = readIndexCopy(copy).mark
    makePrivateFile(packed)
    await pipeline(createReadStream(copy), createGzip(), createWriteStream(packed), { signal })
    await using handle = await open(packed, 'r+')
    await handle.sync()
    await rename(packed, fileOf(position))
    return position
  } finally {
    await removeDatabase(copy)
    await rm(packed, { force: true })
  }
}

/** Gzip-compressed copies of the index at positions of the log. A rebuild starts from the newest. */
export function openCheckpoints(libraryFolder: string, log: LibraryLog) {
  const folder = join(libraryFolder, 'checkpoints')
  const fileOf = (position: number): string => join(folder, `${String(position).padStart(20, '0')}.db.gz`)

  /** Their positions, newest first. */
  async function positions(): Promise<readonly number[]> {
    if (!existsSync(folder)) return []
    return (await readdir(folder))
      .flatMap((name) => (/^\d{20}\.db\.gz$/.test(name) ? [Number(name.slice(0, 20))] : []))
      .toSorted((one, other) => other - one)
  }

  return {
    folder,
    positions,
    fileOf,
    /**
     * Unpacks to `target` the newest one that fits the log and is not after `upTo`; null if there is none. Leaves the others
     * unchanged. `any` schema throws NewerLibraryError if only one of a later schema fits; `ahead` also takes one that the log ends before. Throws the fault of the disk if it has no room for one that a folded log needs.
     */
    async unpackNewest(target: string, options: UnpackOptions = {}): Promise<LogMark | null> {
      const { upTo = Number.POSITIVE_INFINITY, schema = 'own', ahead = false } = options
      let obstacle: unknown = null
      for (const position of (await positions()).filter((each) => each <= upTo)) {
        try {
          await unpack(fileOf(position), target)
          const isRead = schema === 'any' || inspectIndex(target).kind === 'usable'
          const mark = isRead ? fittingMark(target, log, { ahead }) : null
          if (mark?.position === position) return mark
        } catch (error) {
          if (error instanceof NewerLibraryError || (isOutOfRoom(error) && log.isFolded())) obstacle ??= error
          else if (!(error instanceof Error && 'code' in error)) throw error
        }
        await removeDatabase(target)
      }
      if (obstacle !== null) throw obstacle
      return null
    },
    /** Moves those after a position out of use. */
    async setAsideAfter(position: number, now: Date): Promise<void> {
      const aside = nameWithMoment(`${folder}.set-aside`, now)
      await mkdir(aside, { mode: 0o700 })
      for (const later of (await positions()).filter((each) => each > position))
        await rename(fileOf(later), join(aside, basename(fileOf(later))))
      await syncFolder(aside)
      await syncFolder(folder)
    },
    /** How many bytes can be written next to them. */
    room: (): Promise<number> => roomBeside(fileOf(0)),
    /** Unpacks a checkpoint that another computer wrote, independent of the log in this folder. */
    unpackForeign: (position: number, library: string, source = fileOf(position)): Promise<Foreign> =>
      unpackForeign(source, join(folder, `${unfinished}${randomUUID()}.db`), { position, library }),
    /** Deletes all others, including those of other logs, and unfinished ones. */
    async deleteAllBut(position: number): Promise<void> {
      const name = basename(fileOf(position))
      for (const other of await readdir(folder)) if (other !== name) await rm(join(folder, other))
      await syncFolder(folder)
    },
    /**
     * Writes a checkpoint of the current index and deletes all earlier ones except the newest. Returns its position.
     * Checkpoints after it belong to a log that was set aside and stay. `scratch` holds the uncompressed copy, and `compact`
     * removes what was deleted from it.
     */
    async write(
      indexFile: string,
      signal: AbortSignal,
      scratch = folder,
      compact: IndexWork['compact'] | null = null,
    ): Promise<number> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await sweep(folder)
      const position = await pack({ indexFile, scratch, compact, folder, fileOf }, signal)
      await syncFolder(folder)
      // The folder of checkpoints may be new.
      await syncFolder(libraryFolder)
      const upToHere = (await positions()).filter((each) => each <= position)
      for (const old of upToHere.slice(checkpointsMax)) await rm(fileOf(old))
      return position
    },
  }
}

/** Includes SQLite's additional files. */
export async function removeDatabase(file: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true })
}

export type Checkpoints = ReturnType<typeof openCheckpoints>
