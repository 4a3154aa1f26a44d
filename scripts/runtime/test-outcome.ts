/** Turns vitest's JSON report into the one line that closes `npm test`. */

/** What a test run came to. */
export type Outcome = { readonly passed: number; readonly failed: number; readonly skipped: number }

/** The fields used of vitest's JSON report. */
export type VitestReport = {
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/**
 * Counts tests. A file that could not be loaded has no tests, and errors outside of tests belong to none: each would be
 * invisible among the tests, so each counts as one failure. `report` is null when vitest left none.
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

/** Success is at least one test, and none that failed. */
export const isSuccess = ({ passed, failed }: Outcome): boolean => failed === 0 && passed > 0

/** The closing line. */
export function closingLine({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
