import { join } from 'node:path'

import type { StagedBlob, StagedFile } from './jobs.ts'
import type { NewFile, Written } from './new-file.ts'
import { createNewFiles, sha256Of } from './new-file.ts'
import { createPack } from './pack.ts'
import type { Syncs } from './syncs.ts'

/** Where one job writes: blobs under names of ours, each content once. Names of the archive never get here. */
export interface Staging {
  keep(content: Buffer): Written
  /** A blob whose bytes come piece by piece; until it is done nothing else may be kept. */
  keepPieces(): { take(chunk: Buffer): void; done(): Written }
  /** A file beside the blobs. */
  createFile(name: string): NewFile
  /** Completes the pack. Everything has reached the disk once the syncs have settled. */
  finish(): { readonly blobs: readonly StagedBlob[]; readonly pack: StagedFile | null }
  /** Closes what a failed job has left open. Removing the folder is the caller's part. */
  close(): void
}

/** Up to here blobs go into the pack: thousands of small files then cost one sync. */
const packedMaxBytes = 64 * 1024

/**
 * In the order of the index's own trees, into which thousands of rows then go faster. Sorted here, since it is the main
 * thread that writes the index.
 */
export const inHashOrder = <Blob extends { readonly sha256: string }>(blobs: readonly Blob[]): readonly Blob[] =>
  blobs.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))

export function createStaging(directory: string, syncs: Syncs): Staging {
  const blobs = new Map<string, StagedBlob>()
  const files = createNewFiles(syncs)
  const createFile = (name: string): NewFile => files.create(join(directory, name))
  const pack = createPack(() => createFile('pack'))
  const nextPath = (): string => join(directory, `blob-${blobs.size}`)

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
