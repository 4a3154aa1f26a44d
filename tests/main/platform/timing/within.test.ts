import { expect, it, onTestFinished, vi } from 'vitest'

import { within } from '../../../../src/main/platform/timing/within.ts'

it('returns the result of the work, or the fallback if it takes too long, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await within(1000, Promise.resolve('done'), 'late')).toBe('done')
  await expect(within(1000, Promise.reject(new Error('no')), 'late')).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
  const waiting = within(1000, new Promise<string>(() => undefined), 'late')
  vi.advanceTimersByTime(1000)
  expect(await waiting).toBe('late')
})
