import { closeSync, fstatSync, openSync } from 'node:fs'
import type { ArchiveLimits, Cause, Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { ByteWindow } from './byte-window.ts'
import { createByteWindow } from './byte-window.ts'
import { isSmall, streamEntry, useSmallEntry } from './entry-data.ts'
import type { ArchiveFailure } from './jobs.ts'
import type { ZipEntry } from './local-headers.ts'
import type { ZipDirectory } from './zip-directory.ts'
import { readZipDirectory } from './zip-directory.ts'

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
