import { follow } from '../team/follow.ts'
import type { Protocol } from '../team/requests.ts'
import { writeEntry } from '../team/write-entry.ts'
import type { Commit, CommitPorts, Decide, Draft } from './commit.ts'
import { createTail, draftOf } from './commit.ts'
import type { TeamWish } from './team-replica.ts'
import { createTeamReplica } from './team-replica.ts'

/** Runs a protocol against the bucket of the team; `forMs` is how long it tries. */
export type RunProtocol = <Value>(protocol: Protocol<Value>, forMs?: number) => Promise<Value>

/** Something was to be written at once, which a bucket cannot do: a bug of the caller, who has to use `write`. */
class UnsharedWriteError extends Error {
  readonly code = 'team_unsupported'
  constructor() {
    super('A team library is written to by commit.write')
  }
}

interface Waiting {
  readonly wish: TeamWish
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Gathers wishes while an entry is under way; what has come meanwhile shares the next one. */
function createQueue(writeAll: (wishes: readonly TeamWish[]) => Promise<void>) {
  let waiting: Waiting[] = []
  let isRunning = false
  const held = { times: 0 }

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      await writeAll(batch.map(({ wish }) => wish))
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return
    }
    const left: Waiting[] = []
    for (const job of batch) {
      const { state } = job.wish
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
    add: (rehearse: TeamWish['rehearse']): Promise<void> =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(() => void flush())
        waiting.push({ wish: { rehearse, state: { kind: 'nothing' } }, resolve, reject })
      }),
    /** Nothing new is begun while the work goes on. */
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
  /** Applies what the team has written; gives how many entries that were. */
  followTeam(forMs?: number): Promise<number>
}

/** Writes the changes of a team library: one entry of this process is under way at a time. */
export function createTeamCommit(ports: CommitPorts, run: RunProtocol): TeamCommit {
  const { db, log, lock, apply } = ports
  const tail = createTail(ports)
  const replica = createTeamReplica({ ...ports, tail })
  const queue = createQueue((wishes) => run(writeEntry(replica, wishes)))
  /** While a wish of `write` is rehearsed: what it has written so far. */
  let gathered: Draft[] | null = null

  function applyAll(drafts: readonly Draft[]): readonly Draft[] {
    for (const { change, beside } of drafts) apply.change(change, beside ?? {})
    return drafts
  }

  return {
    now(decide: Decide): void {
      if (gathered === null) throw new UnsharedWriteError()
      gathered.push(...applyAll(decide().map(draftOf)))
    },
    soon: (decide) => queue.add(() => applyAll(decide().map(draftOf))),
    async write<Value>(work: () => Value): Promise<Value> {
      let result: { readonly value: Value } | null = null
      await queue.add(() => {
        gathered = []
        try {
          result = { value: work() }
          return gathered
        } finally {
          gathered = null
        }
      })
      // TypeScript does not see the assignment in the callback.
      const done = result as { readonly value: Value } | null
      if (done === null) throw new Error('A write was never decided')
      return done.value
    },
    holdBack: queue.holdBack,
    follow: (atMost) => lock.hold(() => db.transaction(tail.applyTail).immediate(atMost)).count,
    followTeam: (forMs) => run(follow(replica), forMs),
    // An entry is acknowledged when it is applied here.
    isAhead: () => false,
    mark: tail.markNow,
    isBehind: () => log.read(tail.markNow()).next().done !== true,
  }
}
