import type { Case, Verdict } from '../case.ts'
import type { StoredNote } from '../drive/transcript.ts'

/** One case and how it ended. */
export interface Outcome extends Verdict {
  readonly theme: string
  readonly case: Case
  readonly ms: number
}

/** A case that is not run. */
export interface LeftOut {
  readonly case: Case
  readonly theme: string
  readonly why: string
}

/** What a run found. */
export interface Report {
  readonly kind: 'report'
  /** In the order of the themes. */
  readonly outcomes: readonly Outcome[]
  readonly leftOut: readonly LeftOut[]
  readonly stored: readonly StoredNote[]
  /** Why the run ended before its last case; null when it did not. */
  readonly cutShort: string | null
}
