import { expect, onTestFinished, test, vi } from 'vitest'

import { openLibrary } from '../../../packages/library/db/open/open-library.ts'
import { anyChange } from '../../../packages/library/views/changes.ts'
import type { Events } from '../../../src/ipc/calls.ts'
import { pushChanges } from '../../../src/main/ipc/pushes.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'
import { testWindow } from '../../support/test-window.ts'

async function setUp() {
  const made = await createTestGalley()
  await made.know('post-1')
  const pushed: { name: keyof Events; event: unknown }[] = []
  const waiting = new Set<() => void>()
  const stop = pushChanges(made.galley, (name, event) => {
    pushed.push({ name, event })
    for (const wake of waiting) wake()
  })
  onTestFinished(stop)
  const next = (name: keyof Events) =>
    new Promise<(typeof pushed)[number]>((resolve) => {
      const from = pushed.length
      const look = () => {
        const found = pushed.slice(from).find((each) => each.name === name)
        if (!found) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
    })
  return { ...made, pushed, next }
}

test('a save is pushed with its row of the log', async () => {
  const { service, post, next } = await setUp()
  const save = aSave(service)
  const [changed, arrived] = [next('changed'), next('callbackArrived')]
  await post(save.body, save.headers)
  expect((await arrived).event).toMatchObject({ outcome: 'stored', materialId: 'post-1' })
  expect((await changed).event).toMatchObject({ subjects: expect.arrayContaining(['materials', 'callbacks']) })
})

test('what is collected is pushed once, 50 ms after the first of it', async () => {
  const { galley, pushed } = await setUp()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  pushed.length = 0
  for (const _ of [1, 2]) galley.changes.changed()
  vi.advanceTimersByTime(49)
  expect(pushed).toEqual([])
  vi.advanceTimersByTime(1)
  expect(pushed).toEqual([{ name: 'changed', event: anyChange }])
})

test('changes of other processes are pushed too, and so are settings and tasks', async () => {
  const { folder, next, galley } = await setUp()
  const other = await openLibrary(
    folder,
    () => new Date(),
    () => undefined,
  )
  onTestFinished(() => other.close())
  const changed = next('changed')
  other.index.fields.set('material', 'acme', [{ materialId: 'post-1' }], {
    tags: { add: ['from outside'], remove: [] },
  })
  expect((await changed).event).toEqual(anyChange)
  const settings = next('settings')
  galley.settings.change({ theme: 'dark' })
  expect((await settings).event).toMatchObject({ theme: 'dark' })
  const task = next('taskChanged')
  galley.tasks.start('collect', {}, () =>
    Promise.resolve({
      ok: true,
      value: { isDryRun: true, blobs: 0, files: 0, bytes: 0, setAside: { files: 0, bytes: 0 } },
    }),
  )
  expect((await task).event).toMatchObject({ kind: 'collect' })
})

test('a verdict of the window is pushed at once, once, with its material', async () => {
  const { galley, pushed, service, post, next } = await setUp()
  const saved = next('changed')
  const { body, headers } = aSave(service, { versionId: 'v1' })
  await post(body, headers)
  await saved
  pushed.length = 0
  const { calls } = testWindow(galley)
  const set = { verdict: { decision: 'approved', reason: '' } } as const
  const of = [{ materialId: 'post-1', versionId: 'v1' }]
  expect(await calls.setFields({ record: 'version', site: 'acme', of, set })).toMatchObject({ ok: true })
  const [only, ...more] = pushed.filter(({ name }) => name === 'changed')
  const materials = [{ site: 'acme', materialId: 'post-1' }]
  expect([only?.event, more]).toEqual([{ subjects: ['marks'], materials }, []])
  // What is collected would come now.
  const everything = next('changed')
  galley.changes.changed()
  await everything
  expect(pushed.filter(({ name }) => name === 'changed')).toHaveLength(2)
})
