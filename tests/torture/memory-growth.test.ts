import { expect, test } from 'vitest'

import { growthOf } from '../../scripts/torture/support/process-figures.ts'
import { randomFrom } from '../support/random.ts'

/** Five minutes of memory, once a second, in MiB: it rises with garbage and falls when that is collected. */
function memoryOf(leakAMinute: number, seed: number) {
  const random = randomFrom(seed)
  const [base, garbage] = [180, 40]
  let sinceCollection = 0
  return Array.from({ length: 300 }, (_, second) => {
    // Other work delays garbage collections, sometimes for many seconds, and causes a peak.
    sinceCollection = sinceCollection > 6 && random() < 0.3 ? 0 : sinceCollection + 1
    const peak = random() < 0.02 ? 60 * random() : 0
    const atMinutes = second / 60
    return { atMinutes, value: base + Math.min(garbage, sinceCollection * 5) + peak + leakAMinute * atMinutes }
  })
}

const seeds = Array.from({ length: 50 }, (_, at) => at)

test('garbage that is collected is no growth', () => {
  for (const seed of seeds) expect(Math.abs(growthOf(memoryOf(0, seed))), `seed ${seed}`).toBeLessThan(0.5)
})

test('a leak shows through the garbage', () => {
  for (const seed of seeds) expect(growthOf(memoryOf(2, seed)), `seed ${seed}`).toBeGreaterThan(1.5)
})

test('a permanent step, as from a new thread, is no growth', () => {
  const stepped = memoryOf(0, 1).map((one) => ({ ...one, value: one.value + (one.atMinutes > 4.2 ? 30 : 0) }))
  expect(growthOf(stepped)).toBeLessThan(1)
})
