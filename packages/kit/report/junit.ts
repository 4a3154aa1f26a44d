import type { Outcome, Policy, Report } from './report.ts'
import { failsRun } from './report.ts'

/** Escapes text for XML 1.0 content and attributes; unsupported characters become U+FFFD. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"'\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** The JUnit element of an outcome. `failure` and `error` fail a build, matching the exit code. */
function elementOf(outcome: Outcome, policy: Policy): string {
  const { result, expected, got, reason, evidence = [], case: each } = outcome
  if (result === 'passed') return ''
  const isBad = failsRun(outcome, policy)
  const message = result === 'failed' ? got : `${result}: ${reason ?? ''}`
  if (result !== 'failed' && !isBad) return `<skipped message="${escaped(message)}"/>`
  const text = escaped([`expected: ${expected}`, `got: ${got}`, `see: ${each.rule}`, ...evidence].join('\n'))
  // Failures below the threshold do not fail the run, so they are reported as skipped.
  if (!isBad) return `<skipped message="${escaped(`${each.severity}: ${got}`)}"/><system-out>${text}</system-out>`
  const element = result === 'failed' ? 'failure' : 'error'
  return `<${element} type="${escaped(result === 'failed' ? each.severity : result)}" message="${escaped(message)}">${text}</${element}>`
}

function testcase(outcome: Outcome, policy: Policy): string {
  const { theme, ms, case: each } = outcome
  const head = `    <testcase classname="${escaped(theme)}" name="${escaped(`${each.id}: ${each.name}`)}" time="${seconds(ms)}"`
  const element = elementOf(outcome, policy)
  return element === '' ? `${head}/>` : `${head}>\n      ${element}\n    </testcase>`
}

/** The report as JUnit XML: one suite per theme, plus one for the run itself if it was interrupted. */
export function junitXml({ outcomes, cutShort }: Report, policy: Policy): string {
  const titles = [...new Set(outcomes.map(({ theme }) => theme))]
  const suites = titles.map((title) => {
    const cases = outcomes.filter(({ theme }) => theme === title)
    const bad = cases.filter((each) => failsRun(each, policy))
    const failures = bad.filter(({ result }) => result === 'failed').length
    const skips = cases.filter(({ result }) => result !== 'passed').length - bad.length
    const counts = `tests="${cases.length}" failures="${failures}" errors="${bad.length - failures}" skipped="${skips}"`
    const time = seconds(cases.reduce((sum, { ms }) => sum + ms, 0))
    return [
      `  <testsuite name="${escaped(title)}" ${counts} time="${time}">`,
      ...cases.map((each) => testcase(each, policy)),
      '  </testsuite>',
    ].join('\n')
  })
  if (cutShort !== null)
    suites.push(
      `  <testsuite name="The run" tests="1" failures="0" errors="1" skipped="0" time="0.000">`,
      `    <testcase classname="The run" name="it finished" time="0.000">`,
      `      <error type="unchecked" message="${escaped(cutShort)}"/>\n    </testcase>\n  </testsuite>`,
    )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="galley conformance">',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}
