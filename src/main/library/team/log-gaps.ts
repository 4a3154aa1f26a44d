import type { LogObject } from './entry-object.ts'
import { isUnreadable, readLogObject } from './entry-object.ts'
import { entryKey, positionIn } from './keys.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

/** Entries that the bucket has lost. This machine has applied the first of them at least. */
export interface LogGap {
  readonly from: number
  readonly upTo: number
}

/** The entries of the log, according to the list of a bucket. */
export interface LogList {
  readonly gaps: readonly LogGap[]
  /** The sizes of entries in bytes, by position, as far as the storage reports them. */
  readonly sizes: ReadonlyMap<number, number>
}

/** Lists the log up to a position: its entries, and the gaps that begin there. */
export function* listLog(position: number): Protocol<LogList> {
  const gaps: LogGap[] = []
  const sizes = new Map<number, number>()
  let next = 1
  for (let after = ''; next <= position;) {
    const answer = yield* untilKnown({ kind: 'list', under: 'log/', after })
    if (answer.kind !== 'listed') throw new TypeError(`A list was answered with ${answer.kind}`)
    for (const key of answer.keys) {
      const there = positionIn(key)
      if (there === null) continue
      if (there > next && next <= position) gaps.push({ from: next, upTo: there - 1 })
      next = Math.max(next, there + 1)
      const object = answer.objects.get(key)
      if (object && there <= position) sizes.set(there, object.sizeBytes)
    }
    const last = answer.keys.at(-1)
    if (last === undefined) break
    after = last
  }
  return { gaps: next <= position ? [...gaps, { from: next, upTo: position }] : gaps, sizes }
}

/** What the bucket has at a position; null if it has nothing. */
export function* objectAt(position: number): Protocol<LogObject | null> {
  const answer = yield* untilKnown({ kind: 'get', keys: [entryKey(position)] })
  const [found] = answer.kind === 'found' ? answer.objects : []
  return found === undefined ? null : readLogObject(found)
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

/** Replaces a damaged entry with its line. If another object is there by now, that object stays. */
export function* mend(position: number, bytes: Uint8Array): Protocol<void> {
  const found = yield* objectAt(position)
  if (found !== null && isUnreadable(found)) yield* untilKnown({ kind: 'replace', keys: [entryKey(position)], bytes })
}
