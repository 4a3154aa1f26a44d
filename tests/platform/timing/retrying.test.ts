import { expect, it } from 'vitest'

import { retrying } from '../../../packages/platform/timing/retrying.ts'

const never = new AbortController().signal
const anHourMs = 3_600_000

/** Attempts with these results, in their order, and how many have begun. */
function attempts(results: readonly number[]) {
  let begun = 0
  return { begun: () => begun, attempt: () => Promise.resolve(results[begun++] ?? Number.NaN) }
}

/** Zero is final. */
const untilZero = (value: number): number | null => (value === 0 ? null : 0)

it('repeats until a result is final', async () => {
  const { attempt, begun } = attempts([2, 1, 0, 3])
  expect(await retrying({ waitsMs: [1, 1, 1, 1], signal: never }, attempt, untilZero)).toBe(0)
  expect(begun()).toBe(3)
})

it('returns the last result after the last pause', async () => {
  const { attempt, begun } = attempts([3, 2, 1, 0])
  expect(await retrying({ waitsMs: [1, 1], signal: never }, attempt, untilZero)).toBe(1)
  expect(begun()).toBe(3)
})

it('tries once without pauses', async () => {
  const { attempt, begun } = attempts([1, 0])
  expect(await retrying({ waitsMs: [], signal: never }, attempt, untilZero)).toBe(1)
  expect(begun()).toBe(1)
})

it('waits as long as a result asks for', async () => {
  const { attempt } = attempts([1, 0])
  const startedMs = performance.now()
  await retrying({ waitsMs: [1], signal: never }, attempt, (value) => (value === 0 ? null : 50))
  // Timers may fire a millisecond early.
  expect(performance.now() - startedMs).toBeGreaterThan(48)
})

it.each([
  ['before', (stop: AbortController) => stop.abort()],
  ['during', (stop: AbortController) => void setImmediate(() => stop.abort())],
])('keeps the last result when it is stopped %s a pause', async (_, stopIt) => {
  const stop = new AbortController()
  const { attempt, begun } = attempts([1, 0])
  const stopped = retrying({ waitsMs: [anHourMs], signal: stop.signal }, attempt, (value) => {
    stopIt(stop)
    return untilZero(value)
  })
  expect(await stopped).toBe(1)
  expect(begun()).toBe(1)
})

it('ends with the error of an attempt', async () => {
  const broken = () => Promise.reject(new Error('a bug'))
  await expect(retrying({ waitsMs: [1], signal: never }, broken, () => 0)).rejects.toThrow('a bug')
})
