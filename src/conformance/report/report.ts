import type { Case, Severity } from '../suite/case.ts'
import type { Verdict } from '../judge/verdict.ts'
import type { StoredNote } from '../drive/transcript.ts'

/** One case and how it ended. */
export interface Outcome extends Verdict {
  readonly theme: string
  readonly case: Case
  /** 0 for a case that was not run. */
  readonly ms: number
}

/** What a run found. */
export interface Report {
  readonly kind: 'report'
  /** Every case of the run, in the order of the themes, also those that were not run. */
  readonly outcomes: readonly Outcome[]
  readonly stored: readonly StoredNote[]
  /** Why the run ended before its last case; null when it did not. */
  readonly cutShort: string | null
}

/** What makes a run fail. */
export interface Policy {
  /** The least severity of a failed case that does. */
  readonly failOn: Severity
  /** Whether a rule of the contract that could not be checked is no reason. */
  readonly allowUnchecked: boolean
}

/** From the gravest on. */
export const severities = ['breaks the contract', 'unsafe', 'unwise'] as const satisfies readonly Severity[]

/** Whether this case makes the run fail: exit code and JUnit both ask here, so that they agree. */
export function isGrave({ result, case: { severity }, isMoot }: Outcome, { failOn, allowUnchecked }: Policy): boolean {
  if (result === 'failed') return severities.indexOf(severity) <= severities.indexOf(failOn)
  return result === 'unchecked' && !isMoot && !allowUnchecked && severity === 'breaks the contract'
}

export const isGood = (report: Report, policy: Policy): boolean =>
  report.cutShort === null && !report.outcomes.some((each) => isGrave(each, policy))

export const withResult = ({ outcomes }: Pick<Report, 'outcomes'>, result: Verdict['result']): readonly Outcome[] =>
  outcomes.filter((each) => each.result === result)
