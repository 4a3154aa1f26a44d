import { expect, it } from 'vitest'

import { oneAtATime } from '../../../src/renderer/ui/one-at-a-time.ts'
import { rowAfterKey } from '../../../src/renderer/ui/roving.ts'

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

it.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 29, 29],
  ['ArrowUp', 0, 0],
  ['PageDown', 3, 13],
  ['PageUp', 3, 0],
  ['Home', 7, 0],
  ['End', 7, 29],
  ['x', 7, null],
  ['toString', 7, null],
] as const)('%s in row %d of 30 leads to %s', (key, at, to) => expect(rowAfterKey(key, at, 30)).toBe(to))
