import type { Cause, Result } from '@galley/wire'
import { cause, fail, ok } from '@galley/wire'

import type { ByteWindow } from './byte-window.ts'
import { readUint64 } from './byte-window.ts'

/** The position and entry count of the central directory, checked against the positions of the records. */
export interface EndRecord {
  readonly entries: number
  readonly directoryOffset: number
  /** Exclusive. The end records begin here, without a gap. */
  readonly directoryEnd: number
}

const endBytes = 22
const locatorBytes = 20
const end64Bytes = 56
const signature = Buffer.from('PK\x05\x06', 'latin1')

/**
 * Finds the end record. Only one position in the file may parse as one, nothing but its comment may follow, and with Zip64
 * all three records must agree: so different readers cannot see different directories.
 */
export function readEndRecord(window: ByteWindow): Result<EndRecord, Cause> {
  const tailBytes = Math.min(window.sizeBytes, endBytes + 0xffff)
  const tail = window.view(window.sizeBytes - tailBytes, tailBytes)
  const ends: number[] = []
  let seen = false
  for (let at = tail.indexOf(signature); at !== -1; at = tail.indexOf(signature, at + 1)) {
    seen = true
    if (at + endBytes <= tail.length && at + endBytes + tail.readUInt16LE(at + 20) === tail.length) ends.push(at)
  }
  const [at] = ends
  if (at === undefined) return fail(cause(seen ? 'end_damaged' : 'not_zip'))
  if (ends.length > 1 || tail.includes(signature, at + endBytes)) return fail(cause('many_ends'))
  return readAt(window, window.sizeBytes - tailBytes + at)
}

function readAt(window: ByteWindow, endOffset: number): Result<EndRecord, Cause> {
  const head = Math.min(endOffset, locatorBytes + end64Bytes)
  const bytes = window.view(endOffset - head, head + endBytes)
  const end = bytes.subarray(head)
  const short = {
    disk: end.readUInt16LE(4),
    directoryDisk: end.readUInt16LE(6),
    entriesHere: end.readUInt16LE(8),
    entries: end.readUInt16LE(10),
    directoryBytes: end.readUInt32LE(12),
    directoryOffset: end.readUInt32LE(16),
  }
  const has64 = head >= locatorBytes && bytes.readUInt32LE(head - locatorBytes) === 0x07064b50
  if (!has64) return checked(short, endOffset)

  const locator = bytes.subarray(head - locatorBytes, head)
  const end64Offset = endOffset - locatorBytes - end64Bytes
  // Computes the position: a locator that points elsewhere means two directories (CVE-2025-8291).
  if (locator.readUInt32LE(4) !== 0 || readUint64(locator, 8) !== end64Offset || locator.readUInt32LE(16) > 1) {
    return fail(cause('zip64_locator'))
  }
  const end64 = bytes.subarray(0, end64Bytes)
  if (end64.readUInt32LE(0) !== 0x06064b50 || readUint64(end64, 4) !== end64Bytes - 12) {
    return fail(cause('zip64_end'))
  }
  const long = {
    disk: end64.readUInt32LE(16),
    directoryDisk: end64.readUInt32LE(20),
    entriesHere: readUint64(end64, 24),
    entries: readUint64(end64, 32),
    directoryBytes: readUint64(end64, 40),
    directoryOffset: readUint64(end64, 48),
  }
  const agrees = (key: keyof typeof short, saturated: number): boolean =>
    short[key] === saturated || short[key] === long[key]
  const agree =
    (['disk', 'directoryDisk', 'entriesHere', 'entries'] as const).every((key) => agrees(key, 0xffff)) &&
    (['directoryBytes', 'directoryOffset'] as const).every((key) => agrees(key, 0xffffffff))
  return agree ? checked(long, end64Offset) : fail(cause('ends_disagree'))
}

function checked(
  record: Readonly<
    Record<'disk' | 'directoryDisk' | 'entriesHere' | 'entries' | 'directoryBytes' | 'directoryOffset', number>
  >,
  directoryEnd: number,
): Result<EndRecord, Cause> {
  if (record.disk !== 0 || record.directoryDisk !== 0 || record.entriesHere !== record.entries) {
    return fail(cause('part_of_several'))
  }
  const { entries, directoryOffset } = record
  return directoryOffset + record.directoryBytes === directoryEnd
    ? ok({ entries, directoryOffset, directoryEnd })
    : fail(cause('directory_elsewhere'))
}
