import { expect, it, onTestFinished, vi } from 'vitest'

import { withTimeLimit } from '../../../packages/platform/timing/with-time-limit.ts'

it('returns the result of the work, or the fallback if it takes too long, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await withTimeLimit(1000, Promise.resolve('done'), 'late')).toBe('done')
  await expect(withTimeLimit(1000, Promise.reject(new Error('no')), 'late')).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
  const waiting = withTimeLimit(1000, new Promise<string>(() => undefined), 'late')
  vi.advanceTimersByTime(1000)
  expect(await waiting).toBe('late')
})
