import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

import type { Change, Entry } from '../../../contract/domain/changes.ts'
import { noHash } from '../../../contract/domain/changes.ts'
import { syncFolderNow } from '../../platform/disk/sync-folder.ts'
import type { LineFault } from './line.ts'
import { headBytes, isLineOf, readHead, readLine, writeLine } from './line.ts'

/** A segment takes no further entry once it is this large. */
const segmentBytes = 8 * 1024 ** 2

/** An entry and where its line is: bytes `start` to `end` of the segment whose first position is `segment`. */
export interface LogMark {
  readonly position: number
  readonly hash: string
  readonly segment: number
  readonly start: number
  readonly end: number
}

/** In front of the first entry. */
export const logStart: LogMark = { position: 0, hash: noHash, segment: 1, start: 0, end: 0 }

/**
 * What is wrong with a stretch of the log. `damaged`: a line that is not what was written; `missing`: positions that no
 * segment holds; `unlinked`: an entry that does not name the one before it; `newer`: written by a later Galley.
 */
export interface LogFault {
  readonly kind: LineFault | 'missing' | 'unlinked'
  /** The first position concerned, as far as it is known, and how many entries are. */
  readonly position: number
  readonly count: number
  /** The damaged bytes, with their segment and offset. */
  readonly bytes?: Buffer
  readonly segment: number
  readonly offset: number
}

/** What reading the log gives, in order: entries, and what is wrong between them. */
export type LogItem =
  | { readonly kind: 'entry'; readonly entry: Entry; readonly mark: LogMark }
  | { readonly kind: 'fault'; readonly fault: LogFault }

/** Whether the log holds the entry that a mark stands for. `ahead`: the log ends before it. */
export type Holding = 'holds' | 'differs' | 'ahead'

/** A sync of the log failed, so nothing may be acknowledged until the library was opened again and checked. */
export class LogSyncError extends Error {
  /** As the system names it; read by `isDiskFault`. */
  readonly code: string
  constructor(cause: unknown) {
    super('The log of the library could not be synced', { cause })
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'EIO'
  }
}

/**
 * The append-only log of a library, in segments `log/<first position>.jsonl`. All calls are synchronous; the caller of
 * those that write holds the writers' lock. Throws what the disk throws.
 */
export function openLog(libraryFolder: string) {
  const folder = join(libraryFolder, 'log')
  const fileOf = (segment: number): string => join(folder, `${String(segment).padStart(20, '0')}.jsonl`)
  let syncProblem: LogSyncError | null = null

  /** First positions of the segments, ascending. */
  function segments(): readonly number[] {
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .flatMap((name) => (/^\d{20}\.jsonl$/.test(name) ? [Number(name.slice(0, 20))] : []))
      .toSorted((one, other) => one - other)
  }

  function bytesOf(segment: number, from: number, to?: number): Buffer | null {
    const file = fileOf(segment)
    if (!existsSync(file)) return null
    const descriptor = openSync(file, 'r')
    try {
      const size = fstatSync(descriptor).size
      const end = Math.min(to ?? size, size)
      const bytes = Buffer.alloc(Math.max(0, end - from))
      let done = 0
      while (done < bytes.length) {
        const read = readSync(descriptor, bytes, done, bytes.length - done, from + done)
        if (read === 0) break
        done += read
      }
      return bytes.subarray(0, done)
    } finally {
      closeSync(descriptor)
    }
  }

  function holds(mark: LogMark): Holding {
    if (mark.position === 0) return 'holds'
    const line = bytesOf(mark.segment, mark.start, mark.end)
    if (line === null) {
      // Earlier segments may be gone; then the one behind them names the entry as the one before its first.
      const next = bytesOf(mark.position + 1, 0)
      if (next === null) return 'ahead'
      const read = next.length < headBytes ? null : readLine(next.subarray(0, readHead(next)?.length ?? 0))
      return read === null || (read.ok && read.entry.previous === mark.hash) ? 'holds' : 'differs'
    }
    if (line.length < mark.end - mark.start) return 'ahead'
    return isLineOf(line, mark) ? 'holds' : 'differs'
  }

  /** Everything behind `after`. An unfinished line that a crash left at the very end is passed over. */
  function* read(after: LogMark): Generator<LogItem, void, void> {
    const all = segments()
    let last = after
    let isLinked = true
    const missing = (upTo: number, segment: number): LogItem => ({
      kind: 'fault',
      fault: { kind: 'missing', position: last.position + 1, count: upTo - last.position, segment, offset: 0 },
    })
    for (const segment of all.filter((first) => first >= after.segment)) {
      if (segment > last.position + 1 && segment !== after.segment && isLinked) {
        yield missing(segment - 1, segment)
        last = atPosition(last, segment - 1)
        isLinked = false
      }
      const from = segment === after.segment ? after.end : 0
      const bytes = bytesOf(segment, from) ?? Buffer.alloc(0)
      for (const { offset, line } of linesOf(bytes, segment === all.at(-1))) {
        const found = readLine(line)
        if (!found.ok) {
          const place = { segment, offset: from + offset }
          yield {
            kind: 'fault',
            fault: { kind: found.fault, position: last.position + 1, count: 1, bytes: line, ...place },
          }
          isLinked = false
          continue
        }
        const { entry, hash } = found
        // A second copy of an entry that was read before.
        if (entry.position <= last.position) continue
        if (entry.position > last.position + 1 && isLinked) yield missing(entry.position - 1, segment)
        else if (isLinked && entry.previous !== last.hash)
          yield {
            kind: 'fault',
            fault: { kind: 'unlinked', position: entry.position, count: 1, segment, offset: from + offset },
          }
        last = { position: entry.position, hash, segment, start: from + offset, end: from + offset + line.length }
        isLinked = true
        yield { kind: 'entry', entry, mark: last }
      }
    }
  }

  /** The entries behind a position of which there is no mark. Faults are passed over. */
  function* entriesBehind(position: number): Generator<Entry, void, void> {
    const segment = segments().findLast((first) => first <= position + 1) ?? logStart.segment
    for (const item of read({ ...logStart, position: segment - 1, segment }))
      if (item.kind === 'entry' && item.entry.position > position) yield item.entry
  }

  /**
   * Writes the entry behind `end`, syncs it and gives its mark. Bytes behind `end` in its segment are what a crash left of
   * an entry that was never acknowledged, and are cut.
   */
  function append(end: LogMark, changes: readonly Change[]): LogMark {
    if (syncProblem) throw syncProblem
    const position = end.position + 1
    const { bytes, hash } = writeLine(position, end.hash, changes)
    const newest = segments().at(-1)
    const isNew = newest === undefined || newest > end.position || end.end >= segmentBytes
    const segment = isNew ? position : end.segment
    const start = isNew ? 0 : end.end
    if (isNew) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const descriptor = openSync(fileOf(segment), isNew ? 'w' : 'r+', 0o600)
    try {
      if (fstatSync(descriptor).size > start) ftruncateSync(descriptor, start)
      try {
        for (let done = 0; done < bytes.length;)
          done += writeSync(descriptor, bytes, done, bytes.length - done, start + done)
      } catch (error) {
        // Nothing was synced or acknowledged.
        ftruncateSync(descriptor, start)
        throw error
      }
      try {
        if (isNew) fsyncSync(descriptor)
        else fdatasyncSync(descriptor)
        if (isNew) {
          syncFolderNow(folder)
          syncFolderNow(libraryFolder)
        }
      } catch (error) {
        // Whether the disk has the entry is unknown, and a later sync that succeeds would not tell.
        syncProblem = new LogSyncError(error)
        throw syncProblem
      }
    } finally {
      closeSync(descriptor)
    }
    return { position, hash, segment, start, end: start + bytes.length }
  }

  /** The next entry opens a segment of its own. What a crash left of an unfinished entry is cut. */
  function beginSegment(end: LogMark): void {
    const descriptor = openSync(fileOf(end.segment), 'r+', 0o600)
    try {
      if (fstatSync(descriptor).size > end.end) ftruncateSync(descriptor, end.end)
    } finally {
      closeSync(descriptor)
    }
    closeSync(openSync(fileOf(end.position + 1), 'w', 0o600))
    syncFolderNow(folder)
  }

  /** Deletes the segments that begin before a position, from the oldest on; that one begins with a segment of its own. */
  function deleteBefore(position: number): void {
    for (const segment of segments()) if (segment < position) rmSync(fileOf(segment))
    syncFolderNow(folder)
  }

  return {
    folder,
    segments,
    fileOf,
    holds,
    read,
    entriesBehind,
    append,
    beginSegment,
    deleteBefore,
    /** Whether it holds anything beyond what a crash left of its first entry. */
    exists: (): boolean => read(logStart).next().done !== true,
  }
}

export type LibraryLog = ReturnType<typeof openLog>

const atPosition = (mark: LogMark, position: number): LogMark => ({ ...mark, position })

/** Cuts bytes into lines; a torn end of the last segment is left out. */
function* linesOf(
  bytes: Buffer,
  isLastSegment: boolean,
): Generator<{ readonly offset: number; readonly line: Buffer }> {
  for (let at = 0; at < bytes.length;) {
    const head = readHead(bytes.subarray(at, at + headBytes))
    const byLength = head === null ? null : at + head.length
    const next = byLength !== null && endsALine(bytes, byLength) ? byLength : bytes.indexOf(0x0a, at) + 1 || null
    if (next === null && isLastSegment) return
    const end = next ?? bytes.length
    yield { offset: at, line: bytes.subarray(at, end) }
    at = end
  }
}

/** Whether a line may end here: behind a line feed, or, where that byte is damaged, at the end or in front of a line. */
const endsALine = (bytes: Buffer, at: number): boolean =>
  at <= bytes.length &&
  (bytes[at - 1] === 0x0a || at === bytes.length || readHead(bytes.subarray(at, at + headBytes)) !== null)
