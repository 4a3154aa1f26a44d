import type { Cause, Result } from '@galley/wire'
import { cause, fail, ok, shownName } from '@galley/wire'

import type { ByteWindow } from './byte-window.ts'
import { readUint64 } from './byte-window.ts'
import type { CentralRecord } from './central-directory.ts'
import { flag } from './central-directory.ts'
import { entryNameOf } from './entry-name.ts'
import { readExtraFields } from './extra-fields.ts'

/** An entry whose local header matches the directory, with the position of its data. */
export interface ZipEntry extends CentralRecord {
  readonly dataOffset: number
  /** The end of its data and data descriptor, where the next entry begins. */
  readonly end: number
}

const headerBytes = 30

/** Flags that change how an entry is read. The others are hints of the compressor. */
const meaningful = flag.encrypted | flag.descriptor | flag.patched | flag.strongEncryption | flag.utf8 | flag.masked

/**
 * Compares every local header with its record and returns the entries in file order. They must fill the archive from its
 * first byte to the directory: readers that scan from the front would read overlaps or gaps differently.
 */
export function readLocalHeaders(
  window: ByteWindow,
  records: readonly CentralRecord[],
  directoryOffset: number,
): Result<readonly ZipEntry[], Cause> {
  const inOrder = records.toSorted((one, other) => one.localOffset - other.localOffset)
  const startOf = (index: number): number => inOrder[index]?.localOffset ?? directoryOffset
  if (startOf(0) !== 0) return fail(cause('bytes_of_nobody'))
  const entries: ZipEntry[] = []
  for (const [index, record] of inOrder.entries()) {
    // The next entry determines where this one must end. An entry that is shorter or longer is refused.
    const entry = readHeader(window, record, startOf(index + 1))
    if (!entry.ok) return entry
    entries.push(entry.value)
  }
  return ok(entries)
}

function readHeader(window: ByteWindow, record: CentralRecord, end: number): Result<ZipEntry, Cause> {
  const { name, localOffset: start } = record
  if (start + headerBytes > end) return fail(cause('files_overlap'))
  const fixed = window.view(start, headerBytes)
  const nameLength = fixed.readUInt16LE(26)
  const dataOffset = start + headerBytes + nameLength + fixed.readUInt16LE(28)
  const isHeader = fixed.readUInt32LE(0) === 0x04034b50
  if (!isHeader) return fail(cause('not_there', { name: shownName(name) }))
  const dataEnd = dataOffset + record.compressedBytes
  if (dataEnd > end) return fail(cause('files_overlap'))

  const header = window.view(start, dataOffset - start)
  const extraAt = headerBytes + nameLength
  const figures = readExtraFields(header.subarray(extraAt), {
    nameBytes: record.nameBytes,
    compressedBytes: header.readUInt32LE(18),
    sizeBytes: header.readUInt32LE(22),
    localOffset: 0,
  })
  const hasDescriptor = (record.flags & flag.descriptor) !== 0
  // Writers that do not know a value yet leave it 0 and write it to the descriptor.
  const agrees = (local: number, central: number): boolean => local === central || (hasDescriptor && local === 0)
  const named = entryNameOf(record.nameBytes, (record.flags & flag.utf8) !== 0, figures?.unicodePath ?? null)
  const isSame =
    figures !== null &&
    named.ok &&
    named.value === name &&
    header.compare(record.nameBytes, 0, record.nameBytes.length, headerBytes, extraAt) === 0 &&
    ((header.readUInt16LE(6) ^ record.flags) & meaningful) === 0 &&
    header.readUInt16LE(8) === (record.method === 'stored' ? 0 : 8) &&
    agrees(header.readUInt32LE(14), record.crc32) &&
    agrees(figures.compressedBytes, record.compressedBytes) &&
    agrees(figures.sizeBytes, record.sizeBytes)
  if (!isSame) return fail(cause('two_descriptions', { name: shownName(name) }))

  const restBytes = end - dataEnd
  if (hasDescriptor ? !isDescriptor(window, record, dataEnd, restBytes) : restBytes !== 0) {
    return fail(cause('unknown_follows', { name: shownName(name) }))
  }
  return ok({ ...record, dataOffset, end })
}

/** A data descriptor may have a signature, and sizes of 4 or 8 bytes (APPNOTE 4.3.9). */
function isDescriptor(window: ByteWindow, record: CentralRecord, offset: number, lengthBytes: number): boolean {
  if (![12, 16, 20, 24].includes(lengthBytes)) return false
  const bytes = window.view(offset, lengthBytes)
  const signed = lengthBytes === 16 || lengthBytes === 24
  if (signed && bytes.readUInt32LE(0) !== 0x08074b50) return false
  const figures = bytes.subarray(signed ? 4 : 0)
  const isWide = figures.length === 20
  return (
    figures.readUInt32LE(0) === record.crc32 &&
    (isWide ? readUint64(figures, 4) : figures.readUInt32LE(4)) === record.compressedBytes &&
    (isWide ? readUint64(figures, 12) : figures.readUInt32LE(8)) === record.sizeBytes
  )
}
