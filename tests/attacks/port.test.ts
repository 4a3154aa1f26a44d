import { expect, onTestFinished, test } from 'vitest'

import { galleyProcess } from '../cli/support/cli.ts'
import { callbackHead, rawConnection, statusOf } from '../support/attacks/raw-connections.ts'
import { send } from '../support/test-galley.ts'
import { aTarget } from './support.ts'

const mebibyte = 1024 * 1024

/** The sorted processor times of the listener until each save is answered. The senders take their part of the processors. */
async function workOf(target: Awaited<ReturnType<typeof aTarget>>, saves: number): Promise<readonly number[]> {
  const worked: number[] = []
  for (let at = 0; at < saves; at++) {
    const before = target.workedMs()
    await target.save()
    worked.push(target.workedMs() - before)
  }
  return worked.toSorted((one, other) => one - other)
}

const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0

test('1,100 readers that never read fail no save; further readers from their address are asked to wait', async () => {
  const target = await aTarget()
  await target.under('deafReaders', target.filePath, 1100, true)
  expect(await target.saves(10)).toHaveLength(10)
  // Readers from this address are asked to wait.
  const refused = await send(target.url + target.filePath, 'GET', null)
  expect([refused.status, refused.headers['retry-after'], refused.json.code]).toEqual([503, '5', 'busy'])
  expect((await send(`${target.url}/health`, 'GET', null)).status).toBe(200)
  await target.listening.says('too many connections or too much data at once; refusing some requests from 127.0.0.1')
})

test('1,500 idle connections that reconnect at once fail no save', async () => {
  const target = await aTarget()
  const attack = await target.under('idlers', 1500)
  expect(await target.saves(12)).toHaveLength(12)
  await expect.poll(attack.made).toBeGreaterThan(1600)
})

test('1,200 unfinished requests fail no save', async () => {
  const target = await aTarget()
  await target.under('unfinishedHeaders', 600)
  await target.under('unfinishedBodies', 600, 40_000, true)
  expect(await target.saves(10)).toHaveLength(10)
})

test.for([
  ['forged', 1],
  ['forged', 16],
  ['forged, on a new connection each', 1],
  ['forged, with headers of 15 KB', 1],
  ['forged, expecting 100', 1],
  ['in chunks of one byte', 1],
  ['for an unknown file', 16],
] as const)(
  '600 connections with requests %s, %i at a time: the listener works for less than a second until a save is stored',
  async ([kind, atOnce]) => {
    const target = await aTarget()
    await target.under('senders', 600, kind, atOnce)
    const worked = await workOf(target, 5)
    expect(median(worked)).toBeLessThan(1000)
  },
)

test('hostile bodies of 4 MiB without a signature do not delay saves', async () => {
  const target = await aTarget()
  await target.under('hostileSenders', 6, 4 * mebibyte)
  const worked = await workOf(target, 12)
  expect(median(worked)).toBeLessThan(250)
  expect(worked.at(-1)).toBeLessThan(2000)
})

test('400 unfinished bodies of 4 MiB use no more memory than the budget, and release it', async () => {
  const target = await aTarget()
  await target.saves(5)
  const idleMb = target.residentMb()
  const attack = await target.under('unfinishedBodies', 400, 4 * mebibyte)
  await target.saves(10)
  expect(target.residentMb() - idleMb).toBeLessThan(100)
  await attack.stop()
  await expect.poll(() => target.residentMb() - idleMb, { interval: 500 }).toBeLessThan(40)
})

test('a hostile page leaves nothing behind in memory', async () => {
  const target = await aTarget()
  await target.saves(5)
  const idleMb = target.residentMb()
  const peak = watchPeak(target.residentMb)
  // Small as an archive, and large as a tree of elements.
  const { rc, code } = await target.deliver({ versionId: 'hostile', html: '<b>'.repeat(8_000_000), files: {} })
  expect([rc, code]).toEqual([0, 'content_too_large'])
  expect(peak() - idleMb).toBeGreaterThan(100)
  await expect.poll(() => target.residentMb() - idleMb, { interval: 500 }).toBeLessThan(40)
})

/** The highest figure since now, looked at several times a second. */
function watchPeak(figure: () => number): () => number {
  let highest = figure()
  const timer = setInterval(() => (highest = Math.max(highest, figure())), 100)
  onTestFinished(() => clearInterval(timer))
  return () => highest
}

test('callers behind a trusted proxy have a share each; without one, X-Forwarded-For is ignored', async () => {
  const ask = (url: string, caller: string) => {
    const connection = rawConnection(url)
    onTestFinished(() => void connection.socket.destroy())
    connection.socket.write(callbackHead(4 * mebibyte).replace('\r\n', `\r\nX-Forwarded-For: 10.0.0.1, ${caller}\r\n`))
    return connection
  }
  for (const [args, expected] of [
    [['--trusted-proxy', '192.0.2.0/24', '--trusted-proxy', '127.0.0.0/8'], ''],
    [[], '503'],
  ] as const) {
    const { url } = await aTarget(args)
    for (let count = 0; count < 8; count++) ask(url, '203.0.113.1')
    expect(statusOf(await ask(url, '203.0.113.1').closed)).toBe('503')
    const other = ask(url, '203.0.113.2')
    // The next one of the first caller is answered behind it.
    expect(statusOf(await ask(url, '203.0.113.1').closed)).toBe('503')
    expect(statusOf(other.said())).toBe(expected)
  }
  const { code, json } = await galleyProcess(['listen', '--json', '--trusted-proxy', 'proxy.example'])
  expect([code, json()]).toMatchObject([
    2,
    { error: { code: 'usage', message: expect.stringContaining('proxy.example') } },
  ])
})
