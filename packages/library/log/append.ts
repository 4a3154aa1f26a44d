import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { storageCause, syncFolderNow, systemCode } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { CausedError, cause } from '@galley/wire'

import type { WrittenLine } from './line.ts'
import type { LogMark } from './mark.ts'
import type { LogSegments } from './segments.ts'

/** A segment of this size is full. */
const segmentBytes = 8 * 1024 ** 2

/** A sync of the log failed, so no write may be acknowledged until the library is reopened and checked. */
export class LogSyncError extends CausedError {
  /** That of the fault, such as EIO. */
  readonly code: string
  /** The cause of the fault. */
  readonly why: Cause
  constructor(fault: unknown) {
    const why = storageCause(fault)
    super(cause('sync_failed', { why }))
    this.why = why
    this.code = systemCode(fault)
  }
}

/** Appends to a log. After a failed sync it refuses everything. */
export function createAppend(segments: LogSegments) {
  let syncProblem: LogSyncError | null = null
  const listeners = new Set<() => void>()

  function refuseAppends(problem: LogSyncError): void {
    syncProblem = problem
    for (const listener of listeners) listener()
  }

  /** Syncs a written line. The file of a new segment is safe only after its folders are synced too. */
  function sync(descriptor: number, isNew: boolean): void {
    try {
      if (isNew) fsyncSync(descriptor)
      else fdatasyncSync(descriptor)
      if (isNew) {
        syncFolderNow(segments.folder)
        syncFolderNow(dirname(segments.folder))
      }
    } catch (error) {
      // Whether the entry is on disk is unknown, and a later successful sync would not tell.
      const problem = new LogSyncError(error)
      refuseAppends(problem)
      throw problem
    }
  }

  function append(end: LogMark, { bytes, hash }: WrittenLine): LogMark {
    if (syncProblem) throw syncProblem
    const position = end.position + 1
    const newest = segments.list().at(-1)
    const isNew = newest === undefined || newest > end.position || end.end >= segmentBytes
    const segment = isNew ? position : end.segment
    const start = isNew ? 0 : end.end
    if (isNew) mkdirSync(segments.folder, { recursive: true, mode: 0o700 })
    else segments.endAfter(end)
    const descriptor = openSync(segments.fileOf(segment), isNew ? 'w' : 'r+', 0o600)
    try {
      writeAt(descriptor, bytes, start)
      sync(descriptor, isNew)
    } finally {
      closeSync(descriptor)
    }
    return { position, hash, segment, start, end: start + bytes.length }
  }

  function syncSegment(segment: number): void {
    if (syncProblem) throw syncProblem
    const descriptor = openSync(segments.fileOf(segment), 'r+')
    try {
      sync(descriptor, true)
    } finally {
      closeSync(descriptor)
    }
  }

  return {
    /** Syncs all lines of a segment. */
    syncSegment,
    /**
     * Writes the line of the entry after `end`, syncs it and returns its mark. Bytes after `end` in its segment are the
     * remains of an entry that was never acknowledged; they are overwritten or truncated.
     */
    append,
    /** Refuses everything from now on: a sync of the same log failed elsewhere in this process. */
    refuseAppends,
    /** The failed sync after which it refuses everything; null if there was none. */
    syncProblem: (): LogSyncError | null => syncProblem,
    /** Calls the listener after a failed sync. */
    onSyncProblem: (listener: () => void): void => void listeners.add(listener),
  }
}

/** Writes a line at `start`, the end of the file. If that fails, truncates the file. */
function writeAt(descriptor: number, bytes: Buffer, start: number): void {
  try {
    for (let done = 0; done < bytes.length;)
      done += writeSync(descriptor, bytes, done, bytes.length - done, start + done)
  } catch (error) {
    // Nothing was synced or acknowledged.
    ftruncateSync(descriptor, start)
    throw error
  }
}
