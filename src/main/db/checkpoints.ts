import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'

import { syncFolder } from '../disk/sync-folder.ts'
import type { LibraryLog, LogMark } from '../log/log.ts'
import { copyIndex } from './copy.ts'
import { readIndexCopy } from './index-copy.ts'
import { hasOwnSchema, lookAtIndex } from './open.ts'
import { makePrivateFile } from './private-file.ts'

/** Two: a damaged one leaves the other. */
const kept = 2

/** Gzip-compressed copies of the index, each at one position of the log: a rebuild begins with the newest. */
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

  /** The mark that an unpacked checkpoint stands for; null when it is damaged, or of another log or schema. */
  function fittingMark(file: string): LogMark | null {
    if (lookAtIndex(file).kind !== 'usable') return null
    const db = new BetterSqlite3(file, { readonly: true })
    try {
      const mark = db
        .prepare<[], LogMark>('SELECT position, hash, segment, line_start AS start, line_end AS "end" FROM applied')
        .get()
      if (!mark || !hasOwnSchema(db) || log.holds(mark) !== 'holds') return null
      return db.pragma('quick_check', { simple: true }) === 'ok' ? mark : null
    } catch (error) {
      if (error instanceof BetterSqlite3.SqliteError) return null
      throw error
    } finally {
      db.close()
    }
  }

  return {
    folder,
    positions,
    fileOf,
    /** Unpacks the newest one that fits the log into `target`; null when there is none. Damaged ones are left where they are. */
    async unpackNewest(target: string): Promise<LogMark | null> {
      for (const position of await positions()) {
        makePrivateFile(target)
        try {
          await pipeline(createReadStream(fileOf(position)), createGunzip(), createWriteStream(target))
          const mark = fittingMark(target)
          if (mark) return mark
        } catch (error) {
          if (!(error instanceof Error && 'code' in error)) throw error
        }
        await rm(target, { force: true })
      }
      return null
    },
    async deleteBefore(position: number): Promise<void> {
      for (const old of await positions()) if (old < position) await rm(fileOf(old))
      await syncFolder(folder)
    },
    /** Writes one of this moment and deletes all but the newest two; gives its position. */
    async write(indexFile: string, signal: AbortSignal): Promise<number> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const copy = join(folder, 'unfinished.db')
      const packed = join(folder, 'unfinished.db.gz')
      for (const each of [copy, packed]) await rm(each, { force: true })
      try {
        await copyIndex(indexFile, copy, () => undefined, signal)
        const { position } = readIndexCopy(copy).mark
        makePrivateFile(packed)
        await pipeline(createReadStream(copy), createGzip(), createWriteStream(packed), { signal })
        await using handle = await open(packed, 'r+')
        await handle.sync()
        await rename(packed, fileOf(position))
        await syncFolder(folder)
        for (const old of (await positions()).slice(kept)) await rm(fileOf(old))
        return position
      } finally {
        for (const each of [copy, packed, `${copy}-wal`, `${copy}-shm`]) await rm(each, { force: true })
      }
    },
  }
}

export type Checkpoints = ReturnType<typeof openCheckpoints>
