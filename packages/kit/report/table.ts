import type { Result } from '../judge/verdict.ts'
import type { Outcome, Report } from './report.ts'
import { severities, withResult } from './report.ts'

/** Replaces control and formatting characters, which could move the cursor or hide text. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '�')

export const marks: Readonly<Record<Result, string>> = { passed: '✓', failed: '✗', unchecked: '?', skipped: '-' }

function line({ case: { id, name, severity, rule }, result, expected, got, reason, evidence = [] }: Outcome) {
  const head = `  ${marks[result]} ${name}`
  if (result === 'passed') return [got === expected ? head : `${head}: ${got}`]
  if (result !== 'failed') return [head, `      ${result}  ${id}: ${reason ?? ''}`]
  return [
    head,
    `      ${severity}  ${id}`,
    `      expected  ${expected}`,
    `      got       ${got}`,
    `      see       ${rule}`,
    ...evidence.map((each) => `      ${each}`),
  ]
}

/** Counts failed cases by severity. */
function failures(failed: readonly Outcome[]): string {
  const counted = severities.flatMap((weight) => {
    const count = failed.filter(({ case: { severity } }) => severity === weight).length
    return count === 0 ? [] : [`${count} ${weight}`]
  })
  return counted.length === 0 ? '' : ` (${counted.join(', ')})`
}

/** The report for a terminal: themes with their cases, and details of every failure. */
export function reportText(report: Report): string {
  const { outcomes, cutShort } = report
  const titles = [...new Set(outcomes.map(({ theme }) => theme))]
  const body = titles.flatMap((title) => {
    const cases = outcomes.filter(({ theme }) => theme === title)
    const passed = cases.filter(({ result }) => result === 'passed').length
    return [`${title}  ${passed} of ${cases.length}`, ...cases.flatMap(line), '']
  })
  const [passed, failed, unchecked, skips] = (['passed', 'failed', 'unchecked', 'skipped'] as const).map((result) =>
    withResult(report, result),
  )
  const sum =
    `${passed?.length} passed, ${failed?.length} failed${failures(failed ?? [])}` +
    `, ${unchecked?.length} unchecked, ${skips?.length} skipped`
  return [...body, ...(cutShort === null ? [] : [cutShort]), sum].map(printable).join('\n')
}
