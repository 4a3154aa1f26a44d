import type { Outcome, Report } from './report.ts'

/** Signs that would move the cursor of a terminal, or hide what stands there. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '�')

const line = ({ case: { id, name, severity, rule }, ok, expected, got }: Outcome): readonly string[] =>
  ok
    ? [`  ✓ ${name}`]
    : [
        `  ✗ ${name}`,
        `      ${severity}  ${id}`,
        `      expected  ${expected}`,
        `      got       ${got}`,
        `      see       ${rule}`,
      ]

/** How many cases failed, by their weight. */
function failures(outcomes: readonly Outcome[]): string {
  const weights = ['breaks the contract', 'unsafe', 'unwise'] as const
  const counted = weights.flatMap((weight) => {
    const count = outcomes.filter(({ ok, case: { severity } }) => !ok && severity === weight).length
    return count === 0 ? [] : [`${count} ${weight}`]
  })
  return counted.join(', ')
}

/** The report for a terminal: themes, their cases, and what was expected where it did not come. */
export function reportText({ outcomes, cutShort }: Report): string {
  const titles = [...new Set(outcomes.map(({ theme }) => theme))]
  const body = titles.flatMap((title) => {
    const cases = outcomes.filter(({ theme }) => theme === title)
    return [`${title}  ${cases.filter(({ ok }) => ok).length} of ${cases.length}`, ...cases.flatMap(line), '']
  })
  const passed = outcomes.filter(({ ok }) => ok).length
  const failed = outcomes.length - passed
  const sum = `${passed} passed, ${failed} failed${failed === 0 ? '' : ` (${failures(outcomes)})`}`
  return [...body, ...(cutShort === null ? [] : [cutShort]), sum].map(printable).join('\n')
}
