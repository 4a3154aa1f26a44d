/** A torture tests one promise of `docs/reliability.md` on the built program for a number of rounds. */

import type { AtEnd } from '../../tests/support/galley-process.ts'
import type { Need } from '../runtime/debian.ts'

export interface Torture {
  readonly name: string
  /** The promise that it tests, by its number in `docs/reliability.md`. */
  readonly goal: string
  readonly title: string
  /** The unit of its size. */
  readonly unit: string
  /** `npm test` runs the short form. */
  readonly size: { readonly long: number; readonly short: number }
  /** Debian packages that it requires. */
  readonly needs?: readonly Need[]
  /** The twins that are broken on purpose, by name and description. The torture must fail on each of them. */
  readonly twins: Readonly<Record<string, string>>
  readonly run: (given: Given) => Promise<Verdict>
}

export interface Given {
  readonly size: number
  readonly seed: number
  /** The broken twin to detect, or null for the product itself. */
  readonly twin: string | null
  /** The factor of all time limits: 1, or more if the machine has other work. */
  readonly patience: number
  /** An empty folder on a real disk, deleted afterwards. */
  readonly folder: string
  /** Reports progress. */
  readonly say: (text: string) => void
  readonly atEnd: AtEnd
}

export interface Verdict {
  /** In the order of printing. */
  readonly figures: Readonly<Record<string, number | string>>
  /** The broken promises as sentences. Empty if all were kept. */
  readonly broken: readonly string[]
}

/** A requirement of the torture failed and ends it. The message is its only problem. */
export class NotHeld extends Error {}

/** The last line of every run: name, verdict, figures, seed. */
export function lineOf({ name }: Torture, { figures, broken }: Verdict, seed: number): string {
  const all = Object.entries({ ...figures, seed }).map(([figure, value]) => `${figure} ${shown(value)}`)
  return `${name}: ${broken.length === 0 ? 'held' : `BROKEN (${broken.length})`}: ${all.join(', ')}`
}

const shown = (value: number | string): string =>
  typeof value === 'string' || Number.isInteger(value) ? String(value) : value.toFixed(2)
