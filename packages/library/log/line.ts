import { createHash } from 'node:crypto'
import { cause, CausedError, parsedJson } from '@galley/wire'

import type { Change, Entry } from '../records/changes.ts'
import { changesPerEntry, logFormat, readEntry } from '../records/changes.ts'

// One entry is one line: `{"length":"0000000123","sha256":"…","entry":{…}}` and a line feed. `length` counts the bytes of
// the whole line, line feed included; `sha256` is the hash of the text of `entry`, which holds the hash of the entry
// before. Everything in front of the entry has a fixed size, so a reader steps from line to line without parsing JSON.

const prefix = '{"length":"'
const afterLength = '","sha256":"'
const afterHash = '","entry":'
const suffix = '}\n'
const digits = 10
const hashDigits = 64
export const headBytes = prefix.length + digits + afterLength.length + hashDigits + afterHash.length

/** Longer lines are no lines. */
const lineMaxBytes = 256 * 1024 ** 2
/** Entries with longer texts are not written, and every computer skips them: they would be read into memory as a whole. */
const entryMaxBytes = 64 * 1024 ** 2

/** A line as written, and its hash, which the next line names. */
export interface WrittenLine {
  readonly bytes: Buffer
  readonly hash: string
}

/** `writer`: the writer's ID for the entry, in the log of a team. */
export function writeLine(
  position: number,
  previous: string,
  changes: readonly Change[],
  writer?: string,
): WrittenLine {
  if (changes.length > changesPerEntry) throw new Error('A log entry has too many changes')
  const entry = { galley: logFormat, position, previous, ...(writer !== undefined && { writer }), changes }
  const text = Buffer.from(JSON.stringify(entry))
  const hash = createHash('sha256').update(text).digest('hex')
  const length = headBytes + text.length + suffix.length
  if (text.length > entryMaxBytes) throw new CausedError(cause('entry_too_large', { name: entryMaxBytes / 1024 ** 2 }))
  const head = `${prefix}${String(length).padStart(digits, '0')}${afterLength}${hash}${afterHash}`
  return { bytes: Buffer.concat([Buffer.from(head, 'latin1'), text, Buffer.from(suffix, 'latin1')]), hash }
}

/** The head of a line; null if the bytes are not one. */
export function readHead(bytes: Buffer): { readonly length: number; readonly hash: string } | null {
  const text = bytes.toString('latin1', 0, headBytes)
  const match = /^\{"length":"(\d{10})","sha256":"([0-9a-f]{64})","entry":$/.exec(text)
  const length = Number(match?.[1])
  return match?.[2] !== undefined && length > headBytes && length <= lineMaxBytes ? { length, hash: match[2] } : null
}

/** Whether the bytes are the beginning of a line. */
export const beginsAsLine = (bytes: Buffer): boolean => prefix.startsWith(bytes.toString('latin1', 0, prefix.length))

/** Why a complete line is not an entry. `newer`: a later version of Galley wrote it, so it is left alone. */
export type LineFault = 'damaged' | 'newer'

export type ReadLine =
  | { readonly ok: true; readonly entry: Entry; readonly hash: string }
  | { readonly ok: false; readonly fault: LineFault }

/** The content of a complete line, without its line feed, and its hash; null if it is damaged. */
export function checkedLine(bytes: Buffer): { readonly text: Buffer; readonly hash: string } | null {
  const head = readHead(bytes)
  const end = bytes.length - suffix.length
  if (head?.length !== bytes.length || bytes.toString('latin1', end) !== suffix) return null
  const text = bytes.subarray(headBytes, end)
  return createHash('sha256').update(text).digest('hex') === head.hash ? { text, hash: head.hash } : null
}

/** The beginning of every entry, in any format. Its hash covers it, so it chains the entry to the one before it. */
export interface EntryHead {
  readonly format: number
  readonly position: number
  /** The hash of the entry before. */
  readonly previous: string
  /** '' in the log of a folder. */
  readonly writer: string
}

/** The longest beginning, in bytes. */
const entryHeadBytes = 300

/** Reads the beginning of an entry as Galley writes it; null if the text is no entry. */
export function entryHead(text: Buffer): EntryHead | null {
  const start = text.toString('latin1', 0, entryHeadBytes)
  const [, format, position, previous, writer = ''] =
    /^\{"galley":(\d{1,9}),"position":([1-9]\d{0,14}),"previous":"([0-9a-f]{64})",(?:"writer":"([^"\\]{1,100})",)?/.exec(
      start,
    ) ?? []
  return previous === undefined ? null : { format: Number(format), position: Number(position), previous, writer }
}

/** Whether this is the complete line of the entry with this hash and position. Does not read its changes. */
export function isLineOf(
  bytes: Buffer,
  { hash, position }: { readonly hash: string; readonly position: number },
): boolean {
  const line = checkedLine(bytes)
  return line?.hash === hash && entryHead(line.text)?.position === position
}

/** Reads one complete line. An entry of this format that cannot be read has no changes, see `Entry.skipped`. */
export function readLine(bytes: Buffer): ReadLine {
  const line = checkedLine(bytes)
  const head = line && entryHead(line.text)
  if (line === null || head === null) return { ok: false, fault: 'damaged' }
  if (head.format > logFormat) return { ok: false, fault: 'newer' }
  // Only a forged line is not JSON.
  const value = line.text.length > entryMaxBytes ? null : parsedJson(line.text.toString('utf8'))
  return { ok: true, entry: readEntry(head, value), hash: line.hash }
}
