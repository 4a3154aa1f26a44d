import { Change, diff } from '@codemirror/merge'

/** fromA, toA, fromB, toB: a change as it crosses to another thread. */
export type RawChange = readonly [fromA: number, toA: number, fromB: number, toB: number]

/** Two texts and what differs in them, in places of these texts. */
export interface Difference {
  readonly before: string
  readonly after: string
  readonly changes: readonly Change[]
}

/**
 * What differs, with an end to both last lines: a line that is added below an equal one is then a line of its own, and
 * not a change of the one above. After `timeoutMs` the rest is compared roughly.
 */
export const changesOf = (before: string, after: string, timeoutMs: number): readonly RawChange[] =>
  diff(`${before}\n`, `${after}\n`, { scanLimit: 5000, timeout: timeoutMs }).map(({ fromA, toA, fromB, toB }) => [
    fromA,
    toA,
    fromB,
    toB,
  ])

/** The texts that these changes are of: with the end of their last lines only where that is part of a change. */
export function differenceOf(before: string, after: string, raw: readonly RawChange[]): Difference {
  const [, toA = 0, , toB = 0] = raw.at(-1) ?? []
  const end = toA > before.length || toB > after.length ? '\n' : ''
  return { before: before + end, after: after + end, changes: raw.map((change) => new Change(...change)) }
}
