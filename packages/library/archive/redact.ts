import { crc32, deflateRawSync } from 'node:zlib'
import { cause, fail, ok } from '@galley/wire'
import type { Result } from '@galley/wire'

import { readFully } from './byte-window.ts'
import { flag } from './central-directory.ts'
import type { ArchiveFailure, StagedFile } from './jobs.ts'
import type { ZipEntry } from './local-headers.ts'
import type { NewFile } from './new-file.ts'
import type { OpenArchive } from './open-archive.ts'

const pieceBytes = 256 * 1024
const centralBytes = 46

/**
 * Writes a copy of the archive with new content for one entry. Everything else is copied byte for byte, including local
 * records, comments and extra fields; only offsets change. The copy contains no byte of the old content.
 */
export function redact(
  archive: OpenArchive,
  entry: ZipEntry,
  content: Buffer,
  create: () => NewFile,
): Result<StagedFile, ArchiveFailure> {
  const data = deflateRawSync(content)
  const { directory, directoryOffset, directoryEnd, entries } = archive
  const original = directory.subarray(entry.at.start, entry.at.start + centralBytes)
  // The copy has no extra fields, which may have named it.
  const name = Buffer.from(entry.name)
  const record = withContent(original, name, content, data)
  const local = Buffer.concat([localHeader(record, name), data])
  const shift = local.length - (entry.end - entry.localOffset)

  const shifted = Buffer.from(directory)
  for (const other of entries) {
    if (other.localOffset <= entry.localOffset) continue
    const offset = other.localOffset + shift
    if (other.at.isWide) writeUint64(shifted, offset, other.at.localOffset)
    else if (offset < 0xffffffff) shifted.writeUInt32LE(offset, other.at.localOffset)
    else return fail({ kind: 'storage_failed', reason: cause('not_redacted') })
  }
  // A saturated offset requires a Zip64 field, which the new record does not have. Such archives exceed every limit.
  if (entry.at.isWide && entry.localOffset >= 0xffffffff) {
    return fail({ kind: 'storage_failed', reason: cause('not_redacted') })
  }
  record.writeUInt32LE(entry.localOffset, 42)
  const newDirectory = Buffer.concat([
    shifted.subarray(0, entry.at.start),
    record,
    name,
    shifted.subarray(entry.at.end),
  ])

  const into = create()
  copyRange(archive.fd, 0, entry.localOffset, into)
  into.take(local)
  copyRange(archive.fd, entry.end, directoryOffset, into)
  into.take(newDirectory)
  const ends = Buffer.allocUnsafeSlow(archive.sizeBytes - directoryEnd)
  readFully(archive.fd, ends, directoryEnd)
  moveEnds(ends, directoryOffset + shift, newDirectory.length)
  into.take(ends)
  return ok({ path: into.path, ...into.done() })
}

/** The record of the entry with its new content, without a descriptor, extra fields and comment. */
function withContent(original: Buffer, name: Buffer, content: Buffer, data: Buffer): Buffer {
  const record = Buffer.from(original)
  record.writeUInt16LE(20, 6)
  record.writeUInt16LE(record.readUInt16LE(8) & flag.utf8, 8)
  record.writeUInt16LE(8, 10)
  record.writeUInt32LE(crc32(content), 16)
  record.writeUInt32LE(data.length, 20)
  record.writeUInt32LE(content.length, 24)
  record.writeUInt16LE(name.length, 28)
  record.fill(0, 30, 36)
  return record
}

/** The local header has the same fields as the record, in the same order, from "version needed" to the name length. */
function localHeader(record: Buffer, name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  record.copy(header, 4, 6, 30)
  return Buffer.concat([header, name])
}

/** Corrects the end records in one buffer: optional Zip64 record and locator, then the end record with its comment. */
function moveEnds(ends: Buffer, directoryOffset: number, directoryBytes: number): void {
  let end = 0
  if (ends.readUInt32LE(0) === 0x06064b50) {
    writeUint64(ends, directoryBytes, 40)
    writeUint64(ends, directoryOffset, 48)
    writeUint64(ends, directoryOffset + directoryBytes, 56 + 8)
    end = 56 + 20
  }
  const wasLong = (at: number): boolean => ends.readUInt32LE(end + at) === 0xffffffff
  if (!wasLong(12)) ends.writeUInt32LE(directoryBytes, end + 12)
  if (!wasLong(16)) ends.writeUInt32LE(directoryOffset, end + 16)
}

/** Copies a range of a file in chunks. */
export function copyRange(fd: number, from: number, to: number, into: Pick<NewFile, 'take'>): void {
  const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, to - from))
  for (let at = from; at < to;) {
    const piece = buffer.subarray(0, Math.min(buffer.length, to - at))
    if (readFully(fd, piece, at) < piece.length) throw new RangeError('A copy past the end of the archive')
    into.take(piece)
    at += piece.length
  }
}

function writeUint64(bytes: Buffer, value: number, offset: number): void {
  bytes.writeBigUInt64LE(BigInt(value), offset)
}
