import { writeLine } from '../../../../packages/library/log/line.ts'
import type { Change } from '../../../../packages/library/records/changes.ts'
import {
  foldSome,
  join,
  planFold,
  removeSuperseded,
  sendCheckpoint,
} from '../../../../packages/library/team/checkpoints.ts'
import type { FilePage } from '../../../../packages/library/team/drop-files.ts'
import { listFiles, removeRetired } from '../../../../packages/library/team/drop-files.ts'
import { follow } from '../../../../packages/library/team/follow.ts'
import type { FileObject } from '../../../../packages/library/team/keys.ts'
import { checkpointKey, fileKey } from '../../../../packages/library/team/keys.ts'
import type { Drafted, EntryDraft, Replica } from '../../../../packages/library/team/replica.ts'
import type { Protocol } from '../../../../packages/library/team/requests.ts'
import { untilKnown } from '../../../../packages/library/team/requests.ts'
import type { WaitingMark } from '../../../../packages/library/team/waiting-marks.ts'
import { marked } from '../../../../packages/library/team/waiting-marks.ts'
import { writeEntry } from '../../../../packages/library/team/write-entry.ts'
import type { Rows, Write } from './rows.ts'
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
  /** After losing a position, sends the same decision to the next one. */
  readonly decidesOnce?: boolean
  /** Does not recognize its own entry, so 412 always means that it lost. */
  readonly trusts412?: boolean
  /** Refuses without reading the log to its end. */
  readonly refusesUnseen?: boolean
  /** Gives a file that is stored again its previous key. */
  readonly reusesKeys?: boolean
  /** Removes objects before the log retires them. */
  readonly removesFirst?: boolean
  /** Folds the log for an erase before the new checkpoint is in the bucket. */
  readonly foldsFirst?: boolean
  /** Leaves the checkpoints from before an erase. */
  readonly leavesCheckpoints?: boolean
  /** Leaves a checkpoint that arrives after the log was folded past it. */
  readonly leavesLateCheckpoints?: boolean
  /** Drops files that were unused when the bucket was listed, even if they are used by now. */
  readonly dropsUnseen?: boolean
  /** Sends a file once, even if its key changes before the entry is created. */
  readonly ignoresDrops?: boolean
  /** Overwrites another member's change with a mark that waited. */
  readonly overwritesOthers?: boolean
  /** Stops waiting after a mark was sent, whatever the result. */
  readonly forgetsSentMarks?: boolean
  /** Forgets that a mark which another one replaced may have arrived. */
  readonly forgetsEarlierMarks?: boolean
}

export type MarkWrite = Extract<Write, { kind: 'mark' }>

/** How a write ended. One without an answer may or may not be in the log. */
export type End =
  | { readonly kind: 'stored' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' }
  /** The machine keeps the mark until the bucket can be reached. */
  | { readonly kind: 'waits' }

export interface Attempt {
  readonly write: Write
  /** The number of entries in the log when it began and when it ended. */
  readonly from: number
  to: number
  end: End | null
}

/** A machine of the team: its rows survive a crash, its current task does not. */
export function createMachine(twins: ReplicaTwins, random: () => number, onRows: (rows: Rows) => void) {
  let rows = emptyRows()
  let writers = 0
  let waiting = new Map<string, WaitingMark>()
  /** Marks that were reported to the person and not replaced by another one of the same field. */
  let promised = new Map<string, string>()
  let decided: {
    readonly batch: readonly Attempt[]
    readonly changes: readonly Write[]
    readonly sent: Set<string>
  } | null = null
  let name = random().toString(36)
  /** Values of this machine about which its person was asked. */
  const askedAgainst: string[] = []

  /** Writes without checking the rows, as a broken replica does. */
  const unseen = (write: Write) =>
    write.kind === 'drop'
      ? { kind: 'write' as const, change: { ...write, files: write.objects.map(({ file }) => file) } }
      : { kind: 'write' as const, change: write }

  function draft(batch: readonly Attempt[], isUpToDate: boolean): Drafted {
    const scratch = copyOf(rows)
    const changes: Write[] = []
    const sent = decided?.batch === batch ? decided.sent : new Set<string>()
    if (twins.decidesOnce && decided?.batch === batch) changes.push(...decided.changes)
    else {
      for (const attempt of batch) {
        const isBold = attempt.write.kind === 'mark' && twins.overwritesOthers
        const { write } = attempt
        const verdict = isBold || (twins.dropsUnseen && write.kind === 'drop') ? unseen(write) : decide(scratch, write)
        attempt.end = verdict.kind === 'refused' ? { kind: 'refused', reason: verdict.reason } : null
        if (verdict.kind === 'refused' && !isUpToDate && !twins.refusesUnseen) return { kind: 'read_log' }
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
    // On the rows as the entry leaves them, because a drop and a save of the same file may share it.
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
    return { kind: 'draft', position: rows.position + 1, bytes, writer: known, uploads } satisfies EntryDraft
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

  /** Drops unused files, and removes dropped objects, page by page. */
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
    const { from, upTo } = yield* planFold(rows.position, onlyFrom)
    for (let at = from; at <= upTo;) at = yield* foldSome(at, upTo)
    const isErase = onlyFrom !== undefined
    if (!(isErase && twins.leavesCheckpoints)) yield* removeSuperseded()
  }

  /** Sends a checkpoint. Folding is another task, because it would remove a late one. */
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
    /** Loses its disk. Requests that it sent may still arrive, as if from another machine. */
    forget(): void {
      name = random().toString(36)
      rows = emptyRows()
      waiting = new Map()
      promised = new Map()
    },
    name: (): string => name,
    promised: () => promised,
    askedAgainst: (): readonly string[] => askedAgainst,
    conflicts: () => [...waiting].filter(([, { theirs }]) => theirs !== null),
    isWaiting: (): boolean => [...waiting.values()].some(({ theirs }) => theirs === null),
    /** The first waiting mark, as a write. */
    waitingWrite(attempt: number): Write | null {
      const found = [...waiting].find(([, { theirs }]) => theirs === null)
      if (found === undefined) return null
      const [field, { seen, wanted }] = found
      return { kind: 'mark', field, value: wanted, seen, attempt }
    },
    /** The bucket could not be reached for a person's mark. */
    hold({ field, value }: MarkWrite): void {
      const before = twins.forgetsEarlierMarks ? null : (waiting.get(field) ?? null)
      const mark = marked(before, markOf(rows, field), value)
      if (mark !== null) waiting.set(field, mark)
      promised.set(field, value)
    },
    /** A person's mark is in the log. */
    settle({ field, value }: MarkWrite): void {
      waiting.delete(field)
      promised.set(field, value)
    },
    /** Handles the result of a mark that had waited. */
    sent({ field, value }: MarkWrite, end: 'stored' | 'refused' | 'unknown'): void {
      const mark = waiting.get(field)
      if (mark?.wanted !== value) return
      if (end === 'refused') {
        const theirs = markOf(rows, field)
        if (theirs.startsWith(`${name} `)) askedAgainst.push(theirs)
        waiting.set(field, { ...mark, theirs })
      } else if (end === 'stored' || twins.forgetsSentMarks) waiting.delete(field)
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
