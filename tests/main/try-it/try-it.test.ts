import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { noFilters } from '../../../src/ipc/materials.ts'
import type { TryItState } from '../../../src/ipc/settings.ts'
import { createTryIt } from '../../../src/main/try-it/try-it.ts'
import { createTestGalley, temporaryFolder } from '../../support/test-galley.ts'

async function setUp(listen = true) {
  const made = await createTestGalley({ listen })
  const states: TryItState['kind'][] = []
  const tryIt = createTryIt({
    ...made.galley,
    startListener: () => Promise.resolve({ kind: 'failed', code: 'EADDRINUSE' }),
    editorFolder: await temporaryFolder(),
    demoFolder: join(import.meta.dirname, '../../../resources/demo'),
    onState: ({ kind }) => void states.push(kind),
    log: (line) => void made.lines.push(line),
  })
  onTestFinished(() => tryIt.close())
  return { ...made, tryIt, states }
}

test('one call creates a service, a site and sample materials, and stores no secret', async () => {
  const { tryIt, states, galley, lines } = await setUp()
  const started = await tryIt.start()
  expect(started, lines.join()).toMatchObject({ ok: true, value: { kind: 'running', site: 'galley-demo' } })
  const sort = { by: 'title', direction: 'up' } as const
  const query = { site: 'galley-demo', text: '', filters: noFilters, sort, offset: 0, limit: 10 }
  const { rows } = galley.index.materialList.query(query)
  expect(rows.map(({ title, versions, status }) => [title, versions, status])).toEqual([
    ['A morning at the market', 1, 'saved'],
    ['A weekend by the harbour', 2, 'saved'],
    ['Ferry times in autumn', 0, 'unsaved'],
  ])
  expect(galley.index.snapshots.count('galley-demo')).toBe(1)
  expect(galley.index.secretMarks.marks('galley-demo')).toEqual({
    secret: null,
    callbackAuth: null,
    bucketKeys: null,
  })
  expect(await tryIt.start()).toEqual(started)
  // Complete: its site, and its materials with their versions.
  expect(await tryIt.remove()).toEqual({ ok: true, value: true })
  expect([galley.index.sites.find('galley-demo'), galley.index.counts()]).toEqual([null, { materials: 0, versions: 0 }])
  expect(states).toEqual(['starting', 'running', 'off'])
  expect(await tryIt.start()).toMatchObject({ ok: true, value: { kind: 'running' } })
  expect(galley.index.counts()).toEqual({ materials: 3, versions: 3 })
})

test('the sample continues after a restart of the app, when one of its materials is opened', async () => {
  const { tryIt, galley } = await setUp()
  await tryIt.start()
  await tryIt.close()
  expect(await galley.sites.find('galley-demo')).toMatchObject({ secret: 'missing' })
  await tryIt.wake('acme')
  expect(tryIt.state()).toEqual({ kind: 'off' })
  await Promise.all([tryIt.wake('galley-demo'), tryIt.wake('galley-demo')])
  expect(tryIt.state()).toMatchObject({ kind: 'running' })
  expect(await galley.sites.find('galley-demo')).toMatchObject({ secret: 'stored' })
  expect(galley.index.counts()).toEqual({ materials: 3, versions: 3 })
  const materialId = 'stories/harbour-weekend'
  const open = { site: 'galley-demo', materialId, title: null, slug: null, metadata: null }
  expect(await galley.sessions.open(open)).toMatchObject({ ok: true })
})

test('another site with the ID of the sample is not changed', async () => {
  const { tryIt, galley } = await setUp()
  const { name: _name, ...site } = galley.index.sites.find('acme')!
  galley.index.sites.put({ ...site, id: 'galley-demo', name: 'My own' })
  expect(await tryIt.start()).toMatchObject({ ok: false, failure: { code: 'try_it_failed' } })
  expect(galley.index.sites.find('galley-demo')).toMatchObject({ name: 'My own', apiKey: site.apiKey })
})

test('without a listener the sample is not available', async () => {
  const { tryIt } = await setUp(false)
  expect(await tryIt.start()).toMatchObject({ ok: false, failure: { code: 'cannot_listen' } })
  expect(tryIt.state()).toEqual({ kind: 'off' })
})
