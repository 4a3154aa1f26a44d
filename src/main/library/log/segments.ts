import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'

import { syncFolderNow } from '../../platform/disk/sync-folder.ts'
import type { LogMark } from './mark.ts'

/** The files of a log, `log/<first position>.jsonl`. Throws disk errors. */
export function openSegments(libraryFolder: string) {
  const folder = join(libraryFolder, 'log')
  const fileOf = (segment: number): string => join(folder, `${String(segment).padStart(20, '0')}.jsonl`)

  /** The first positions of the segments, ascending. */
  function list(): readonly number[] {
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .flatMap((name) => (/^\d{20}\.jsonl$/.test(name) ? [Number(name.slice(0, 20))] : []))
      .toSorted((one, other) => one - other)
  }

  /** The bytes from `from` to `to`, fewer if the file is shorter; null if there is no such segment. */
  function bytesOf(segment: number, from: number, to?: number): Buffer | null {
    const file = fileOf(segment)
    if (!existsSync(file)) return null
    const descriptor = openSync(file, 'r')
    try {
      const size = fstatSync(descriptor).size
      const end = Math.min(to ?? size, size)
      const bytes = Buffer.alloc(Math.max(0, end - from))
      let done = 0
      while (done < bytes.length) {
        const read = readSync(descriptor, bytes, done, bytes.length - done, from + done)
        if (read === 0) break
        done += read
      }
      return bytes.subarray(0, done)
    } finally {
      closeSync(descriptor)
    }
  }

  /** Starts a segment with the next entry. Truncates the remains of an entry that a crash interrupted. */
  function begin(end: LogMark): void {
    const descriptor = openSync(fileOf(end.segment), 'r+', 0o600)
    try {
      if (fstatSync(descriptor).size > end.end) ftruncateSync(descriptor, end.end)
    } finally {
      closeSync(descriptor)
    }
    closeSync(openSync(fileOf(end.position + 1), 'w', 0o600))
    syncFolderNow(folder)
  }

  /** Starts the log of a library whose earlier entries are only in a checkpoint. */
  function beginAfter(position: number): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    closeSync(openSync(fileOf(position + 1), 'w', 0o600))
    syncFolderNow(folder)
  }

  /** Deletes the segments that begin before a position, oldest first. A segment has to begin at that position. */
  function deleteBefore(position: number): void {
    for (const segment of list()) if (segment < position) rmSync(fileOf(segment))
    syncFolderNow(folder)
  }

  return { folder, fileOf, list, bytesOf, begin, beginAfter, deleteBefore }
}

export type LogSegments = ReturnType<typeof openSegments>
