/** Turns vitest's JSON report into the last line of `npm test`. */

/** The result of a test run. */
export type Outcome = { readonly passed: number; readonly failed: number; readonly skipped: number }

/** The fields of vitest's JSON report that are read. */
export type VitestReport = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      /** The errors of all tries, so a test that passed at a second try has one. */
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** What passed at a second try only: a line for each, with the file, the test and the first error. */
export const secondTries = (report: VitestReport | null): readonly string[] =>
  (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => `Passed at a second try: ${name}: ${fullName}\n${failureMessages[0]}`),
  )

/**
 * Counts tests. A file that fails to load has no tests, and errors outside of tests belong to none. Each counts as one
 * failure, since it would not be visible otherwise. `report` is null if vitest wrote none.
 */
export function countOutcome(report: VitestReport | null, exitCode: number): Outcome {
  const files = report?.testResults ?? []
  const tests = files.flatMap((file) => file.assertionResults)
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const passed = count('passed')
  const brokenFiles = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = count('failed') + brokenFiles.length
  const isUnexplained = exitCode !== 0 && failed === 0
  return { passed, failed: isUnexplained ? 1 : failed, skipped: tests.length - passed - count('failed') }
}

/** The result of several runs. */
export const sumOf = (outcomes: readonly Outcome[]): Outcome =>
  outcomes.reduce((sum, { passed, failed, skipped }) => ({
    passed: sum.passed + passed,
    failed: sum.failed + failed,
    skipped: sum.skipped + skipped,
  }))

/** A run succeeds with at least one test and no failures. */
export const isSuccess = ({ passed, failed }: Outcome): boolean => failed === 0 && passed > 0

/** The last line. */
export function closingLine({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
