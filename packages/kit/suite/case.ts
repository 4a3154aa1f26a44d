import type { Bench } from '../drive/bench.ts'
import type { Verdict } from '../judge/verdict.ts'

/** Severity of a failed case; `unwise` does not change the exit code by default. */
export type Severity = 'breaks the contract' | 'unsafe' | 'unwise'

/** One test of a site backend. */
export interface Case {
  /** Kebab-case and stable: scripts and `--only` use it. */
  readonly id: string
  /** The rule, as a sentence about a conforming backend. */
  readonly name: string
  /** The source of the rule: section and words of the contract, or whose advice it is. */
  readonly rule: string
  readonly severity: Severity
  /**
   * Requirements. `auth`: credentials; `slow`: waits for a backend timeout; `open`: an opened session; `page`: the URL
   * of its pages.
   */
  readonly needs?: 'auth' | 'slow' | 'open' | 'page'
  /** Cases that must pass for this one to be meaningful; defaults to the theme's. */
  readonly dependsOn?: string | readonly string[]
  /** Runs early, since its failure may explain many others. */
  readonly runsFirst?: true
  readonly run: (bench: Bench) => Promise<Verdict> | Verdict
}

/** What a report says of a case. */
export type CaseFacts = Omit<Case, 'run'>

/** The cases of one subject. */
export interface Theme {
  readonly title: string
  /** `fonts`: never in parallel, because a site has one font set. `end`: checks the whole run. */
  readonly runs?: 'fonts' | 'end'
  /** The prerequisites of its cases. */
  readonly dependsOn?: string | readonly string[]
  readonly cases: readonly Case[]
}

/** A reference into the contract. */
export const contract = (section: string, words: string): string => `contract, ${section}: ${words}`

/** A reference to Galley's own listener, whose behaviour is a recommendation. */
export const listener = (words: string): string => `docs/api.md, Listener: ${words}`

/** A recommendation without another source. */
export const advice = (words: string): string => `advice: ${words}`
