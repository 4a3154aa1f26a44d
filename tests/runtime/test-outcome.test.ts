import { expect, test } from 'vitest'

import { closingLine, countOutcome, isSuccess, secondTries, sumOf } from '../../scripts/runtime/test-outcome.ts'

const file = (status: string, ...tests: string[]) => ({
  name: '/tests/a.test.ts',
  status,
  assertionResults: tests.map((each) => ({ fullName: each, status: each, failureMessages: [] as string[] })),
})

test('tests are counted over all files', () => {
  const report = { testResults: [file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed')] }
  expect(countOutcome(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
})

test('tests that were skipped or are still to be written count as skipped', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped', 'pending', 'todo')] }
  expect(countOutcome(report, 0)).toEqual({ passed: 1, failed: 0, skipped: 3 })
})

test('a file that does not load counts as one failure', () => {
  const report = { testResults: [file('passed', 'passed'), file('failed')] }
  expect(countOutcome(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

test('a failing vitest without a failing test counts as one failure', () => {
  expect(countOutcome({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(countOutcome(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('the results of several runs are added up', () => {
  const [first, second] = [
    { passed: 3, failed: 0, skipped: 1 },
    { passed: 2, failed: 1, skipped: 0 },
  ]
  expect(sumOf([first, second])).toEqual({ passed: 5, failed: 1, skipped: 1 })
})

test('a run without a single passed test is no success', () => {
  expect(isSuccess({ passed: 0, failed: 0, skipped: 4 })).toBe(false)
  expect(isSuccess({ passed: 1, failed: 1, skipped: 0 })).toBe(false)
  expect(isSuccess({ passed: 1, failed: 0, skipped: 0 })).toBe(true)
})

test('the last line mentions skipped tests only if there are any', () => {
  expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(closingLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
})

test('what passed at a second try is named with its first error, and what failed twice is not', () => {
  const of = (status: string, ...failureMessages: string[]) => ({ fullName: 'a menu opens', status, failureMessages })
  const tests = [of('passed'), of('passed', 'Timeout 30000ms exceeded'), of('failed', 'Timeout', 'Timeout')]
  expect(secondTries({ testResults: [{ ...file('failed'), assertionResults: tests }] })).toEqual([
    'Passed at a second try: /tests/a.test.ts: a menu opens\nTimeout 30000ms exceeded',
  ])
  expect(secondTries(null)).toEqual([])
})
