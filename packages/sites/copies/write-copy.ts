import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isInLibrary } from '@galley/library'
import type { ExportFailure } from '@galley/library/records'
import { createZip, digestFrom, makeFolder, realDisk, syncFolder, unfinishedBeside } from '@galley/platform'
import type { Result } from '@galley/wire'
import { cause, fail, ok } from '@galley/wire'

import { bytesOf } from '../exporting/content.ts'
import { ioFailure } from '../exporting/target-lock.ts'

/** A file of the ZIP. Its size is known before its bytes, which are read once. */
export interface CopyEntry {
  readonly path: string
  readonly sizeBytes: number
  readonly chunks: AsyncIterable<Buffer>
}

/** A written file, its size in bytes and its SHA-256 in hex. */
export interface WrittenCopy {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

export const textEntry = (path: string, content: string | Buffer): CopyEntry => ({
  path,
  sizeBytes: Buffer.byteLength(content),
  chunks: bytesOf(content),
})

/**
 * Writes a ZIP that appears at its place when it is complete; nothing that exists there is replaced. An entry may depend on
 * what was read for earlier ones. `failure` is asked after each entry.
 */
export const writeCopy = (
  file: string,
  entries: Iterable<CopyEntry>,
  failure: () => ExportFailure | null,
): Promise<Result<WrittenCopy, ExportFailure>> => writeAt(file, (path) => writeEntries(path, entries, failure))

/** Writes a text, or bytes, to a new file in the same way. */
export const writeTextCopy = (
  file: string,
  content: string | Uint8Array,
): Promise<Result<WrittenCopy, ExportFailure>> =>
  writeAt(file, async (path) => {
    await using handle = await open(path, 'wx', 0o644)
    await handle.writeFile(content)
    await handle.sync()
    return null
  })

async function writeAt(
  file: string,
  write: (path: string) => Promise<ExportFailure | null>,
): Promise<Result<WrittenCopy, ExportFailure>> {
  const place = resolve(file)
  const refused = (code: 'destination_exists' | 'destination_in_library') =>
    fail<ExportFailure>({ code: 'not_ours', target: file, problem: cause(code) })
  if ((await realDisk.inspect(place)) !== null) return refused('destination_exists')
  if (await isInLibrary(dirname(place))) return refused('destination_in_library')
  try {
    await makeFolder(dirname(place))
    const unfinished = await unfinishedBeside(place)
    try {
      const problem = await write(unfinished.path)
      if (problem !== null) return fail(problem)
      const { size: bytes } = await stat(unfinished.path)
      const sha256 = await digestFrom(createHash('sha256'), createReadStream(unfinished.path))
      await rename(unfinished.path, place)
      await syncFolder(dirname(place))
      return ok({ file, bytes, sha256 })
    } finally {
      await unfinished.discard()
    }
  } catch (error) {
    return ioFailure(error)
  }
}

async function writeEntries(
  path: string,
  entries: Iterable<CopyEntry>,
  failure: () => ExportFailure | null,
): Promise<ExportFailure | null> {
  await using handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o644)
  const zip = createZip(handle)
  for (const entry of entries) {
    await zip.add(entry.path, entry.sizeBytes, entry.chunks)
    const problem = failure()
    if (problem !== null) return problem
  }
  await zip.finish('')
  await handle.sync()
  return null
}
