import { expect, it } from 'vitest'

import type { CallbackRow } from '../../../packages/library/views/callbacks.ts'
import { createFirstSave } from '../../../src/renderer/domain/first-save-store.ts'
import { reachRecipes } from '../../../src/renderer/domain/reach-help.tsx'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { aSite } from '../support/sample-data.ts'

const aRow = (site: string, outcome: CallbackRow['outcome'], materialId: string): CallbackRow => ({
  id: `${materialId}-${outcome}`,
  arrival: 1,
  site,
  receivedAt: '2026-11-30T10:00:00.000Z',
  kind: 'article_saved',
  materialId,
  materialTitle: null,
  outcome,
  httpStatus: 200,
  code: null,
  signature: 'valid',
  versionId: null,
  durationMs: 5,
})

it('a new site is proved by the answer of the service and by the first callback that is stored', async () => {
  const fake = createFakeBridge(0)
  const store = createFirstSave(fake.bridge)
  fake.push('callbackArrived', aRow('harbour', 'stored', 'too early'))
  expect(store.getState().arrived).toBeNull()
  store.getState().watch('harbour')
  fake.answers.openEditor = () => ({ ok: false, failure: { code: 'wrong_key', status: 401, text: '' } })
  await store.getState().open('stories/one', null)
  expect(store.getState().opened).toMatchObject({ kind: 'failed', problem: { code: 'wrong_key' } })
  fake.answers.openEditor = () => ({ ok: true, value: { url: 'https://e.example/', reused: false, browser: 'shown' } })
  await store.getState().open('stories/one', null)
  expect(store.getState().opened.kind).toBe('opened')

  fake.push('callbackArrived', aRow('other', 'stored', 'a'))
  expect(store.getState().arrived).toBeNull()
  fake.push('callbackArrived', aRow('harbour', 'rejected', 'b'))
  expect(store.getState().arrived).toMatchObject({ outcome: 'rejected' })
  fake.push('callbackArrived', aRow('harbour', 'stored', 'c'))
  fake.push('callbackArrived', aRow('harbour', 'failed', 'd'))
  expect(store.getState().arrived).toMatchObject({ materialId: 'c' })

  store.getState().watch(aSite().id === 'harbour' ? 'another' : aSite().id)
  expect(store.getState()).toMatchObject({ opened: { kind: 'none' }, arrived: null })
})

it('commands to copy contain no secret, and no text that a shell would read as its own', () => {
  const recipes = reachRecipes({
    id: 'acme',
    baseUrl: 'https://e.example/integration',
    apiKey: "k'; rm x",
    port: '8788',
  })
  expect(recipes.server).toContain(String.raw`--api-key 'k'\''; rm x'`)
  expect(recipes.server).toContain('--callback-url https://hooks.example.com/callback/acme')
  expect(recipes.tunnel).toContain('127.0.0.1:8787:127.0.0.1:8788')
  expect(reachRecipes({ id: '', baseUrl: '', apiKey: '', port: '8787' }).server).toContain(
    'site add SITE --base-url URL',
  )
})
