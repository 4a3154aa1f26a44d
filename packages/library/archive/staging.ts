import { join } from 'node:path'
import { sha256Of } from '@galley/platform'

import type { Job, StagedBlob, StagedFile } from './jobs.ts'
import type { NewFile, Written } from './new-file.ts'
import { createNewFiles } from './new-file.ts'
import type { Syncs } from './syncs.ts'

/** A file that contains many small blobs in sequence. */
interface Pack {
  /** Appends content and returns its offset in the pack. */
  append(content: Buffer): number
  /** Writes the rest and passes the file to the syncs; null if nothing was appended. */
  finish(): StagedFile | null
}

const bufferBytes = 1024 * 1024

/** Buffers small blobs, so that they are written and hashed in large chunks. Calls `create` for the first. */
function createPack(create: () => NewFile): Pack {
  let file: NewFile | null = null
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)
  let filled = 0
  let flushed = 0
  const flush = (into: NewFile): void => {
    into.take(buffer.subarray(0, filled))
    flushed += filled
    filled = 0
  }
  return {
    append: (content) => {
      file ??= create()
      if (filled + content.length > bufferBytes) flush(file)
      content.copy(buffer, filled)
      filled += content.length
      return flushed + filled - content.length
    },
    finish: () => {
      if (file === null) return null
      flush(file)
      return { path: file.path, ...file.done() }
    },
  }
}

/**
 * The output of a job: blobs under Galley's own names, each content once. Names from the archive are never used as paths.
 */
export interface Staging {
  keep(content: Buffer): Written
  /** Writes a blob in chunks. No other blob can be written until `done`. */
  keepPieces(): { take(chunk: Buffer): void; done(): Written }
  /** Creates a file next to the blobs. */
  createFile(name: string): NewFile
  /** Completes the pack. All files are on disk once the syncs have settled. */
  finish(): { readonly blobs: readonly StagedBlob[]; readonly pack: StagedFile | null }
  /** Closes the open files of a failed job. The caller removes the folder. */
  close(): void
}

/** Blobs up to this size are packed, so that thousands of small files need only one sync. */
const packedMaxBytes = 64 * 1024

/**
 * Sorts blobs in the order of the index's B-trees, which speeds up inserting thousands of rows. Sorted here, because the
 * main thread writes the index.
 */
export const inHashOrder = <Blob extends { readonly sha256: string }>(blobs: readonly Blob[]): readonly Blob[] =>
  blobs.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))

export function createStaging({ stagingDir, stagingPrefix = '' }: Job, syncs: Syncs): Staging {
  const blobs = new Map<string, StagedBlob>()
  const files = createNewFiles(syncs)
  const pathOf = (name: string): string => join(stagingDir, stagingPrefix + name)
  const createFile = (name: string): NewFile => files.create(pathOf(name))
  const pack = createPack(() => createFile('pack'))
  const nextPath = (): string => pathOf(`blob-${blobs.size}`)

  const place = (content: Buffer): StagedBlob['at'] => {
    if (content.length <= packedMaxBytes) return { kind: 'packed', offset: pack.append(content) }
    const path = nextPath()
    files.write(path, content)
    return { kind: 'file', path }
  }
  return {
    keep: (content) => {
      const written = { sha256: sha256Of(content), sizeBytes: content.length }
      if (!blobs.has(written.sha256)) blobs.set(written.sha256, { ...written, at: place(content) })
      return written
    },
    keepPieces: () => {
      const file = files.create(nextPath())
      return {
        take: file.take,
        done: () =>
          file.done((written) => {
            if (blobs.has(written.sha256)) return false
            blobs.set(written.sha256, { ...written, at: { kind: 'file', path: file.path } })
            return true
          }),
      }
    },
    createFile,
    finish: () => ({ pack: pack.finish(), blobs: inHashOrder([...blobs.values()]) }),
    close: files.close,
  }
}
