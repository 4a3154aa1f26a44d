import type { ArchiveLimits, Cause, Result } from '@galley/wire'
import { cause, fail, ok, shownName } from '@galley/wire'

import type { ByteWindow } from './byte-window.ts'
import { readFully } from './byte-window.ts'
import type { CentralRecord } from './central-directory.ts'
import { readCentralDirectory } from './central-directory.ts'
import { readEndRecord } from './end-record.ts'
import type { ArchiveFailure } from './jobs.ts'
import type { ZipEntry } from './local-headers.ts'
import { readLocalHeaders } from './local-headers.ts'

/** An archive, checked except for the contents of its files. */
export interface ZipDirectory {
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
export function readZipDirectory(
  fd: number,
  window: ByteWindow,
  limits: ArchiveLimits,
): Result<ZipDirectory, ArchiveFailure> {
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
