import { entryKey, positionIn } from './keys.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

/** Entries that the bucket has lost. This machine has applied the first of them at least. */
export interface LogGap {
  readonly from: number
  readonly upTo: number
}

/** The gaps of the log that begin up to a position. */
export function* gapsUpTo(position: number): Protocol<readonly LogGap[]> {
  const gaps: LogGap[] = []
  let next = 1
  for (let after = ''; next <= position;) {
    const answer = yield* untilKnown({ kind: 'list', under: 'log/', after })
    const keys = answer.kind === 'listed' ? answer.keys : []
    for (const there of keys.flatMap((key) => positionIn(key) ?? [])) {
      if (there > next && next <= position) gaps.push({ from: next, upTo: there - 1 })
      next = Math.max(next, there + 1)
    }
    const last = keys.at(-1)
    if (last === undefined) break
    after = last
  }
  return next <= position ? [...gaps, { from: next, upTo: position }] : gaps
}

/** True if the bucket has this entry unchanged, or with null, if it has none. Position 0 is before the first entry. */
export function* hasEntry(position: number, bytes: Uint8Array | null): Protocol<boolean> {
  if (position === 0) return true
  const answer = yield* untilKnown({ kind: 'get', keys: [entryKey(position)] })
  const [found] = answer.kind === 'found' ? answer.objects : []
  if (found === undefined) return bytes === null
  return bytes !== null && Buffer.compare(found, bytes) === 0
}

/** Creates an entry again, unchanged. If its position has another entry, that one stays. */
export function* putBack(position: number, bytes: Uint8Array): Protocol<void> {
  yield* untilKnown({ kind: 'create', key: entryKey(position), bytes })
}
