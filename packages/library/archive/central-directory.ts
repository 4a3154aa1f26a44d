import type { Cause, CauseCode, Result } from '@galley/wire'
import { cause, entryNameProblem, fail, ok, shownName } from '@galley/wire'

import { entryNameOf, rootName } from './entry-name.ts'
import { readExtraFields } from './extra-fields.ts'

/** A file or folder as described by the central directory. Offsets are relative to the archive unless noted otherwise. */
export interface CentralRecord {
  readonly name: string
  readonly isDirectory: boolean
  readonly flags: number
  readonly method: 'stored' | 'deflated'
  readonly crc32: number
  readonly compressedBytes: number
  readonly sizeBytes: number
  readonly localOffset: number
  /** The range of this record in the directory, and the offset of the field with `localOffset`. */
  readonly at: { readonly start: number; readonly end: number; readonly localOffset: number; readonly isWide: boolean }
  readonly nameBytes: Buffer
}

/** Bits of the general purpose flag (APPNOTE 4.4.4). */
export const flag = { encrypted: 1, descriptor: 8, patched: 0x20, strongEncryption: 0x40, utf8: 0x800, masked: 0x2000 }

const recordBytes = 46

/** Reads exactly `count` records, which must fill `directory`. Checks everything that a single record determines. */
export function readCentralDirectory(directory: Buffer, count: number): Result<readonly CentralRecord[], Cause> {
  const records: CentralRecord[] = []
  const names = new Set<string>()
  let at = 0
  for (let index = 0; index < count; index++) {
    const record = readRecord(directory, at)
    if (!record.ok) return record
    if (names.has(record.value.name)) return fail(cause('two_alike', { name: shownName(record.value.name) }))
    names.add(record.value.name)
    records.push(record.value)
    at = record.value.at.end
  }
  return at === directory.length ? ok(records) : fail(cause('directory_longer'))
}

function readRecord(directory: Buffer, at: number): Result<CentralRecord, Cause> {
  const nameAt = at + recordBytes
  if (nameAt > directory.length || directory.readUInt32LE(at) !== 0x02014b50) return fail(cause('directory_damaged'))
  const extraAt = nameAt + directory.readUInt16LE(at + 28)
  const commentAt = extraAt + directory.readUInt16LE(at + 30)
  const end = commentAt + directory.readUInt16LE(at + 32)
  if (end > directory.length) return fail(cause('directory_damaged'))

  const flags = directory.readUInt16LE(at + 8)
  const nameBytes = directory.subarray(nameAt, extraAt)
  const figures = readExtraFields(directory.subarray(extraAt, commentAt), {
    nameBytes,
    compressedBytes: directory.readUInt32LE(at + 20),
    sizeBytes: directory.readUInt32LE(at + 24),
    localOffset: directory.readUInt32LE(at + 42),
  })
  const named = entryNameOf(nameBytes, (flags & flag.utf8) !== 0, figures?.unicodePath ?? null)
  if (!named.ok) return named
  const name = named.value
  if (figures === null) return fail(cause('extra_damaged', { name: shownName(name) }))
  const isDirectory = name.endsWith('/')
  const nameProblem = name === rootName ? null : entryNameProblem(isDirectory ? name.slice(0, -1) : name)
  if (nameProblem !== null) return fail(cause('name_unsafe', { name: shownName(name), why: cause(nameProblem) }))
  const { sizeBytes, compressedBytes, localOffset, localOffsetAt } = figures
  const methodNumber = directory.readUInt16LE(at + 10)
  const problem =
    flagProblem(flags) ??
    methodProblem(methodNumber, sizeBytes, compressedBytes) ??
    kindProblem(directory.readUInt32LE(at + 38), isDirectory, sizeBytes) ??
    ([0, 0xffff].includes(directory.readUInt16LE(at + 34)) ? null : 'other_disk')
  if (problem !== null) return fail(cause(problem, { name: shownName(name), why: methodNumber }))
  return ok({
    name,
    isDirectory,
    flags,
    method: methodNumber === 0 ? 'stored' : 'deflated',
    crc32: directory.readUInt32LE(at + 16),
    compressedBytes,
    sizeBytes,
    localOffset,
    at: {
      start: at,
      end,
      localOffset: localOffsetAt === null ? at + 42 : extraAt + localOffsetAt,
      isWide: localOffsetAt !== null,
    },
    nameBytes,
  })
}

function flagProblem(flags: number): CauseCode | null {
  if ((flags & (flag.encrypted | flag.strongEncryption | flag.masked)) !== 0) return 'encrypted'
  return (flags & flag.patched) === 0 ? null : 'patch'
}

function methodProblem(method: number, sizeBytes: number, compressedBytes: number): CauseCode | null {
  if (method !== 0 && method !== 8) return 'method'
  return method === 0 && sizeBytes !== compressedBytes ? 'two_sizes' : null
}

/**
 * Detects the file type from the Unix attributes (upper half, whichever system the record claims) and the DOS and Windows
 * attributes (lower half). Permissions are never applied, so they are not checked.
 */
function kindProblem(attributes: number, isDirectory: boolean, sizeBytes: number): CauseCode | null {
  const unixKind = (attributes >>> 16) & 0xf000
  if (unixKind !== 0 && unixKind !== 0x8000 && unixKind !== 0x4000) return 'device'
  if ((attributes & 0x400) !== 0) return 'link'
  const isMarkedAsDirectory = unixKind === 0x4000 || (attributes & 0x10) !== 0
  if (isDirectory) return unixKind === 0x8000 || sizeBytes !== 0 ? 'folder_and_file' : null
  return isMarkedAsDirectory ? 'folder_and_file' : null
}
