import type { LogObject } from './entry-object.ts'
import { isUnreadable, readLogObject } from './entry-object.ts'
import { entryKey, positionIn } from './keys.ts'
import type { ListedObject, Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

/** Entries that the bucket has lost. This machine has applied the first of them at least. */
export interface LogGap {
  readonly from: number
  readonly upTo: number
}

/** The entries of the log, according to the list of a bucket. */
export interface LogList {
  readonly gaps: readonly LogGap[]
  /** The objects of entries by position; null where the storage does not describe them. */
  readonly objects: ReadonlyMap<number, ListedObject | null>
}

/** Lists the log up to a position: its entries, and the gaps that begin there. */
export function* listLog(position: number): Protocol<LogList> {
  const gaps: LogGap[] = []
  const objects = new Map<number, ListedObject | null>()
  let next = 1
  for (let after = ''; next <= position;) {
    const answer = yield* untilKnown({ kind: 'list', under: 'log/', after })
    if (answer.kind !== 'listed') throw new TypeError(`A list was answered with ${answer.kind}`)
    for (const key of answer.keys) {
      const there = positionIn(key)
      if (there === null) continue
      if (there > next && next <= position) gaps.push({ from: next, upTo: there - 1 })
      next = Math.max(next, there + 1)
      if (there <= position) objects.set(there, answer.objects.get(key) ?? null)
    }
    const last = answer.keys.at(-1)
    if (last === undefined) break
    after = last
  }
  return { gaps: next <= position ? [...gaps, { from: next, upTo: position }] : gaps, objects }
}

/** What the bucket has at these positions, up to the first where it has nothing. */
export function* objectsAt(positions: readonly number[]): Protocol<readonly LogObject[]> {
  const found: LogObject[] = []
  while (found.length < positions.length) {
    const keys = positions.slice(found.length).map(entryKey)
    const answer = yield* untilKnown({ kind: 'get', keys })
    if (answer.kind !== 'found') throw new TypeError(`A get was answered with ${answer.kind}`)
    found.push(...answer.objects.map(readLogObject))
    if (answer.objects.length < keys.length && !answer.isCut) break
  }
  return found
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
export function* replaceDamaged(position: number, bytes: Uint8Array): Protocol<void> {
  const [found] = yield* objectsAt([position])
  if (found !== undefined && isUnreadable(found))
    yield* untilKnown({ kind: 'replace', keys: [entryKey(position)], bytes })
}
