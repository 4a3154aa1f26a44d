import type { Change, Entry } from '../records/changes.ts'
import { createAppend } from './append.ts'
import type { WrittenLine } from './line.ts'
import { writeLine } from './line.ts'
import type { LogMark } from './mark.ts'
import { logStart } from './mark.ts'
import type { MarkState, LogItem } from './read-log.ts'
import { entriesAfter, holdsMark, readLog } from './read-log.ts'
import { openSegments } from './segments.ts'

/**
 * The append-only log of a library, in segments `log/<first position>.jsonl`. All calls are synchronous. Callers that
 * write hold the writer lock. Throws disk errors.
 */
export function openLog(libraryFolder: string) {
  const segments = openSegments(libraryFolder)
  const { append: appendLine, syncSegment, refuseAppends, syncProblem, onSyncProblem } = createAppend(segments)
  return {
    folder: segments.folder,
    segments: segments.list,
    fileOf: segments.fileOf,
    holds: (mark: LogMark): MarkState => holdsMark(segments, mark),
    read: (after: LogMark): Generator<LogItem, void, void> => readLog(segments, after),
    entriesAfter: (position: number): Generator<Entry, void, void> => entriesAfter(segments, position),
    /** Writes an entry after `end`, syncs it and returns its mark. */
    append: (end: LogMark, changes: readonly Change[]): LogMark =>
      appendLine(end, writeLine(end.position + 1, end.hash, changes)),
    /** Like `append`, for an entry that was written elsewhere. */
    appendLine: (end: LogMark, line: WrittenLine): LogMark => appendLine(end, line),
    /** Syncs a segment to which others have appended: their process may have ended before it did. */
    syncSegment,
    /** Refuses every append from now on, because a sync failed in another thread of this process. */
    refuseAppends,
    /** The failed sync after which every append is refused; null if there was none. */
    syncProblem,
    /** Calls the listener after a failed sync. */
    onSyncProblem,
    /** A segment as it was written, even if another program has changed its line ends. */
    bytesOf: (segment: number): Buffer => segments.bytesOf(segment, 0) ?? Buffer.alloc(0),
    /** The line of a mark's entry, as written; null if it is not there. */
    lineOf: ({ segment, start, end }: LogMark): Buffer | null => segments.bytesOf(segment, start, end),
    /** The segments whose line ends another program has changed. They can still be read. */
    altered: segments.altered,
    /** Restores the original line ends of those segments. */
    restore: (): void => segments.altered().forEach((segment) => segments.restore(segment)),
    /** Starts an empty log after a position; everything before it is in a checkpoint. */
    beginAfter: segments.beginAfter,
    beginSegment: segments.begin,
    deleteBefore: segments.deleteBefore,
    /** Whether the first entries are only in a checkpoint. */
    isFolded: (): boolean => (segments.list()[0] ?? 1) > 1,
    /** Whether the log has an entry, not only the remains of one that a crash interrupted. */
    exists: (): boolean => readLog(segments, logStart).next().done !== true,
  }
}

export type LibraryLog = ReturnType<typeof openLog>
