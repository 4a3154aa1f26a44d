/** What a torture is: one promise of `docs/reliability.md`, tried on the built program for a given number of rounds. */
import type { Need } from '../runtime/debian.ts'
import type { AtEnd } from '../../tests/support/galley-process.ts'

export interface Torture {
  readonly name: string
  /** The promise that it tries, as `docs/reliability.md` numbers them. */
  readonly goal: string
  readonly title: string
  /** What its size counts. */
  readonly unit: string
  /** `short` is what `npm test` runs. */
  readonly size: { readonly long: number; readonly short: number }
  /** Debian packages it cannot do without. */
  readonly needs?: readonly Need[]
  /** What can be broken on purpose, by name and in words: the torture has to fail on each. */
  readonly twins: Readonly<Record<string, string>>
  readonly run: (given: Given) => Promise<Verdict>
}

export interface Given {
  readonly size: number
  readonly seed: number
  /** The broken twin that is to be noticed, or null for the product as it is. */
  readonly twin: string | null
  /** What every limit in milliseconds is multiplied with: 1, or more where other work shares the machine. */
  readonly patience: number
  /** Empty, on a real disk, and gone afterwards. */
  readonly folder: string
  /** Reports progress. */
  readonly say: (text: string) => void
  readonly atEnd: AtEnd
}

export interface Verdict {
  /** In the order in which they are printed. */
  readonly figures: Readonly<Record<string, number | string>>
  /** What did not hold, in words; empty when everything did. */
  readonly broken: readonly string[]
}

/** Something that a torture needs failed, so it ends here; the message is its one problem. */
export class NotHeld extends Error {}

/** One line, the last of every run: name, verdict, figures, seed. */
export function lineOf({ name }: Torture, { figures, broken }: Verdict, seed: number): string {
  const all = Object.entries({ ...figures, seed }).map(([figure, value]) => `${figure} ${shown(value)}`)
  return `${name}: ${broken.length === 0 ? 'held' : `BROKEN (${broken.length})`}: ${all.join(', ')}`
}

const shown = (value: number | string): string =>
  typeof value === 'string' || Number.isInteger(value) ? String(value) : value.toFixed(2)
