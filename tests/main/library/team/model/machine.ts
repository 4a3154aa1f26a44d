import type { Change } from '../../../../../src/contract/domain/changes.ts'
import { writeLine } from '../../../../../src/main/library/log/line.ts'
import { join, writeCheckpoint } from '../../../../../src/main/library/team/checkpoints.ts'
import { dropFiles } from '../../../../../src/main/library/team/drop-files.ts'
import { follow } from '../../../../../src/main/library/team/follow.ts'
import type { FileKey } from '../../../../../src/main/library/team/keys.ts'
import { fileKey } from '../../../../../src/main/library/team/keys.ts'
import type { Draft, Drafted, Replica } from '../../../../../src/main/library/team/replica.ts'
import type { Protocol } from '../../../../../src/main/library/team/requests.ts'
import { writeEntry } from '../../../../../src/main/library/team/write-entry.ts'
import type { Rows, Wish } from './rows.ts'
import { apply, copyOf, decide, emptyRows, isNamed, keyOfFile, shaOf, take } from './rows.ts'

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
}

/** How a wish ended. A wish that nobody heard of again may be in the log or not. */
export type End =
  | { readonly kind: 'stored' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' }

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
  let decided: { readonly batch: readonly Attempt[]; readonly changes: readonly Wish[] } | null = null
  const name = random().toString(36)

  function draft(batch: readonly Attempt[], hasLooked: boolean): Drafted {
    const scratch = copyOf(rows)
    const changes: Wish[] = []
    if (twins.decidesOnce && decided?.batch === batch) changes.push(...decided.changes)
    else {
      for (const attempt of batch) {
        const verdict = decide(scratch, attempt.wish)
        attempt.end = verdict.kind === 'refused' ? { kind: 'refused', reason: verdict.reason } : null
        if (verdict.kind === 'refused' && !hasLooked && !twins.refusesUnseen) return { kind: 'look' }
        if (verdict.kind !== 'write') continue
        changes.push(verdict.change)
        apply(scratch, verdict.change, rows.position + 1)
      }
    }
    decided = { batch, changes }
    if (changes.length === 0) return { kind: 'nothing' }
    if (twins.acknowledgesBeforeCreating) for (const attempt of batch) attempt.end ??= { kind: 'stored' }
    const writer = `${name}-${(writers += 1)}`
    const { bytes } = writeLine(rows.position + 1, rows.hash, changes as unknown as readonly Change[], writer)
    const files = new Set(changes.flatMap((change) => (change.kind === 'save' ? change.files : [])))
    // On the rows as the entry leaves them: a drop and a save of the same file may share it.
    const uploads = [...files]
      .filter((file) => isNamed(scratch, file))
      .filter((file) => !isNamed(rows, file) || keyOfFile(rows, file) !== keyOfFile(scratch, file))
      .map((file) => ({
        file: shaOf(file),
        key: twins.reusesKeys ? fileKey(shaOf(file), 0) : keyOfFile(scratch, file),
      }))
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

  /** What no file has any more; a twin counts on a drop that is not written yet. */
  const removable = (): readonly FileKey[] =>
    Object.entries(rows.drops).flatMap(([file, positions]) =>
      [0, ...positions.slice(0, -1)].map((position) => fileKey(shaOf(file), position)),
    )

  function* removeFirst(batch: readonly Attempt[]): Protocol<void> {
    for (const { wish } of batch) {
      const verdict = decide(rows, wish)
      if (verdict.kind !== 'write' || verdict.change.kind !== 'prune') continue
      for (const file of verdict.change.drop ?? []) yield { kind: 'remove', key: keyOfFile(rows, file) }
    }
    yield* writeEntry(replica, batch)
  }

  return {
    rows: (): Rows => rows,
    load(bytes: Uint8Array): void {
      rows = JSON.parse(Buffer.from(bytes).toString()) as Rows
      onRows(rows)
    },
    checkpoint: (): Uint8Array => Buffer.from(JSON.stringify(rows)),
    /** Loses its disk. */
    forget(): void {
      rows = emptyRows()
    },
    write(batch: readonly Attempt[]): Protocol<void> {
      const drops = batch.some(({ wish }) => wish.kind === 'prune')
      if (drops && twins.removesFirst) return removeFirst(batch)
      return drops ? dropFiles(replica, batch, removable) : writeEntry(replica, batch)
    },
    follow: (): Protocol<number> => follow(replica),
    join: (): Protocol<void> => join(replica),
    writeCheckpoint: (): Protocol<void> => writeCheckpoint(replica),
  }
}

export type Machine = ReturnType<typeof createMachine>
