import { CausedError, cause } from '@galley/wire'

import { foldedMarker, readLogObject } from './entry-object.ts'
import { follow } from './follow.ts'
import type { CheckpointKey } from './keys.ts'
import { checkpointKey, entryKey, positionIn } from './keys.ts'
import type { Replica } from './replica.ts'
import { LogFoldedError, TeamLogError } from './replica.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

/** Two checkpoints are kept: if one is damaged, the other one and the log after it can still be used. */
const kept = 2

/** How many entries are folded in parallel. */
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
 * The same up to the end of the log. An object ahead of it was not written by a member, or contains entries that the log
 * has lost: then nothing may rely on it. `end`: the last entry that this machine has applied.
 */
function* checkpointsUpTo(end: number): ReturnType<typeof checkpointsThere> {
  const found = yield* checkpointsThere()
  const within = found.filter(({ position }) => position <= end)
  if (within.length === found.length) return found
  const next = yield* untilKnown({ kind: 'get', keys: [entryKey(end + 1)] })
  // Other members have written since.
  return next.kind === 'found' && next.objects.length > 0 ? found : within
}

/**
 * Starts a replica from the newest usable checkpoint ahead of it, or from the first entry if there is none, and applies the
 * log after it. Throws what `follow` throws, and says if only a newer Galley or a larger disk can take a checkpoint.
 */
export function* join<Write>(replica: Replica<Write>): Protocol<void> {
  const newer: number[] = []
  let hasRoom = true
  for (const { key, position } of yield* checkpointsThere()) {
    if (position <= replica.end().position) break
    const answer = yield* untilKnown({ kind: 'load_checkpoint', key })
    if (answer.kind === 'done') break
    if (answer.kind === 'newer') newer.push(position)
    if (answer.kind === 'no_room') hasRoom = false
  }
  try {
    yield* follow(replica)
  } catch (error) {
    if (!(error instanceof LogFoldedError)) throw error
    const [position] = newer
    if (position !== undefined) throw new TeamLogError('log_newer', position, checkpointKey(position))
    throw hasRoom ? error : new CausedError(cause('no_room'))
  }
}

/** True if the entry after a position is folded, so the log cannot be followed from there. */
function* isBehindFold(position: number): Protocol<boolean> {
  const answer = yield* untilKnown({ kind: 'get', keys: [entryKey(position + 1)] })
  const [bytes] = answer.kind === 'found' ? answer.objects : []
  return bytes !== undefined && readLogObject(bytes).kind === 'folded'
}

/** True if the bucket has a checkpoint that is ahead of a position. */
export function* hasCheckpointAfter(position: number): Protocol<boolean> {
  const [newest] = yield* checkpointsThere()
  return newest !== undefined && newest.position > position
}

/**
 * True if the log is folded and its checkpoint was deleted from the bucket. Then no computer can join, and members that were
 * offline cannot continue.
 */
export function* lacksCheckpoint(end: number): Protocol<boolean> {
  const [newest] = yield* checkpointsUpTo(end)
  return yield* isBehindFold(newest?.position ?? 0)
}

/** True if the newest checkpoint cannot be used. It is read completely, because only its content shows that. */
export function* isNewestDamaged(end: number): Protocol<boolean> {
  const [newest] = yield* checkpointsUpTo(end)
  if (newest === undefined) return false
  return (yield* untilKnown({ kind: 'check_checkpoint', key: newest.key })).kind === 'absent'
}

/**
 * Sends this machine's checkpoint at a position, and removes it again if the log was folded past it in the meantime: an
 * erase may have removed a person from the log whom this checkpoint still names.
 */
export function* sendCheckpoint(position: number): Protocol<void> {
  yield* untilKnown({ kind: 'send_checkpoint', key: checkpointKey(position) })
  if (yield* isBehindFold(position)) yield* untilKnown({ kind: 'remove', keys: [checkpointKey(position)] })
}

/** What can be folded now. `upTo` is 0 if nothing can be. */
export interface FoldPlan {
  /** Where to start folding, and the last entry to fold. */
  readonly from: number
  readonly upTo: number
  /** How many of these entries are known not to be folded yet. */
  readonly entries: number
  /** How many checkpoints become obsolete. */
  readonly checkpoints: number
}

/**
 * Plans to keep two checkpoints and to fold the entries that both of them contain. With `onlyFrom`: to keep the
 * checkpoints from that position on, and to fold all entries up to it. Nothing after `end` is folded, the last entry that
 * this machine has applied.
 */
export function* planFold(end: number, onlyFrom?: number): Protocol<FoldPlan> {
  const all = (yield* checkpointsThere()).filter(({ position }) => position <= end)
  const usable: number[] = []
  for (const { position } of all) if (!(yield* isBehindFold(position))) usable.push(position)
  const upTo = onlyFrom ?? usable[kept - 1] ?? 0
  const checkpoints = all.length - usable.filter((position) => position >= upTo).length
  const first = upTo === 0 ? 1 : yield* firstUnfolded(upTo)
  return { from: Math.max(1, first - foldedAtOnce), upTo, entries: upTo - first + 1, checkpoints }
}

/** Folds some entries of a plan and returns where to continue. */
export function* foldSome(from: number, upTo: number): Protocol<number> {
  const count = Math.min(foldedAtOnce, upTo - from + 1)
  const keys = Array.from({ length: count }, (_, at) => entryKey(from + at))
  yield* untilKnown({ kind: 'replace', keys, bytes: foldedMarker(upTo) })
  return from + count
}

/**
 * Removes checkpoints whose following entries are folded, and returns how many. The list is read after the fold: a
 * checkpoint that is sent later is checked by its sender.
 */
export function* removeSuperseded(): Protocol<number> {
  const keys: CheckpointKey[] = []
  for (const { key, position } of yield* checkpointsThere()) if (yield* isBehindFold(position)) keys.push(key)
  if (keys.length > 0) yield* untilKnown({ kind: 'remove', keys })
  return keys.length
}

/**
 * The first entry that is not folded, or the one after `upTo`. Entries are folded in order but in parallel batches, so
 * a machine that died may have left up to one batch unfolded before this one.
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
