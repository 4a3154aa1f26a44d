import { foldedMarker, readLogObject } from './entry-object.ts'
import { follow } from './follow.ts'
import type { CheckpointKey } from './keys.ts'
import { checkpointKey, entryKey, positionIn } from './keys.ts'
import type { Replica } from './replica.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

/** Two: a damaged one leaves the other, and the entries behind the older one stay. */
const kept = 2

/** Entries that are folded side by side; those of a machine that dies meanwhile are folded by the next. */
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

/**
 * Sends a checkpoint of this replica, folds the entries up to the one before it, and removes older ones. A machine that
 * was away gets a marker where it looks for an entry, or wants to create one, and takes the checkpoint. Throws what the
 * bucket does.
 */
export function* writeCheckpoint<Wish>(replica: Replica<Wish>): Protocol<void> {
  yield* untilKnown({ kind: 'send_checkpoint', key: checkpointKey(replica.end().position) })
  const all = yield* checkpointsThere()
  const older = all[kept - 1]
  if (older === undefined) return
  for (let position = yield* firstUnfolded(older.position); position <= older.position; position += foldedAtOnce) {
    const count = Math.min(foldedAtOnce, older.position - position + 1)
    const keys = Array.from({ length: count }, (_, at) => entryKey(position + at))
    yield* untilKnown({ kind: 'fold', keys, bytes: foldedMarker(older.position) })
  }
  const old = all.slice(kept).map(({ key }) => key)
  if (old.length > 0) yield* untilKnown({ kind: 'remove', keys: old })
}

/** The first entry up to this one that is not folded, or the one behind it: entries are folded from the first one on. */
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
