import { foldedMarker, readLogObject } from './entry-object.ts'
import { follow } from './follow.ts'
import type { CheckpointKey } from './keys.ts'
import { checkpointKey, entryKey, positionIn } from './keys.ts'
import type { Replica } from './replica.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

/** Two: a damaged one leaves the other, and the entries behind the older one stay. */
const kept = 2

/** Entries that are folded side by side. */
const foldedAtOnce = 64

/** The checkpoints of the team, newest first. */
function* checkpointsThere(): Protocol<readonly { readonly key: CheckpointKey; readonly position: number }[]> {
  const found: { readonly key: CheckpointKey; readonly position: number }[] = []
  for (let after = ''; ;) {
    const answer = yield* untilKnown({ kind: 'list', under: 'checkpoints/', after })
    if (answer.kind !== 'listed') throw new TypeError(`A list was answered with ${answer.kind}`)
    const last = answer.keys.at(-1)
    if (last === undefined) return found.toReversed()
    for (const key of answer.keys) {
      const position = positionIn(key)
      if (position !== null) found.push({ key: checkpointKey(position), position })
    }
    after = last
  }
}

/**
 * Has a replica begin with the newest checkpoint that fits, or with the first entry where there is none, and applies the
 * log behind it. Throws what `follow` throws.
 */
export function* join<Wish>(replica: Replica<Wish>): Protocol<void> {
  for (const { key } of yield* checkpointsThere()) {
    const answer = yield* untilKnown({ kind: 'load_checkpoint', key })
    if (answer.kind === 'done') break
  }
  yield* follow(replica)
}

/** Whether the entry after a position is folded, so the log cannot be followed from there. */
function* isBehindFold(position: number): Protocol<boolean> {
  const answer = yield* untilKnown({ kind: 'get', keys: [entryKey(position + 1)] })
  const [bytes] = answer.kind === 'found' ? answer.objects : []
  return bytes !== undefined && readLogObject(bytes).kind === 'folded'
}

/**
 * Sends the checkpoint that this machine has at a position, and takes it back where the log was folded beyond it meanwhile:
 * an erase may have removed a person from the log, whom this checkpoint still names.
 */
export function* sendCheckpoint(position: number): Protocol<void> {
  yield* untilKnown({ kind: 'send_checkpoint', key: checkpointKey(position) })
  if (yield* isBehindFold(position)) yield* untilKnown({ kind: 'remove', keys: [checkpointKey(position)] })
}

/** What may be folded now. `upTo` 0: nothing. */
export interface FoldPlan {
  /** The first entry that may not be folded yet, and the last one that is to be. */
  readonly from: number
  readonly upTo: number
  /** How many of them are known not to be folded. */
  readonly entries: number
  /** How many checkpoints are of no use then. */
  readonly checkpoints: number
}

/**
 * Plans to keep two checkpoints and to fold what is in both. With `onlyFrom`, to keep the one of that position and those
 * behind it, and to fold all before it.
 */
export function* planFold(onlyFrom?: number): Protocol<FoldPlan> {
  const all = yield* checkpointsThere()
  const usable: number[] = []
  for (const { position } of all) if (!(yield* isBehindFold(position))) usable.push(position)
  const upTo = onlyFrom ?? usable[kept - 1] ?? 0
  const checkpoints = all.length - usable.filter((position) => position >= upTo).length
  const first = upTo === 0 ? 1 : yield* firstUnfolded(upTo)
  return { from: Math.max(1, first - foldedAtOnce), upTo, entries: upTo - first + 1, checkpoints }
}

/** Folds some entries of a plan, and gives where to go on. */
export function* foldSome(from: number, upTo: number): Protocol<number> {
  const count = Math.min(foldedAtOnce, upTo - from + 1)
  const keys = Array.from({ length: count }, (_, at) => entryKey(from + at))
  yield* untilKnown({ kind: 'fold', keys, bytes: foldedMarker(upTo) })
  return from + count
}

/**
 * Removes the checkpoints behind which the log is folded, and gives how many. Listed after the fold: whoever sends one later
 * finds the fold.
 */
export function* removeSuperseded(): Protocol<number> {
  const keys: CheckpointKey[] = []
  for (const { key, position } of yield* checkpointsThere()) if (yield* isBehindFold(position)) keys.push(key)
  if (keys.length > 0) yield* untilKnown({ kind: 'remove', keys })
  return keys.length
}

/**
 * The first entry up to this one that is not folded, or the one behind it. Entries are folded from the first one on, some
 * side by side: of as many before it, a machine that died may have left some.
 */
function* firstUnfolded(upTo: number): Protocol<number> {
  let low = 1
  for (let high = upTo + 1; low < high;) {
    const middle = Math.floor((low + high) / 2)
    const answer = yield* untilKnown({ kind: 'get', keys: [entryKey(middle)] })
    const [bytes] = answer.kind === 'found' ? answer.objects : []
    if (bytes !== undefined && readLogObject(bytes).kind === 'folded') low = middle + 1
    else high = middle
  }
  return low
}
