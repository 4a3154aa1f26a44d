import { Change, diff } from '@codemirror/merge'

/** A change as plain numbers, to post between threads. */
export type RawChange = readonly [fromA: number, toA: number, fromB: number, toB: number]

/** Two texts and the changes between them, as offsets into these texts. */
export interface Difference {
  readonly before: string
  readonly after: string
  readonly changes: readonly Change[]
}

/**
 * Compares two texts, each with a final newline, so that a line added at the end counts as a new line and not as a
 * change of the one above. After `timeoutMs` the rest is compared roughly.
 */
export const changesOf = (before: string, after: string, timeoutMs: number): readonly RawChange[] =>
  diff(`${before}\n`, `${after}\n`, { scanLimit: 5000, timeout: timeoutMs }).map(({ fromA, toA, fromB, toB }) => [
    fromA,
    toA,
    fromB,
    toB,
  ])

/** Restores the texts that the offsets refer to: with the final newline only if a change includes it. */
export function differenceOf(before: string, after: string, raw: readonly RawChange[]): Difference {
  const [, toA = 0, , toB = 0] = raw.at(-1) ?? []
  const end = toA > before.length || toB > after.length ? '\n' : ''
  return { before: before + end, after: after + end, changes: raw.map((change) => new Change(...change)) }
}
