import type { StagedFile } from './jobs.ts'
import type { NewFile } from './new-file.ts'

/** A file that contains many small blobs in sequence. */
export interface Pack {
  /** Appends content and returns its offset in the pack. */
  append(content: Buffer): number
  /** Writes the rest and passes the file to the syncs; null if nothing was appended. */
  finish(): StagedFile | null
}

const bufferBytes = 1024 * 1024

/** Buffers small blobs, so that they are written and hashed in large chunks. Calls `create` for the first. */
export function createPack(create: () => NewFile): Pack {
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
