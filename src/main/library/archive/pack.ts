import type { StagedFile } from './jobs.ts'
import type { NewFile } from './new-file.ts'

/** One file that holds many small blobs, one behind the other. */
export interface Pack {
  /** Where in the pack the content stands. */
  append(content: Buffer): number
  /** Writes the rest and hands the file over to the syncs; null when nothing was ever appended. */
  finish(): StagedFile | null
}

const bufferBytes = 1024 * 1024

/** Small blobs are collected, so that they are written and hashed in large pieces. `create` is called for the first. */
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
