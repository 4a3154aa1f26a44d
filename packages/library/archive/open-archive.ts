import { closeSync, fstatSync, openSync } from 'node:fs'
import type { ArchiveLimits, Cause, Result } from '@galley/wire'
import { cause, fail, ok, shownName } from '@galley/wire'

import type { ByteWindow } from './byte-window.ts'
import { createByteWindow, readFully } from './byte-window.ts'
import type { CentralRecord } from './central-directory.ts'
import { readCentralDirectory } from './central-directory.ts'
import { readEndRecord } from './end-record.ts'
import { isSmall, streamEntry, useSmallEntry } from './entry-data.ts'
import type { ArchiveFailure } from './jobs.ts'
import type { ZipEntry } from './local-headers.ts'
import { readLocalHeaders } from './local-headers.ts'

/** An archive, checked except for the contents of its files. */
interface ZipDirectory {
  /** In file order, including folders. */
  readonly entries: readonly ZipEntry[]
  readonly directoryOffset: number
  readonly directoryEnd: number
  /** The central directory, unchanged. */
  readonly directory: Buffer
}

/** Enough for 20,000 records with the longest names. Larger directories are refused before memory is allocated. */
const directoryMaxBytes = 32 * 1024 ** 2

const invalid = (problem: Cause): { readonly ok: false; readonly failure: ArchiveFailure } =>
  fail({ kind: 'invalid_archive', problem })
const tooLarge = (what: Cause, limit: number): { readonly ok: false; readonly failure: ArchiveFailure } =>
  fail({ kind: 'content_too_large', what, limit })

/**
 * Checks everything about an archive that can be checked before unpacking: the records are consistent, the entries fill the
 * file without overlaps, and the declared values are within the limits.
 */
function readZipDirectory(fd: number, window: ByteWindow, limits: ArchiveLimits): Result<ZipDirectory, ArchiveFailure> {
  const found = readEndRecord(window)
  if (!found.ok) return invalid(found.failure)
  const { entries: count, directoryOffset, directoryEnd } = found.value
  if (count > limits.entries) return tooLarge(cause('entry_count'), limits.entries)
  const directoryBytes = directoryEnd - directoryOffset
  if (directoryBytes > directoryMaxBytes) return tooLarge(cause('directory_size'), directoryMaxBytes)

  const directory = Buffer.allocUnsafeSlow(directoryBytes)
  if (readFully(fd, directory, directoryOffset) !== directoryBytes) return invalid(cause('ends_early'))
  const records = readCentralDirectory(directory, count)
  if (!records.ok) return invalid(records.failure)
  const excess = excessOf(records.value, limits)
  if (excess !== null) return fail(excess)
  const entries = readLocalHeaders(window, records.value, directoryOffset)
  if (!entries.ok) return invalid(entries.failure)
  return ok({ entries: entries.value, directoryOffset, directoryEnd, directory })
}

function excessOf(records: readonly CentralRecord[], limits: ArchiveLimits): ArchiveFailure | null {
  let unpackedBytes = 0
  for (const { name, sizeBytes } of records) {
    if (sizeBytes > limits.entryBytes) {
      return {
        kind: 'content_too_large',
        what: cause('file_size', { name: shownName(name) }),
        limit: limits.entryBytes,
      }
    }
    unpackedBytes += sizeBytes
  }
  return unpackedBytes > limits.unpackedBytes
    ? { kind: 'content_too_large', what: cause('unpacked_size'), limit: limits.unpackedBytes }
    : null
}

/** An archive whose directory has been checked. Entries can be read in any order, fastest in file order. */
export interface OpenArchive extends ZipDirectory {
  readonly fd: number
  readonly sizeBytes: number
  /** Whether the entry is small both compressed and uncompressed, so that `useSmall` can read it. */
  isSmall(entry: ZipEntry): boolean
  /** Passes the content of a small entry to `use`. The buffer is valid until `use` returns. */
  useSmall<Value>(entry: ZipEntry, use: (content: Buffer) => Value): Result<Value, ArchiveFailure>
  /** Passes the content in chunks. Each is valid until `take` returns. Do not use the content unless the result is ok. */
  pass(entry: ZipEntry, take: (chunk: Buffer) => void): Promise<Result<null, ArchiveFailure>>
  /** The whole content in a new buffer. Callers check the size first. */
  readText(entry: ZipEntry): Promise<Result<Buffer, ArchiveFailure>>
}

/** Opens and checks an archive and closes it after `use`. */
export async function withArchive<Value>(
  path: string,
  limits: ArchiveLimits,
  use: (archive: OpenArchive) => Promise<Result<Value, ArchiveFailure>>,
): Promise<Result<Value, ArchiveFailure>> {
  const fd = openSync(path, 'r')
  try {
    const window = createByteWindow(fd, fstatSync(fd).size)
    const directory = readZipDirectory(fd, window, limits)
    return directory.ok ? await use(readers(fd, window, directory.value)) : directory
  } finally {
    closeSync(fd)
  }
}

function readers(fd: number, window: ByteWindow, directory: ZipDirectory): OpenArchive {
  const useSmall: OpenArchive['useSmall'] = (entry, use) => asFailure(useSmallEntry(window, entry, use))
  const pass: OpenArchive['pass'] = async (entry, take) => {
    const passed = isSmall(entry) ? useSmallEntry(window, entry, take) : await streamEntry(fd, entry, take)
    return passed.ok ? ok(null) : asFailure(passed)
  }
  const readText: OpenArchive['readText'] = async (entry) => {
    const text = Buffer.allocUnsafeSlow(entry.sizeBytes)
    let at = 0
    const passed = await pass(entry, (chunk) => (at += chunk.copy(text, at)))
    return passed.ok ? ok(text) : passed
  }
  return { ...directory, fd, sizeBytes: window.sizeBytes, isSmall, useSmall, pass, readText }
}

const asFailure = <Value>(result: Result<Value, Cause>): Result<Value, ArchiveFailure> =>
  result.ok ? result : fail({ kind: 'invalid_archive', problem: result.failure })
