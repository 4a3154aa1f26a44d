import type { Bench } from './drive/bench.ts'

/** How much a failed case weighs: only `unwise` leaves the exit code alone. */
export type Severity = 'breaks the contract' | 'unsafe' | 'unwise'

/** `unchecked`: the kit could not judge, or was not asked to; `skipped`: another case failed for the same reason. */
export type Result = 'passed' | 'failed' | 'unchecked' | 'skipped'

/** What a case found, in words for whoever integrates the backend. */
export interface Verdict {
  readonly result: Result
  readonly expected: string
  readonly got: string
  /** Why it is `unchecked` or `skipped`; null for the others. */
  readonly reason: string | null
  /** Of an `unchecked` one: the contract may well want nothing of this backend here. */
  readonly isMoot?: boolean
  /** Of a `skipped` one: the failed case that accounts for it. */
  readonly cause?: string
  /** What was sent and answered, line by line, where that says more than the words. */
  readonly evidence?: readonly string[]
}

/** A problem in words, none, one that a failed case accounts for, or the reason why nobody can tell. */
export type Finding = string | null | { readonly cause: string } | Unknown

export interface Unknown {
  readonly unchecked: string
  /** Nothing to check here is no lack of the backend: what it leaves out is optional. */
  readonly isMoot?: boolean
}

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

/** The verdict on what was found; `otherwise` is what came where nothing is wrong. */
export function verdict(expected: string, found: Finding, otherwise = expected): Verdict {
  if (found === null) return { result: 'passed', expected, got: otherwise, reason: null }
  if (typeof found === 'string') return { result: 'failed', expected, got: found, reason: null }
  if ('cause' in found) return skipped(found.cause, expected)
  const { unchecked: reason, isMoot = false } = found
  return { result: 'unchecked', expected, got: 'not checked', reason, isMoot }
}

export const skipped = (cause: string, expected: string): Verdict => ({
  result: 'skipped',
  expected,
  got: 'not judged',
  reason: `${cause} failed`,
  cause,
})
