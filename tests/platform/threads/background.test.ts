import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

import { createBackground } from '../../../packages/platform/threads/background.ts'
import type { BackgroundJobs } from '../../../src/main/thread/jobs.ts'
import { builtThreads } from '../../support/built-threads.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { watchThreads } from '../../support/thread-life.ts'

const thread = builtThreads.background

async function started(script: string | URL = thread) {
  const background = createBackground<BackgroundJobs>(script)
  onTestFinished(() => background.close())
  const path = join(await temporaryFolder(), 'state.json')
  const text = '{"a":[1,2,{"b":"ü"}],"a":true}'
  await writeFile(path, text)
  const state = { path, offset: 0, sizeBytes: Buffer.byteLength(text) }
  const level = (path: readonly (string | number)[]) => ({ text: state, path, offset: 0, limit: 10 })
  return { background, state, level }
}

test('runs jobs one after another and concurrently', async () => {
  const { background, level, state } = await started()
  const run = () => background.run('jsonLevel', level([]))
  expect(await Promise.all([run(), run(), run()])).toMatchObject(Array.from({ length: 3 }, () => ({ total: 2 })))
  // The last value of a duplicate key counts.
  expect(await background.run('jsonLevel', level(['a']))).toMatchObject({ kind: 'boolean', total: 0 })
  expect(await background.run('jsonLevel', level(['gone']))).toBe(null)
  expect(await background.run('pageFamilies', [state])).toEqual([{ families: [], own: [], asked: [] }])
})

test('a job that is cancelled before or during its run is rejected, and the next one runs', async () => {
  const { background, state, level } = await started()
  const early = AbortSignal.abort()
  await expect(background.run('jsonLevel', level([]), { signal: early })).rejects.toThrow('cancelled')
  const stop = new AbortController()
  const long = background.run(
    'pageFamilies',
    Array.from({ length: 20_000 }, () => state),
    {
      signal: stop.signal,
      progress: () => stop.abort(),
    },
  )
  await expect(long).rejects.toThrow('cancelled')
  expect(await background.run('jsonLevel', level([]))).toMatchObject({ total: 2 })
})

test('a crashing thread fails only its own job', async () => {
  const { background, level } = await started()
  const missing = { path: '/nowhere', offset: 0, sizeBytes: 1 }
  await expect(background.run('jsonLevel', { ...level([]), text: missing })).rejects.toThrow('ENOENT')
  expect(await background.run('jsonLevel', level([]))).toMatchObject({ total: 2 })
})

test('idle threads end after a while, and start again on demand', async () => {
  const { script: watched, ends, begun, tell } = await watchThreads()
  const script = join(await temporaryFolder(), 'thread.cjs')
  await writeFile(
    script,
    `const { parentPort, threadId } = require('node:worker_threads')
     ${watched}
     parentPort.on('message', ({ input }) =>
       (input.limit > 0 ? told : open).then(() => parentPort.postMessage({ kind: 'done', output: threadId })))`,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const background = createBackground<BackgroundJobs>(script, undefined, 300)
  onTestFinished(() => background.close())
  const run = (limit: number) =>
    background.run('jsonLevel', { text: { path: '', offset: 0, sizeBytes: 0 }, path: [], offset: 0, limit })
  const first = await Promise.all([run(0), run(0)])
  await begun(2)
  vi.advanceTimersByTime(300)
  await Promise.all(ends)
  const again = await run(0)
  expect(first).not.toContain(again)
  // A busy thread continues, however long its job takes.
  const slow = run(1)
  vi.advanceTimersByTime(3_000)
  await begun(3)
  tell()
  expect(await slow).toBe(again)
})

test('a thread that crashes while idle is replaced and reported, without other effects', async () => {
  const { script: watched, ends, begun, tell } = await watchThreads()
  const script = join(await temporaryFolder(), 'thread.cjs')
  await writeFile(
    script,
    `const { parentPort, threadId } = require('node:worker_threads')
     ${watched}
     alive.once('data', () => { throw new Error('a fault at rest') })
     parentPort.on('message', () => open.then(() => parentPort.postMessage({ kind: 'done', output: threadId })))`,
  )
  const crashes: string[] = []
  const background = createBackground<BackgroundJobs>(script, ({ message }) => void crashes.push(message))
  onTestFinished(() => background.close())
  const run = () =>
    background.run('jsonLevel', { text: { path: '', offset: 0, sizeBytes: 0 }, path: [], offset: 0, limit: 0 })
  const first = await run()
  await begun(1)
  tell()
  await Promise.all(ends)
  await expect.poll(run).not.toBe(first)
  expect(crashes).toEqual(['a fault at rest'])
})
