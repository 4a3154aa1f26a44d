import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { noFilters } from '../../../src/contract/ipc/materials.ts'
import type { TryItState } from '../../../src/contract/ipc/settings.ts'
import { createTryIt } from '../../../src/main/try-it/try-it.ts'
import { createTestGalley, temporaryFolder } from '../../support/test-galley.ts'

async function house(listen = true) {
  const made = await createTestGalley({ listen })
  const states: TryItState['kind'][] = []
  const tryIt = createTryIt({
    galley: made.galley,
    startListener: () => Promise.resolve({ kind: 'failed', reason: 'taken' }),
    editorFolder: await temporaryFolder(),
    demoFolder: join(import.meta.dirname, '../../../resources/demo'),
    onState: ({ kind }) => void states.push(kind),
    log: (line) => void made.lines.push(line),
  })
  onTestFinished(() => tryIt.close())
  return { ...made, tryIt, states }
}

test('one call brings a service, a site and sample materials, and keeps no secret', async () => {
  const { tryIt, states, galley, lines } = await house()
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
  expect(galley.index.secretMarks.marks('galley-demo' as never)).toEqual({ secret: null, callbackAuth: null })
  expect(await tryIt.start()).toEqual(started)
  expect(await tryIt.stop(true)).toEqual({ kind: 'off' })
  expect(galley.index.sites.find('galley-demo')).toBe(null)
  expect(states).toEqual(['starting', 'running', 'off'])
  expect(await tryIt.start()).toMatchObject({ ok: true, value: { kind: 'running' } })
})

test('without a listener there is nothing to try', async () => {
  const { tryIt } = await house(false)
  expect(await tryIt.start()).toMatchObject({ ok: false, failure: { code: 'cannot_listen' } })
  expect(tryIt.state()).toEqual({ kind: 'off' })
})
