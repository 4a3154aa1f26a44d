import type { Bench } from '../drive/bench.ts'
import type { Verdict } from '../judge/verdict.ts'

/** How much a failed case weighs: only `unwise` leaves the exit code alone. */
export type Severity = 'breaks the contract' | 'unsafe' | 'unwise'

/** One question to a site backend. */
export interface Case {
  /** Kebab-case, and stable: scripts and `--only` name it. */
  readonly id: string
  /** The rule as a sentence about a backend that keeps it. */
  readonly name: string
  /** Where to read on: section and words of the contract, or whose advice it is. */
  readonly rule: string
  readonly severity: Severity
  /**
   * `auth`: only with credentials; `slow`: waits for a deadline of the backend; `open`: only when it opened a session;
   * `page`: only with the address of its pages.
   */
  readonly needs?: 'auth' | 'slow' | 'open' | 'page'
  /** The cases without which this one says nothing; that of the theme when none is given. */
  readonly restsOn?: string | readonly string[]
  /** Runs before the others: its failure may be what is wrong with many of them. */
  readonly isBasis?: true
  readonly run: (bench: Bench) => Promise<Verdict> | Verdict
}

/** The cases of one subject. */
export interface Theme {
  readonly title: string
  /** `fonts`: one at a time in the whole run, since a site has one font set; `end`: looks back at all of it. */
  readonly runs?: 'fonts' | 'end'
  /** What its cases rest on. */
  readonly restsOn?: string
  readonly cases: readonly Case[]
}

/** A pointer into the contract. */
export const contract = (section: string, words: string): string => `contract, ${section}: ${words}`

/** A pointer to Galley's own listener, whose behaviour is advice to others. */
export const listener = (words: string): string => `docs/api.md, Listener: ${words}`

/** Advice that stands nowhere but here. */
export const advice = (words: string): string => `advice: ${words}`
