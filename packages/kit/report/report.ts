import type { StoredNote } from '../drive/transcript.ts'
import type { Verdict } from '../judge/verdict.ts'
import type { CaseFacts, Severity } from '../suite/case.ts'

/** One case and its result. */
export interface Outcome extends Verdict {
  readonly theme: string
  readonly case: CaseFacts
  /** 0 for a case that was not run. */
  readonly ms: number
}

/** The results of a run. */
export interface Report {
  readonly kind: 'report'
  /** All cases of the run in theme order, including those that were not run. */
  readonly outcomes: readonly Outcome[]
  readonly stored: readonly StoredNote[]
  /** Why the run ended early; null when it was complete. */
  readonly cutShort: string | null
}

/** The conditions under which a run fails. */
export interface Policy {
  /** The lowest severity that fails the run. */
  readonly failOn: Severity
  /** Whether contract rules that could not be checked are tolerated. */
  readonly allowUnchecked: boolean
}

/** Most severe first. */
export const severities = ['breaks the contract', 'unsafe', 'unwise'] as const satisfies readonly Severity[]

/** Whether this case fails the run. Used by both the exit code and JUnit, so they always agree. */
export function failsRun(
  { result, case: { severity }, isOptional }: Outcome,
  { failOn, allowUnchecked }: Policy,
): boolean {
  if (result === 'failed') return severities.indexOf(severity) <= severities.indexOf(failOn)
  return result === 'unchecked' && !isOptional && !allowUnchecked && severity === 'breaks the contract'
}

export const isPassing = (report: Report, policy: Policy): boolean =>
  report.cutShort === null && !report.outcomes.some((each) => failsRun(each, policy))

export const withResult = ({ outcomes }: Pick<Report, 'outcomes'>, result: Verdict['result']): readonly Outcome[] =>
  outcomes.filter((each) => each.result === result)
