import { expect, it } from 'vitest'

import { historyKeptMs } from '../../../packages/wire/protocol/session.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

const wrong = { 'x-service-signature': 'a'.repeat(64) }

/** A library with one page in the editor, by a clock of the test. */
async function aPageInTheEditor() {
  const clock = { ms: Date.now() }
  const fixture = await createTestGalley({
    site: { unknownMaterials: 'accept' },
    edges: { now: () => new Date(clock.ms) },
  })
  await fixture.know('post-1')
  const { galley, service, post } = fixture
  const deliver = async (headers: Record<string, string>, parts: Parameters<typeof aSave>[1] = {}) =>
    (await post(aSave(service, { materialId: 'post-1', ...parts }).body, headers)).json.code
  return { ...fixture, clock, deliver, advisory: () => galley.index.unsignedSaves.of('acme') }
}

it.each<readonly [string, Record<string, string>, Parameters<typeof aSave>[1]]>([
  ['without a signature', {}, {}],
  ['with another header than the signature’s', { 'x-other': 'a'.repeat(64) }, {}],
  ['with a signature that is too short', { 'x-service-signature': 'a'.repeat(63) }, {}],
  ['with a signature that is no hex', { 'x-service-signature': 'g'.repeat(64) }, {}],
  ['about a page that nobody knows', wrong, { materialId: 'post-2' }],
  ['about files of another host', wrong, { payload: { content_url: 'https://elsewhere.example/x' } }],
  ['about files that are no download', wrong, { payload: { content_url: 'nothing' } }],
])('noise %s raises no advisory, however much there is', async (_kind, headers, parts) => {
  const { deliver, advisory } = await aPageInTheEditor()
  for (let count = 0; count < 20; count += 1) expect(await deliver(headers, parts)).toMatch(/^invalid_/)
  expect(advisory()).toBeNull()
})

it('a wrong signature raises one while the service keeps the session of the page, and not after that', async () => {
  const { deliver, advisory, clock, galley } = await aPageInTheEditor()
  clock.ms += historyKeptMs - 60_000
  await deliver(wrong)
  expect(advisory()).toMatchObject({ count: 1, signedIn: null })
  galley.index.unsignedSaves.settle('acme')
  clock.ms += 120_000
  await deliver(wrong)
  expect(advisory()).toBeNull()
})

it('a page that was saved but never opened here has no session, so its wrong signatures raise none', async () => {
  const { deliver, advisory, post, service } = await aPageInTheEditor()
  const save = aSave(service, { materialId: 'post-2' })
  expect((await post(save.body, save.headers)).json.rc).toBe(1)
  await deliver(wrong, { materialId: 'post-2' })
  expect(advisory()).toBeNull()
})
