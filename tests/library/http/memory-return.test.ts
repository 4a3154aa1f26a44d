import { PerformanceObserver, constants } from 'node:perf_hooks'
import type { PerformanceEntry } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'

import { createMemoryReturn } from '../../../packages/library/http/listen.ts'

/** The times of collections that somebody asked for. */
function forcedCollections(): readonly number[] {
  const times: number[] = []
  const isForced = (entry: PerformanceEntry): boolean => {
    const { detail } = Object(entry) as { readonly detail?: { readonly flags?: number } }
    return ((detail?.flags ?? 0) & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0
  }
  const observer = new PerformanceObserver((list) => {
    times.push(...list.getEntries().flatMap((entry) => (isForced(entry) ? [entry.startTime] : [])))
  })
  observer.observe({ entryTypes: ['gc'] })
  onTestFinished(() => observer.disconnect())
  return times
}

test('connections without end make the main thread collect garbage only now and then', async () => {
  const leastMs = 600
  const onClosed = createMemoryReturn({ restMs: 10, leastMs })
  const times = forcedCollections()
  const flood = setInterval(() => {
    for (let nth = 0; nth < 200; nth += 1) onClosed(0)
  }, 5)
  onTestFinished(() => clearInterval(flood))
  await expect.poll(() => times.length, { interval: 20 }).toBeGreaterThanOrEqual(3)
  const between = times.slice(1).map((time, nth) => time - (times[nth] ?? 0))
  for (const each of between) expect(each).toBeGreaterThanOrEqual(leastMs * 0.95)
})

test.each([
  ['connections', { few: [199, 0], many: [200, 0] }],
  ['bytes', { few: [3, 10_000_000], many: [4, 10_000_000] }],
] as const)('few %s are not worth a collection, many are', async (_, { few, many }) => {
  const times = forcedCollections()
  for (const [restMs, [connections, bytes]] of [[1, few] as const, [50, many] as const]) {
    const onClosed = createMemoryReturn({ restMs, leastMs: 1 })
    for (let nth = 0; nth < connections; nth += 1) onClosed(bytes)
  }
  await expect.poll(() => times.length, { interval: 20 }).toBeGreaterThan(0)
  expect(times).toHaveLength(1)
})
