import { CausedError, addAll, cause, failureWords } from '@galley/wire'

import type { LogMark } from '../../log/mark.ts'
import { WriterEndedError } from '../../log/writer-ended.ts'
import type { Change } from '../../records/changes.ts'
import { asRead, changesPerEntry } from '../../records/changes.ts'
import type { UnloggedFacts } from '../apply/apply.ts'
import type { FollowPorts } from '../apply/follow-log.ts'
import { followLog } from '../apply/follow-log.ts'
import type { Unapplied } from '../apply/lost-entries.ts'
import type { WriterLock } from './writer-lock.ts'

/** A change, with facts about it that are not in the log. */
export interface Draft {
  readonly change: Change
  readonly beside?: UnloggedFacts
  /** The change is as it will be read from the log. */
  readonly isAsRead?: true
}

/** Decides what to write; called under the lock, when the index is at the end of the log. */
export type Decide = () => readonly (Change | Draft)[]

export interface CommitPorts extends FollowPorts {
  readonly lock: WriterLock
  /** Called with each entry that cannot be applied; when it throws, nothing is committed. */
  readonly onUnapplied: (what: Unapplied) => void
  readonly report: (line: string) => void
  /** Whether the library has joined a team since it was opened: then its log is in a bucket. */
  readonly isShared: () => boolean
  /** Another thread of this process has the library open: `local.db` is locked only to list the callback of an entry. */
  readonly isBeside?: true
}

/** The index was not made from this log, or the log has lost what the index was made from. Nothing may be written. */
export class LogMismatchError extends Error {
  readonly code = 'log_mismatch'
  constructor() {
    super(failureWords({ code: 'log_mismatch' }))
  }
}

interface Job {
  readonly decide: Decide
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** The draft as it will be read from the log, because that is what is applied. */
export function draftOf(either: Change | Draft): Draft {
  const draft: Draft = 'change' in either ? either : { change: either }
  return draft.isAsRead ? draft : { ...draft, change: asRead(draft.change) }
}

/** The position of the index in the log, and the steps that bring the index to the end of the log. */
export function createTail(ports: CommitPorts) {
  const { db, log, onUnapplied } = ports
  const readMark = db.prepare<[], LogMark>(
    'SELECT position, hash, segment, line_start AS start, line_end AS "end" FROM applied',
  )
  const markNow = (): LogMark => {
    const mark = readMark.get()
    if (!mark) throw new LogMismatchError()
    return mark
  }

  /** Applies up to `atMost` entries that others have appended, and makes them durable. Part of a transaction. */
  function applyTail(atMost = Number.POSITIVE_INFINITY): { readonly end: LogMark; readonly count: number } {
    let end = markNow()
    if (log.holds(end) !== 'holds') throw new LogMismatchError()
    let count = 0
    const segments = new Set<number>()
    for (const step of followLog(ports, end)) {
      if (step.kind === 'unapplied') {
        onUnapplied(step.what)
        continue
      }
      end = step.mark
      count += 1
      segments.add(end.segment)
      if (count === atMost) break
    }
    segments.forEach(log.syncSegment)
    return { end, count }
  }

  return { markNow, applyTail }
}

export type Tail = ReturnType<typeof createTail>

/** An import reads the log to its end. Later entries would be missing from the team's log. */
function refuseDuringImport(lock: WriterLock): void {
  if (lock.isTaken()) throw new CausedError(cause('team_importing'))
}

/** The jobs of an entry, and whether the entry is in the log although the index could not apply it. */
interface WrittenEntry {
  readonly jobs: readonly Job[]
  readonly isAhead: boolean
}

/** The returned function writes one entry, under the lock; jobs that do not fit into it are added to `later`. */
function entryWriter(
  { db, log, lock, apply, callbacks, isShared, isBeside }: CommitPorts,
  { applyTail }: Tail,
): (jobs: readonly Job[], later: Job[]) => WrittenEntry {
  function decide(job: Job): readonly Draft[] {
    const drafts = job.decide().map(draftOf)
    if (drafts.length > changesPerEntry / 2) throw new Error('Too many changes at once')
    for (const { change, beside } of drafts) apply.change(change, beside ?? {})
    return drafts
  }
  /** Part of a larger transaction: done as a whole or not at all. */
  const decideAsPart = db.transaction(decide)

  /** Applies the changes of one job; null if it failed, and its row ids are released. */
  function tryJob(job: Job): readonly Draft[] | null {
    const taken = apply.taken()
    try {
      return decideAsPart(job)
    } catch (error) {
      // On a full disk SQLite rolls back the whole transaction, including the jobs before this one.
      if (!db.inTransaction) throw error
      apply.rewind(taken)
      job.reject(error)
      return null
    }
  }

  return (jobs, later) => {
    if (isShared()) throw new CausedError(cause('team_joined'))
    refuseDuringImport(lock)
    db.exec(isBeside ? 'BEGIN' : 'BEGIN IMMEDIATE')
    let appended = false
    try {
      if (isBeside) apply.lock()
      const { end } = applyTail()
      apply.begin(end.position + 1)
      const drafts: Draft[] = []
      const done: Job[] = []
      for (const job of jobs) {
        // A full entry leaves the rest to the next one.
        if (drafts.length > changesPerEntry / 2) {
          later.push(job)
          continue
        }
        // A single job uses the transaction itself: for a savepoint, SQLite would copy every page that the job changes.
        const added = jobs.length === 1 ? decide(job) : tryJob(job)
        if (added === null) continue
        addAll(drafts, added)
        done.push(job)
      }
      if (drafts.length > 0) {
        const changes = drafts.map(({ change }) => change)
        const mark = log.append(end, changes)
        appended = true
        apply.end(mark)
        callbacks.mirror({ changes, position: mark.position, previous: end.hash, writer: '' })
      }
      db.exec('COMMIT')
      return { jobs: done, isAhead: false }
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      if (!appended) throw error
      // The log has them, so they are stored.
      return { jobs: jobs.filter((job) => !later.includes(job)), isAhead: true }
    }
  }
}

/** Runs the work of other threads one after another, and calls `onEnd` after each. */
function createHolds(onEnd: () => void) {
  let isHeld = false
  let last: Promise<unknown> = Promise.resolve()
  return {
    isHeld: () => isHeld,
    run<Value>(work: () => Promise<Value>): Promise<Value> {
      const held = last.then(async () => {
        isHeld = true
        try {
          return await work()
        } finally {
          isHeld = false
          onEnd()
        }
      })
      // A failure must not affect the next one.
      last = held.catch(() => undefined)
      return held
    },
  }
}

/**
 * Writes every change of the library: under the writers' lock the index is brought to the end of the log, the changes are
 * applied to it, appended to the log and synced, and only then committed. The sync of the log makes them durable.
 */
export function createCommit(ports: CommitPorts) {
  const { db, log, lock, report } = ports
  const tail = createTail(ports)
  const writeEntry = entryWriter(ports, tail)
  let waiting: Job[] = []
  let isAhead = false
  const holds = createHolds(flush)

  function run(jobs: readonly Job[]): void {
    const later: Job[] = []
    try {
      const written = lock.hold(() => {
        const entry = writeEntry(jobs, later)
        isAhead = entry.isAhead
        return entry.jobs
      })
      if (isAhead) catchUp()
      for (const job of written) job.resolve()
    } catch (error) {
      for (const job of jobs) job.reject(error)
      return
    }
    if (later.length > 0) run(later)
  }

  function follow(atMost?: number): number {
    const { count } = lock.hold(() => db.transaction(tail.applyTail).immediate(atMost))
    isAhead = false
    return count
  }

  /** Tries once more: after a temporary disk fault the index lacks the entry, and its callers read the index next. */
  function catchUp(): void {
    try {
      follow()
    } catch {
      report('the index could not follow its log and will be brought up to date later')
    }
  }

  function flush(): void {
    if (holds.isHeld()) return
    const jobs = waiting
    waiting = []
    if (jobs.length > 0) run(jobs)
  }

  /** Waits for `write`, which writes an entry in another thread and resolves to whether the index is behind the log then. */
  const elsewhere = (write: () => Promise<boolean>): Promise<void> =>
    holds.run(async () => {
      refuseDuringImport(lock)
      try {
        isAhead = await write()
      } catch (error) {
        if (error instanceof WriterEndedError) isAhead = true
        throw error
      }
    })

  return {
    /** Writes at once; durable when it returns. Throws what `decide`, index and log throw. */
    now(decide: Decide): void {
      let problem: { readonly error: unknown } | null = null
      run([{ decide, resolve: () => undefined, reject: (error) => (problem = { error }) }])
      // TypeScript does not see the assignment in the callback.
      const failed = problem as { readonly error: unknown } | null
      if (failed) throw failed.error
    },
    /** Writes together with all other requests of this turn of the event loop, with one sync. */
    soon(decide: Decide): Promise<void> {
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ decide, resolve, reject })
      })
    },
    /**
     * Runs work that reads the index and writes with `now`. This works for every library: a team library repeats the
     * work until its entry has a position, so the work must have no other effects.
     */
    write: async <Value>(work: () => Value): Promise<Value> => work(),
    /** While `work` runs, deferred writes wait: another thread writes to the index. */
    holdBack: holds.run,
    elsewhere,
    /** Applies up to `atMost` entries that others have appended. Returns how many. */
    follow,
    /** Whether the log has entries of this process that the index could not apply. */
    isAhead: (): boolean => isAhead,
    mark: tail.markNow,
    /** Whether the log has entries that the index has not applied. */
    isBehind: (): boolean => log.read(tail.markNow()).next().done !== true,
  }
}

/** How changes are written, in any library. */
export type Commit = Omit<ReturnType<typeof createCommit>, 'elsewhere'>
