import { expect, it, onTestFinished, vi } from 'vitest'

import { coalesced } from '../../../packages/platform/timing/coalesced.ts'

it('runs work once for several requests, runs it again for a later one, and not after it is stopped', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const work = vi.fn<() => void>()
  const gathering = coalesced(50, work)
  for (let asked = 0; asked < 3; asked += 1) gathering.soon()
  vi.advanceTimersByTime(49)
  gathering.soon()
  expect(work).toHaveBeenCalledTimes(0)
  vi.advanceTimersByTime(1)
  expect(work).toHaveBeenCalledTimes(1)
  gathering.soon()
  vi.advanceTimersByTime(50)
  expect(work).toHaveBeenCalledTimes(2)
  gathering.soon()
  gathering.stop()
  vi.advanceTimersByTime(1000)
  expect(work).toHaveBeenCalledTimes(2)
})
