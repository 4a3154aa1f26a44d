import type { Outcome, Report } from './report.ts'

/** Text as XML 1.0 takes it, in content and in attributes alike; characters it cannot hold are shown as such. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"'\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

function testcase({ theme, case: { id, name, severity, rule }, ok, expected, got, ms }: Outcome): string {
  const head = `    <testcase classname="${escaped(theme)}" name="${escaped(`${id}: ${name}`)}" time="${seconds(ms)}"`
  if (ok) return `${head}/>`
  const text = `expected: ${expected}\ngot: ${got}\nsee: ${rule}`
  return `${head}>\n      <failure type="${escaped(severity)}" message="${escaped(got)}">${escaped(text)}</failure>\n    </testcase>`
}

/** The report as JUnit XML: a suite for each theme, cases that were not run as skipped. */
export function junitXml({ outcomes, leftOut }: Report): string {
  const titles = [...new Set([...outcomes, ...leftOut].map(({ theme }) => theme))]
  const suites = titles.map((title) => {
    const ran = outcomes.filter(({ theme }) => theme === title)
    const skipped = leftOut.filter(({ theme }) => theme === title)
    const count = `tests="${ran.length + skipped.length}" failures="${ran.filter(({ ok }) => !ok).length}" errors="0" skipped="${skipped.length}"`
    const time = seconds(ran.reduce((sum, { ms }) => sum + ms, 0))
    return [
      `  <testsuite name="${escaped(title)}" ${count} time="${time}">`,
      ...ran.map(testcase),
      ...skipped.map(
        ({ case: { id, name }, why }) =>
          `    <testcase classname="${escaped(title)}" name="${escaped(`${id}: ${name}`)}"><skipped message="${escaped(why)}"/></testcase>`,
      ),
      '  </testsuite>',
    ].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="galley conformance">',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}
