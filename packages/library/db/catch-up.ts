import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'

import type { LibraryLog } from '../log/log.ts'
import type { Entry } from '../records/changes.ts'
import type { CallbackMirror } from './apply/callback-mirror.ts'
import { refusedEntriesIn } from './apply/lost-entries.ts'
import type { Commit } from './commit/commit.ts'
import type { WriterLock } from './commit/writer-lock.ts'

interface CatchUpPorts {
  readonly db: Database
  readonly log: LibraryLog
  readonly lock: WriterLock
  readonly commit: Commit
  readonly callbacks: CallbackMirror
}

/** Entries to apply before yielding to the event loop. */
const entriesAtOnce = 200

/**
 * Applies the rest of the log to the index and updates the list of callbacks, when the library is opened. Resolves to the
 * position up to which that list knows the log, if the log ends before it.
 */
export function createCatchUp({ db, log, lock, commit, callbacks }: CatchUpPorts) {
  const list = db.transaction((entries: readonly Entry[]) => {
    const refused = new Set(refusedEntriesIn(db).map(({ position }) => position))
    for (const entry of entries) callbacks.mirror(refused.has(entry.position) ? { ...entry, changes: [] } : entry)
  })

  /**
   * The list is incomplete, was lost with `local.db`, or followed a longer log. Returns the position up to which it followed
   * that log; null if the log has all of it.
   */
  async function listDeliveries(): Promise<number | null> {
    const listed = callbacks.position()
    // Another process writes its entries to the log before the list, so these are applied here after this.
    if (listed > commit.mark().position) commit.follow()
    const upTo = commit.mark().position
    if (listed > upTo) callbacks.restart(upTo)
    for (const slice of slicesOf(entriesOf(log, callbacks.position(), upTo))) {
      lock.hold(() => list.immediate(slice))
      await nextTurn()
    }
    return listed > upTo ? listed : null
  }

  return async (): Promise<number | null> => {
    for (let isOver = !commit.isBehind(); !isOver;) {
      isOver = commit.follow(entriesAtOnce) < entriesAtOnce
      await nextTurn()
    }
    return listDeliveries()
  }
}

function* entriesOf(log: LibraryLog, after: number, upTo: number): Generator<Entry> {
  if (after >= upTo) return
  for (const entry of log.entriesAfter(after)) {
    if (entry.position > upTo) return
    yield entry
  }
}

function* slicesOf(entries: Iterable<Entry>): Generator<readonly Entry[]> {
  let slice: Entry[] = []
  for (const entry of entries) {
    slice.push(entry)
    if (slice.length < entriesAtOnce) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}
