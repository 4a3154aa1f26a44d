import type { Entry } from '../../../contract/domain/changes.ts'
import { createAppend } from './append.ts'
import type { LogMark } from './mark.ts'
import { logStart } from './mark.ts'
import type { Holding, LogItem } from './read-log.ts'
import { entriesBehind, holdsMark, readLog } from './read-log.ts'
import { openSegments } from './segments.ts'

/**
 * The append-only log of a library, in segments `log/<first position>.jsonl`. All calls are synchronous; the caller of
 * those that write holds the writers' lock. Throws what the disk throws.
 */
export function openLog(libraryFolder: string) {
  const segments = openSegments(libraryFolder)
  return {
    folder: segments.folder,
    segments: segments.list,
    fileOf: segments.fileOf,
    holds: (mark: LogMark): Holding => holdsMark(segments, mark),
    read: (after: LogMark): Generator<LogItem, void, void> => readLog(segments, after),
    entriesBehind: (position: number): Generator<Entry, void, void> => entriesBehind(segments, position),
    append: createAppend(segments),
    beginSegment: segments.begin,
    deleteBefore: segments.deleteBefore,
    /** Whether it holds anything beyond what a crash left of its first entry. */
    exists: (): boolean => readLog(segments, logStart).next().done !== true,
  }
}

export type LibraryLog = ReturnType<typeof openLog>
