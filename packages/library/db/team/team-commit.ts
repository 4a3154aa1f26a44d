import { addAll } from '@galley/wire'

import { join } from '../../team/checkpoints.ts'
import { confirmEnd, confirmNoGap, follow } from '../../team/follow.ts'
import type { Replica } from '../../team/replica.ts'
import { LogFoldedError } from '../../team/replica.ts'
import type { CheckpointFiles, Protocol } from '../../team/requests.ts'
import { BucketAwayError } from '../../team/requests.ts'
import { EntryUnknownError, writeEntry } from '../../team/write-entry.ts'
import type { CommentChange } from '../comment/waiting-comments.ts'
import { createWaitingComments } from '../comment/waiting-comments.ts'
import type { Commit, CommitPorts, Decide, Draft } from '../commit/commit.ts'
import { createTail, draftOf } from '../commit/commit.ts'
import type { HeldMark, TeamMarks } from './team-marks.ts'
import { createTeamMarks } from './team-marks.ts'
import type { PendingWrite } from './team-replica.ts'
import { createTeamReplica } from './team-replica.ts'

/** Runs a protocol against the bucket of the team; `forMs` is how long it tries. */
export type RunProtocol = <Value>(
  protocol: Protocol<Value>,
  forMs?: number,
  checkpoints?: CheckpointFiles,
) => Promise<Value>

/** How a member reaches its team. */
export interface TeamLink {
  readonly run: RunProtocol
  readonly checkpoints: CheckpointFiles
}

/** A bug of the caller: a synchronous write is not possible with a bucket, so `write` must be used. */
class UnsharedWriteError extends Error {
  readonly code = 'team_unsupported'
  constructor() {
    super('A team library is written to by commit.write')
  }
}

interface Waiting {
  readonly write: PendingWrite
  /** A person is waiting: while the bucket is known to be unreachable, try only once. */
  readonly isHasty: boolean
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Queues writes while an entry is being written; those that come meanwhile share the next entry. */
function createQueue(writeAll: (writes: readonly PendingWrite[], isHasty: boolean) => Promise<void>) {
  let waiting: Waiting[] = []
  let isRunning = false
  const held = { times: 0 }

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      await writeAll(
        batch.map(({ write }) => write),
        batch.every(({ isHasty }) => isHasty),
      )
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return
    }
    const left: Waiting[] = []
    for (const job of batch) {
      const { state } = job.write
      if (state.kind === 'left') left.push(job)
      else if (state.kind === 'failed') job.reject(state.error)
      else job.resolve()
    }
    waiting = [...left, ...waiting]
  }

  async function flush(): Promise<void> {
    if (isRunning) return
    isRunning = true
    while (waiting.length > 0 && held.times === 0) {
      const batch = waiting
      waiting = []
      await runBatch(batch)
    }
    isRunning = false
  }

  return {
    add: (rehearse: PendingWrite['rehearse'], isHasty: boolean): Promise<void> =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(() => void flush())
        waiting.push({ write: { rehearse, state: { kind: 'nothing' } }, isHasty, resolve, reject })
      }),
    /** Starts no new batch during the work. */
    async holdBack<Value>(work: () => Promise<Value>): Promise<Value> {
      held.times += 1
      try {
        return await work()
      } finally {
        held.times -= 1
        void flush()
      }
    },
  }
}

/** The commit of a team library, which also follows the team. */
export interface TeamCommit extends Commit {
  /** Applies what the team has written; returns how many entries that were. */
  followTeam(forMs?: number): Promise<number>
  /** Changes made without the bucket that wait for it, or for a person. */
  readonly marks: Pick<TeamMarks, 'list' | 'find' | 'drop' | 'insist'>
  /** How many changes of comments wait for the bucket. */
  waitingComments(): number
  /**
   * Writes waiting comments, and waiting marks that no other computer has changed. Returns how many no longer wait or now need a decision.
   * Rejects like `write`.
   */
  sendMarks(): Promise<number>
  /** Sets whether changes may wait for the bucket. They may not if the keys cannot write. */
  letWait(isAllowed: boolean): void
}

/** The bucket did not answer, so that a change may wait for it. */
const isAwayFault = (error: unknown): boolean => error instanceof BucketAwayError || error instanceof EntryUnknownError

/** The result of the last rehearsal of a write, and what it wrote. */
interface Attempt<Value> {
  readonly result: { readonly value: Value } | null
  readonly drafts: readonly Draft[]
  readonly failure: { readonly error: unknown } | null
}

/**
 * Runs protocols, and records whether the bucket was unreachable when the last one ended. A protocol that meets a
 * folded entry fails after the replica has restarted from a checkpoint: a repeated call continues from there.
 */
function createReach<Write>({ run, checkpoints }: TeamLink, replica: Replica<Write>) {
  let isAway = false
  /** Whether the log was found without a gap since the library was opened, or since the bucket last failed. */
  let isConfirmed = false
  let joining: Promise<void> | null = null
  const joined = (): Promise<void> =>
    (joining ??= run(join(replica), undefined, checkpoints).finally(() => (joining = null)))

  async function reach<Value>(protocol: Protocol<Value>, forMs?: number): Promise<Value> {
    try {
      const value = await run(protocol, forMs)
      isAway = false
      return value
    } catch (error) {
      isAway = isAwayFault(error)
      isConfirmed = false
      if (!(error instanceof LogFoldedError)) throw error
      await joined()
      // An entry in progress may be among the folded ones.
      throw new EntryUnknownError()
    }
  }

  function* confirm(): Protocol<void> {
    yield* confirmEnd(replica)
    if (isConfirmed) return
    yield* confirmNoGap(replica)
    isConfirmed = true
  }

  function* followWhole(): Protocol<void> {
    yield* follow(replica)
    if (!isConfirmed) yield* confirm()
  }

  return {
    isAway: () => isAway,
    confirm,
    reach,
    /** Applies the log up to its end. Returns how many entries that were. */
    async follow(forMs?: number): Promise<number> {
      const { position } = replica.end()
      try {
        await reach(followWhole(), forMs)
      } catch (error) {
        // Nothing was in progress.
        if (!(error instanceof EntryUnknownError)) throw error
      }
      return replica.end().position - position
    },
  }
}

interface SenderParts {
  readonly marks: TeamMarks
  readonly comments: ReturnType<typeof createWaitingComments>
  readonly attempt: <Value>(work: () => Value) => Promise<Attempt<Value>>
  readonly now: (decide: Decide) => void
  readonly report: (line: string) => void
}

/** Writes what waits, one by one. */
function createSender({ marks, comments, attempt, now, report }: SenderParts) {
  async function sendComment({ id, change }: { readonly id: number; readonly change: CommentChange }): Promise<void> {
    const { failure } = await attempt(() => now(() => [change]))
    if (failure !== null) throw failure.error
    comments.drop(id)
  }

  async function send(held: HeldMark): Promise<void> {
    const { result, failure } = await attempt(() => {
      const judged = marks.judge(held)
      const { change } = judged
      if (change !== null) now(() => [change])
      return judged
    })
    if (failure !== null || result === null) throw failure?.error ?? new Error('A mark was never decided')
    const { verdict, current } = result.value
    if (verdict !== 'conflict') return marks.drop(held)
    marks.contest(held, current)
    report('a change made while the bucket did not respond needs a decision: see galley team status')
  }

  return { send, sendComment }
}

/** Writes the changes of a team library: this process writes one entry at a time. */
export function createTeamCommit(ports: CommitPorts, link: TeamLink): TeamCommit {
  const { db, log, lock, apply, report } = ports
  const tail = createTail(ports)
  const replica = createTeamReplica({ ...ports, tail })
  const marks = createTeamMarks(db, () => tail.markNow().position)
  const comments = createWaitingComments(db)
  const { reach, isAway, confirm, follow: followTeam } = createReach(link, replica)
  let mayHold = true
  const queue = createQueue((writes, isHasty) =>
    reach(writeEntry(replica, writes, confirm), isHasty && isAway() ? 0 : undefined),
  )
  /** What the current call of `write` has written so far, during its rehearsal. */
  let gathered: Draft[] | null = null

  function applyAll(drafts: readonly Draft[]): readonly Draft[] {
    for (const { change, beside } of drafts) apply.change(change, beside ?? {})
    return drafts
  }

  function now(decide: Decide): void {
    if (gathered === null) throw new UnsharedWriteError()
    addAll(gathered, applyAll(decide().map(draftOf)))
  }

  async function attempt<Value>(work: () => Value): Promise<Attempt<Value>> {
    const last: { result: Attempt<Value>['result']; drafts: readonly Draft[] } = { result: null, drafts: [] }
    const rehearse = (): readonly Draft[] => {
      const drafts: Draft[] = []
      last.result = null
      gathered = drafts
      try {
        last.result = { value: work() }
        return (last.drafts = drafts)
      } finally {
        gathered = null
      }
    }
    const failure = await queue.add(rehearse, true).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    return { ...last, failure }
  }

  const { send, sendComment } = createSender({ marks, comments, attempt, now, report })

  return {
    now,
    soon: (decide) => queue.add(() => applyAll(decide().map(draftOf)), false),
    async write<Value>(work: () => Value): Promise<Value> {
      const { result, drafts, failure } = await attempt(work)
      const changes = drafts.map(({ change }) => change)
      if (failure !== null) {
        if (result === null || !isAwayFault(failure.error) || !mayHold) throw failure.error
        if (!marks.hold(changes) && !comments.hold(changes)) throw failure.error
        report('the bucket does not respond: a change waits on this computer until it does')
      } else marks.settle(changes)
      if (result === null) throw new Error('A write was never decided')
      return result.value
    },
    holdBack: queue.holdBack,
    follow: (atMost) => lock.hold(() => db.transaction(tail.applyTail).immediate(atMost)).count,
    followTeam,
    marks,
    waitingComments: () => comments.list().length,
    async sendMarks() {
      const due = marks.list().filter(({ mark }) => mark.theirs === null)
      for (const held of due) await send(held)
      const said = comments.list()
      for (const each of said) await sendComment(each)
      return due.length + said.length
    },
    letWait: (isAllowed) => void (mayHold = isAllowed),
    // An entry is acknowledged when it is applied here.
    isAhead: () => false,
    mark: tail.markNow,
    isBehind: () => log.read(tail.markNow()).next().done !== true,
  }
}
