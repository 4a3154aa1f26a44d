import { expect, it } from 'vitest'

import { oneAtATime } from '../../../src/renderer/bridge/one-at-a-time.ts'

it('a burst costs two runs, and the last one starts after the last request', async () => {
  let runs = 0
  const ask = oneAtATime(async () => {
    runs += 1
    await Promise.resolve()
  })
  await Promise.all(Array.from({ length: 50 }, () => ask()))
  expect(runs).toBe(2)
  await ask()
  expect(runs).toBe(3)
})

it('a run that fails lets the next one start', async () => {
  let isBroken = true
  const ask = oneAtATime(() => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()))
  await expect(ask()).rejects.toThrow('broken')
  isBroken = false
  await expect(ask()).resolves.toBeUndefined()
})
