import type { Result } from '../judge/verdict.ts'
import type { Outcome, Report } from './report.ts'
import { withResult } from './report.ts'

/** The report for scripts. */
export function reportJson(report: Report) {
  const count = (result: Result): number => withResult(report, result).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    unchecked: count('unchecked'),
    skipped: count('skipped'),
    cases: report.outcomes.map(caseJson),
  }
}

const caseJson = ({ case: { id, name, severity }, result, expected, got, reason, cause, evidence }: Outcome) => ({
  id,
  name,
  severity,
  result,
  ok: result === 'passed',
  expected,
  got,
  ...(reason !== null && { reason }),
  ...(cause !== undefined && { cause }),
  ...(evidence && { evidence }),
})
