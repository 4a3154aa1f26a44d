import { expect, test } from 'vitest'

import { send } from '../support/test-galley.ts'
import { aTarget } from './support.ts'

const mebibyte = 1024 * 1024
const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0

test('1,100 readers that never read fail no save, and leave room for other readers', async () => {
  const target = await aTarget()
  await target.under('deafReaders', target.filePath, 1100, true)
  const took = await target.saves(24)
  expect(took.at(-1)).toBeLessThan(4000)
  // Readers from this address are told to wait.
  const refused = await send(target.url + target.filePath, 'GET', null)
  expect([refused.status, refused.headers['retry-after'], refused.json.code]).toEqual([503, '5', 'busy'])
  expect((await send(`${target.url}/health`, 'GET', null)).status).toBe(200)
  await target.listening.says(
    'too many connections or too much data at once; refusing some of what comes from 127.0.0.1',
  )
})

test('1,500 idle connections that come back at once fail no save', async () => {
  const target = await aTarget()
  const attack = await target.under('idlers', 1500)
  const took = await target.saves(40)
  expect(took.at(-1)).toBeLessThan(4000)
  await expect.poll(attack.made).toBeGreaterThan(1600)
})

test('1,200 unfinished requests fail no save', async () => {
  const target = await aTarget()
  await target.under('unfinishedHeaders', 600)
  await target.under('unfinishedBodies', 600, 40_000, true)
  const took = await target.saves(24)
  expect(took.at(-1)).toBeLessThan(4000)
})

test('hostile bodies of 4 MiB without a signature do not hold up saves', async () => {
  const target = await aTarget()
  await target.under('hostileSenders', 6, 4 * mebibyte)
  const took = await target.saves(30)
  expect(median(took)).toBeLessThan(250)
  expect(took.at(-1)).toBeLessThan(2000)
})

test('400 unfinished bodies of 4 MiB take no more memory than the budget, and give it back', async () => {
  const target = await aTarget()
  await target.saves(5)
  const idleMb = target.residentMb()
  const attack = await target.under('unfinishedBodies', 400, 4 * mebibyte)
  const took = await target.saves(24)
  expect(took.at(-1)).toBeLessThan(4000)
  expect(target.residentMb() - idleMb).toBeLessThan(160)
  await attack.stop()
  await expect.poll(() => target.residentMb() - idleMb, { timeout: 60_000, interval: 500 }).toBeLessThan(40)
}, 120_000)
