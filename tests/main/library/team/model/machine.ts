import type { Change } from '../../../../../src/contract/domain/changes.ts'
import { writeLine } from '../../../../../src/main/library/log/line.ts'
import {
  foldSome,
  join,
  planFold,
  removeSuperseded,
  sendCheckpoint,
} from '../../../../../src/main/library/team/checkpoints.ts'
import type { FilePage } from '../../../../../src/main/library/team/drop-files.ts'
import { listFiles, removeRetired } from '../../../../../src/main/library/team/drop-files.ts'
import { follow } from '../../../../../src/main/library/team/follow.ts'
import type { FileObject } from '../../../../../src/main/library/team/keys.ts'
import { checkpointKey, fileKey } from '../../../../../src/main/library/team/keys.ts'
import type { Draft, Drafted, Replica } from '../../../../../src/main/library/team/replica.ts'
import type { Protocol } from '../../../../../src/main/library/team/requests.ts'
import { untilKnown } from '../../../../../src/main/library/team/requests.ts'
import type { WaitingMark } from '../../../../../src/main/library/team/waiting-marks.ts'
import { marked } from '../../../../../src/main/library/team/waiting-marks.ts'
import { writeEntry } from '../../../../../src/main/library/team/write-entry.ts'
import type { Rows, Wish } from './rows.ts'
import {
  apply,
  copyOf,
  decide,
  emptyRows,
  isNamed,
  isRetired,
  isUnneeded,
  keyOfFile,
  markOf,
  shaOf,
  take,
} from './rows.ts'

/** Rules of the protocol that a replica breaks on purpose. */
export interface ReplicaTwins {
  readonly acknowledgesBeforeCreating?: boolean
  /** After losing a position it sends the same decision to the next. */
  readonly decidesOnce?: boolean
  /** It does not know its own entry again, so that 412 means lost to it. */
  readonly trusts412?: boolean
  /** It refuses by what it knows. */
  readonly refusesUnseen?: boolean
  /** A file that comes back gets the key that it had. */
  readonly reusesKeys?: boolean
  /** Objects are removed before the log says so. */
  readonly removesFirst?: boolean
  /** An erase folds the log before its checkpoint is in the bucket. */
  readonly foldsFirst?: boolean
  /** An erase leaves the checkpoints from before it. */
  readonly leavesCheckpoints?: boolean
  /** It leaves a checkpoint that arrives when the log is folded beyond it. */
  readonly leavesLateCheckpoints?: boolean
  /** It drops what nothing named when it listed the bucket, whatever has been named since. */
  readonly dropsUnseen?: boolean
  /** It sends a file once, whatever key the file has by the time that its entry is created. */
  readonly ignoresDrops?: boolean
  /** A mark that waited overwrites what somebody else has changed meanwhile. */
  readonly overwritesOthers?: boolean
  /** A mark waits no more once it was sent, whatever became of it. */
  readonly forgetsSentMarks?: boolean
  /** A mark that takes the place of another one forgets that this one may have arrived. */
  readonly forgetsEarlierMarks?: boolean
}

export type MarkWish = Extract<Wish, { kind: 'mark' }>

/** How a wish ended. A wish that nobody heard of again may be in the log or not. */
export type End =
  | { readonly kind: 'stored' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' }
  /** A mark that is kept on its machine until the bucket is back. */
  | { readonly kind: 'waits' }

export interface Attempt {
  readonly wish: Wish
  /** Entries in the log when it began and when it ended. */
  readonly from: number
  to: number
  end: End | null
}

/** One machine of the team: its rows outlive it, what it is doing does not. */
export function createMachine(twins: ReplicaTwins, random: () => number, onRows: (rows: Rows) => void) {
  let rows = emptyRows()
  let writers = 0
  let waiting = new Map<string, WaitingMark>()
  /** Marks of this machine that its person was told of, and that no other one of the same field has replaced. */
  let promised = new Map<string, string>()
  let decided: {
    readonly batch: readonly Attempt[]
    readonly changes: readonly Wish[]
    readonly sent: Set<string>
  } | null = null
  let name = random().toString(36)

  /** A twin writes what was wished, without a look at the rows. */
  const unseen = (wish: Wish) =>
    wish.kind === 'drop'
      ? { kind: 'write' as const, change: { ...wish, files: wish.objects.map(({ file }) => file) } }
      : { kind: 'write' as const, change: wish }

  function draft(batch: readonly Attempt[], hasLooked: boolean): Drafted {
    const scratch = copyOf(rows)
    const changes: Wish[] = []
    const sent = decided?.batch === batch ? decided.sent : new Set<string>()
    if (twins.decidesOnce && decided?.batch === batch) changes.push(...decided.changes)
    else {
      for (const attempt of batch) {
        const isBold = attempt.wish.kind === 'mark' && twins.overwritesOthers
        const { wish } = attempt
        const verdict = isBold || (twins.dropsUnseen && wish.kind === 'drop') ? unseen(wish) : decide(scratch, wish)
        attempt.end = verdict.kind === 'refused' ? { kind: 'refused', reason: verdict.reason } : null
        if (verdict.kind === 'refused' && !hasLooked && !twins.refusesUnseen) return { kind: 'look' }
        if (verdict.kind !== 'write') continue
        changes.push(verdict.change)
        apply(scratch, verdict.change, rows.position + 1)
      }
    }
    decided = { batch, changes, sent }
    if (changes.length === 0) return { kind: 'nothing' }
    if (twins.acknowledgesBeforeCreating) for (const attempt of batch) attempt.end ??= { kind: 'stored' }
    const writer = `${name}-${(writers += 1)}`
    const { bytes } = writeLine(rows.position + 1, rows.hash, changes as unknown as readonly Change[], writer)
    const files = new Set(changes.flatMap((change) => (change.kind === 'save' ? change.files : [])))
    // On the rows as the entry leaves them: a drop and a save of the same file may share it.
    const uploads = [...files]
      .filter((file) => isNamed(scratch, shaOf(file)))
      .filter((file) => !isNamed(rows, shaOf(file)) || keyOfFile(rows, file) !== keyOfFile(scratch, file))
      .filter((file) => !twins.ignoresDrops || !sent.has(file))
      .map((file) => ({
        file: shaOf(file),
        key: twins.reusesKeys ? fileKey(shaOf(file), 0) : keyOfFile(scratch, file),
      }))
    for (const file of files) sent.add(file)
    const known = twins.trusts412 ? `${writer}?` : writer
    return { kind: 'draft', position: rows.position + 1, bytes, writer: known, uploads } satisfies Draft
  }

  const replica: Replica<readonly Attempt[]> = {
    end: () => ({ position: rows.position, hash: rows.hash }),
    draft,
    take(entry) {
      if (entry.position <= rows.position) return
      take(rows, entry)
      onRows(rows)
    },
  }

  /** Drops what nothing names, and removes what the log has dropped, page by page. */
  function* collect(attemptOf: (objects: readonly FileObject[]) => Attempt): Protocol<void> {
    for (let after: string | null = ''; after !== null;) {
      const page: FilePage = yield* listFiles(after)
      after = page.next
      const unneeded = page.objects.filter((object) => isUnneeded(rows, object))
      if (twins.removesFirst) yield* removeRetired(unneeded)
      if (unneeded.length > 0) yield* writeEntry(replica, [attemptOf(unneeded)])
      yield* removeRetired(page.objects.filter((object) => isRetired(rows, object)))
    }
  }

  function* fold(onlyFrom?: number): Protocol<void> {
    const { from, upTo } = yield* planFold(onlyFrom)
    for (let at = from; at <= upTo;) at = yield* foldSome(at, upTo)
    const isErase = onlyFrom !== undefined
    if (!(isErase && twins.leavesCheckpoints)) yield* removeSuperseded()
  }

  /** Sends a checkpoint. Folding is another task: it would remove one that came late. */
  function* send(): Protocol<void> {
    const { position } = rows
    if (twins.leavesLateCheckpoints) yield* untilKnown({ kind: 'send_checkpoint', key: checkpointKey(position) })
    else yield* sendCheckpoint(position)
  }

  function* erase(batch: readonly Attempt[]): Protocol<void> {
    yield* follow(replica)
    yield* writeEntry(replica, batch)
    const { position } = rows
    if (twins.foldsFirst) yield* fold(position)
    yield* send()
    yield* fold(position)
  }

  return {
    rows: (): Rows => rows,
    load(bytes: Uint8Array): void {
      rows = JSON.parse(Buffer.from(bytes).toString()) as Rows
      onRows(rows)
    },
    checkpoint: (): Uint8Array => Buffer.from(JSON.stringify(rows)),
    /** Loses its disk. What it had sent may still arrive, as if another machine had sent it. */
    forget(): void {
      name = random().toString(36)
      rows = emptyRows()
      waiting = new Map()
      promised = new Map()
    },
    name: (): string => name,
    promised: () => promised,
    conflicts: () => [...waiting].filter(([, { theirs }]) => theirs !== null),
    isWaiting: (): boolean => [...waiting.values()].some(({ theirs }) => theirs === null),
    /** The first mark that waits, as it is to be written. */
    waitingWish(attempt: number): Wish | null {
      const found = [...waiting].find(([, { theirs }]) => theirs === null)
      if (found === undefined) return null
      const [field, { seen, wanted }] = found
      return { kind: 'mark', field, value: wanted, seen, attempt }
    },
    /** A mark of a person found no bucket. */
    hold({ field, value }: MarkWish): void {
      const before = twins.forgetsEarlierMarks ? null : (waiting.get(field) ?? null)
      const mark = marked(before, markOf(rows, field), value)
      if (mark !== null) waiting.set(field, mark)
      promised.set(field, value)
    },
    /** A mark of a person is in the log. */
    settle({ field, value }: MarkWish): void {
      waiting.delete(field)
      promised.set(field, value)
    },
    /** What became of a mark that had waited. */
    sent({ field, value }: MarkWish, end: 'stored' | 'refused' | 'unknown'): void {
      const mark = waiting.get(field)
      if (mark?.wanted !== value) return
      if (end === 'refused') waiting.set(field, { ...mark, theirs: markOf(rows, field) })
      else if (end === 'stored' || twins.forgetsSentMarks) waiting.delete(field)
    },
    write: (batch: readonly Attempt[]): Protocol<void> => writeEntry(replica, batch),
    collect,
    follow: (): Protocol<number> => follow(replica),
    join: (): Protocol<void> => join(replica),
    send,
    fold,
    erase,
  }
}

export type Machine = ReturnType<typeof createMachine>
