import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncFolderNow } from '@galley/platform'

import type { LogMark } from './mark.ts'

// Editors, sync tools and Git may end lines with CRLF, or put a byte order mark in front. JSON escapes both characters of a
// line end, so neither is ever content: readers get the bytes as they were written, at the offsets that marks name.

const byteOrderMark = Buffer.from('\uFEFF')
const hasByteOrderMark = (bytes: Buffer): boolean => bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
const isAltered = (bytes: Buffer): boolean => hasByteOrderMark(bytes) || bytes.includes('\r\n')

/** The bytes of a whole segment as Galley wrote them. */
function asWritten(bytes: Buffer): Buffer {
  const text = hasByteOrderMark(bytes) ? bytes.subarray(byteOrderMark.length) : bytes
  return text.includes('\r\n') ? Buffer.from(text.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : text
}

/** The files of a log, `log/<first position>.jsonl`. Throws disk errors. */
export function openSegments(libraryFolder: string) {
  const folder = join(libraryFolder, 'log')
  const fileOf = (segment: number): string => join(folder, `${String(segment).padStart(20, '0')}.jsonl`)

  /** The first positions of the segments, ascending. */
  function list(): readonly number[] {
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .flatMap((name) => (/^\d{20}\.jsonl$/.test(name) ? [Number(name.slice(0, 20))] : []))
      .toSorted((one, other) => one - other)
  }

  /** The bytes from `from` to `to` as they were written, fewer if there are no more; null if there is no such segment. */
  function bytesOf(segment: number, from: number, to?: number): Buffer | null {
    const file = fileOf(segment)
    if (!existsSync(file)) return null
    // Marks are between lines. If no line ends at `from`, bytes before it were inserted or removed.
    const before = Math.min(from, 1)
    const bytes = readRange(file, from - before, to)
    const isMoved = before === 0 ? hasByteOrderMark(bytes) : bytes.length > 0 && bytes[0] !== lineFeed
    if (!isMoved && !bytes.includes('\r')) return bytes.subarray(before)
    return asWritten(readFileSync(file)).subarray(from, to)
  }

  /** The segments whose line ends another program has changed. */
  const altered = (): readonly number[] => list().filter((segment) => isAltered(readFileSync(fileOf(segment))))

  /** Replaces a segment by its first bytes as they were written, `end` of them. */
  function restore(segment: number, end?: number): void {
    const file = fileOf(segment)
    const unfinished = `${file}.new`
    try {
      writeFileSync(unfinished, asWritten(readFileSync(file)).subarray(0, end), { mode: 0o600, flush: true })
      renameSync(unfinished, file)
    } finally {
      rmSync(unfinished, { force: true })
    }
    syncFolderNow(folder)
  }

  /** Removes what is after the last entry: the remains of one that a crash interrupted. */
  function endAfter({ segment, end }: Pick<LogMark, 'segment' | 'end'>): void {
    const file = fileOf(segment)
    if (statSync(file).size <= end) return
    if (isAltered(readFileSync(file))) restore(segment, end)
    else truncateSync(file, end)
  }

  /** Starts a segment with the next entry. Truncates the remains of an entry that a crash interrupted. */
  function begin(end: LogMark): void {
    endAfter(end)
    closeSync(openSync(fileOf(end.position + 1), 'w', 0o600))
    syncFolderNow(folder)
  }

  /** Starts the log of a library whose earlier entries are only in a checkpoint. */
  function beginAfter(position: number): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    closeSync(openSync(fileOf(position + 1), 'w', 0o600))
    syncFolderNow(folder)
  }

  /** Deletes the segments that begin before a position, oldest first. A segment has to begin at that position. */
  function deleteBefore(position: number): void {
    for (const segment of list()) if (segment < position) rmSync(fileOf(segment))
    syncFolderNow(folder)
  }

  return { folder, fileOf, list, bytesOf, altered, restore, endAfter, begin, beginAfter, deleteBefore }
}

const lineFeed = 0x0a

function readRange(file: string, from: number, to?: number): Buffer {
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

export type LogSegments = ReturnType<typeof openSegments>
