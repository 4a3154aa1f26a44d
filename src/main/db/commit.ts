import type { Change } from '../../contract/log/changes.ts'
import { change as changeSchema, changesPerEntry } from '../../contract/log/changes.ts'
import type { LogMark } from '../log/log.ts'
import { logStart } from '../log/log.ts'
import type { BesideChange } from './apply/apply.ts'
import type { FollowPorts, Unapplied } from './apply/follow-log.ts'
import { followLog } from './apply/follow-log.ts'
import type { WriterLock } from './writer-lock.ts'

/** A change, with what is known of it beside the log. */
export interface Draft {
  readonly change: Change
  readonly beside?: BesideChange
}

/** Decides what to write; called when the index is at the end of the log and nobody else writes. */
export type Decide = () => readonly (Change | Draft)[]

export interface CommitPorts extends FollowPorts {
  readonly lock: WriterLock
  /** Told of entries that cannot be applied; its own faults keep the commit from being made. */
  readonly onUnapplied: (what: Unapplied) => void
  readonly report: (line: string) => void
}

/** The index was not made from this log, or the log has lost what the index was made from. Nothing may be written. */
export class LogMismatchError extends Error {
  readonly code = 'log_mismatch'
  constructor() {
    super(
      'The index of this library does not belong to its log. Nothing was changed. Run galley rebuild --from log to keep ' +
        'what the log says, or galley rebuild --from index to keep what the index says.',
    )
  }
}

interface Job {
  readonly decide: Decide
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** What is applied is what will be read from the log: in the schema's order, and nothing that it does not know. */
function draftOf(either: Change | Draft): Draft {
  const { change, beside } = 'change' in either ? either : { change: either, beside: {} }
  return { change: changeSchema.parse(JSON.parse(JSON.stringify(change))), ...(beside && { beside }) }
}

/**
 * The way every change takes: under the writers' lock the index is brought to the end of the log, the changes are applied
 * to it, appended to the log and synced, and only then committed. The sync of the log is what makes them durable.
 */
export function createCommit(ports: CommitPorts) {
  const { db, log, lock, apply, callbacks, onUnapplied, report } = ports
  const readMark = db.prepare<[], LogMark>(
    'SELECT position, hash, segment, line_start AS start, line_end AS "end" FROM applied',
  )
  const markNow = (): LogMark => {
    const mark = readMark.get()
    if (!mark) throw new LogMismatchError()
    return mark
  }
  let waiting: Job[] = []
  let isAhead = false

  /** Applies what others have appended; part of a transaction. */
  function catchUp(): LogMark {
    let last = markNow()
    if (log.holds(last) !== 'holds') throw new LogMismatchError()
    for (const step of followLog(ports, last)) {
      if (step.kind === 'applied') last = step.mark
      else onUnapplied(step.what)
    }
    return last
  }

  /** Applies the changes of one job; all of them, or none and the row ids are given back. */
  function tryJob(job: Job, added: Draft[]): boolean {
    const taken = apply.taken()
    db.exec('SAVEPOINT job')
    try {
      const drafts = job.decide().map(draftOf)
      if (drafts.length > changesPerEntry / 2) throw new Error('Too many changes at once')
      for (const { change, beside } of drafts) apply.change(change, beside ?? {})
      db.exec('RELEASE job')
      added.push(...drafts)
      return true
    } catch (error) {
      db.exec('ROLLBACK TO job; RELEASE job')
      apply.rewind(taken)
      job.reject(error)
      return false
    }
  }

  /** Gives the jobs that were written; what does not fit into one entry is put into `later`. */
  function writeTogether(jobs: readonly Job[], later: Job[]): readonly Job[] {
    db.exec('BEGIN IMMEDIATE')
    let appended = false
    try {
      const end = catchUp()
      apply.begin(end.position + 1)
      const drafts: Draft[] = []
      const done: Job[] = []
      for (const job of jobs) {
        // An entry that is full leaves the rest to the next one.
        if (drafts.length > changesPerEntry / 2) later.push(job)
        else if (tryJob(job, drafts)) done.push(job)
      }
      if (drafts.length > 0) {
        const changes = drafts.map(({ change }) => change)
        const mark = log.append(end, changes)
        appended = true
        apply.end(mark)
        callbacks.mirror(changes, mark.position)
      }
      db.exec('COMMIT')
      isAhead = false
      return done
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      if (!appended) throw error
      // The log has them, so they are stored: the index is brought up to it with the next commit.
      isAhead = true
      report('the index could not follow its log and will be brought up to date later')
      return jobs.filter((job) => !later.includes(job))
    }
  }

  function run(jobs: readonly Job[]): void {
    const later: Job[] = []
    try {
      for (const job of lock.hold(() => writeTogether(jobs, later))) job.resolve()
    } catch (error) {
      for (const job of jobs) job.reject(error)
      return
    }
    if (later.length > 0) run(later)
  }

  function flush(): void {
    const jobs = waiting
    waiting = []
    if (jobs.length > 0) run(jobs)
  }

  return {
    /** Writes at once; durable when it returns. Throws what `decide`, index and log throw. */
    now(decide: Decide): void {
      let problem: { readonly error: unknown } | null = null
      run([{ decide, resolve: () => undefined, reject: (error) => (problem = { error }) }])
      // TypeScript does not see the assignment in the callback.
      const failed = problem as { readonly error: unknown } | null
      if (failed) throw failed.error
    },
    /** Writes together with everything else that asks in this turn of the event loop, with one sync. */
    soon(decide: Decide): Promise<void> {
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ decide, resolve, reject })
      })
    },
    /** Applies what others have appended. */
    follow(): void {
      lock.hold(() => db.transaction(catchUp).immediate())
    },
    /** Whether the log has entries of this process that the index could not take. */
    isAhead: (): boolean => isAhead,
    /** Brings the list of callbacks of this machine up to the index, where it stayed behind or was lost. */
    listDeliveries(): void {
      const upTo = markNow().position
      if (callbacks.position() >= upTo) return
      lock.hold(() =>
        db
          .transaction(() => {
            for (const item of log.read(logStart))
              if (item.kind === 'entry' && item.entry.position <= upTo)
                callbacks.mirror(item.entry.changes, item.entry.position)
          })
          .immediate(),
      )
    },
    mark: markNow,
    /** Whether the log holds entries that the index does not know. */
    isBehind: (): boolean => !log.read(markNow()).next().done,
  }
}

export type Commit = ReturnType<typeof createCommit>
