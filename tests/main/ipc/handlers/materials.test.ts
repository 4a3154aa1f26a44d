import { expect, test } from 'vitest'

import type { PruneReport } from '../../../../packages/library/records/care-reports.ts'
import { siteInputOf } from '../../../../packages/library/records/site-input.ts'
import type { MaterialQuery } from '../../../../packages/library/views/materials.ts'
import { librarySource } from '../../../../packages/sites/exporting/library-source.ts'
import { noFilters } from '../../../../src/ipc/materials.ts'
import { sitesWithProblems } from '../../../../src/main/ipc/handlers/open-problems.ts'
import { materialsIn } from '../../../support/records.ts'
import { aSave } from '../../../support/test-galley.ts'
import { setUp } from './material-fixture.ts'

const everything: MaterialQuery = {
  site: 'acme',
  text: '',
  filters: noFilters,
  sort: { by: 'saved', direction: 'down' },
  offset: 0,
  limit: 10,
}

const ids = (page: { rows: readonly { materialId: string }[] }) => page.rows.map(({ materialId }) => materialId)

test('the table of materials is sorted, filtered, searched and paged', async () => {
  const { calls } = await setUp()
  const all = await calls.queryMaterials(everything)
  expect(all).toMatchObject({
    total: 3,
    rows: [
      { materialId: 'market', status: 'saved', savedBy: 'otto@a.test', versions: 1, thumbnail: { name: 'hero.png' } },
      { materialId: 'harbour', title: 'A weekend by the harbour', hit: null, isRefused: false },
      { materialId: 'never-saved', status: 'unsaved', savedAt: null, thumbnail: null, totalBytes: 0 },
    ],
  })
  expect(all.rows[0]?.session?.keptUntil).toMatch(/^20/)
  const sorted = async (by: MaterialQuery['sort']['by'], direction: 'up' | 'down') =>
    ids(await calls.queryMaterials({ ...everything, sort: { by, direction } }))
  expect(await sorted('title', 'up')).toEqual(['harbour', 'never-saved', 'market'])
  expect(await sorted('editor', 'down')).toEqual(['market', 'harbour', 'never-saved'])
  expect(await sorted('versions', 'up')).toEqual(['never-saved', 'harbour', 'market'])
  expect(ids(await calls.queryMaterials({ ...everything, offset: 1, limit: 1 }))).toEqual(['harbour'])

  const narrowed = async (filters: Partial<typeof noFilters>) =>
    ids(await calls.queryMaterials({ ...everything, filters: { ...noFilters, ...filters } }))
  expect(await narrowed({ editors: ['ida@a.test'] })).toEqual(['harbour'])
  expect(await narrowed({ statuses: ['unsaved'] })).toEqual(['never-saved'])
  expect(await narrowed({ savedAfter: '2099-01-01T00:00:00Z' })).toEqual([])

  const found = await calls.queryMaterials({
    ...everything,
    text: 'orang',
    sort: { by: 'relevance', direction: 'down' },
  })
  expect(ids(found).toSorted()).toEqual(['harbour', 'market'])
  expect(found.rows.flatMap(({ hit }) => hit?.excerpt.filter(({ isHit }) => isHit).map(({ text }) => text))).toEqual(
    expect.arrayContaining(['oranges', 'Oranges']),
  )
  expect(await calls.queryMaterials({ ...everything, text: '"' })).toEqual({ total: 0, rows: [] })
  const { offset: _o, limit: _l, ...query } = everything
  expect(await calls.materialIds(query)).toEqual(['market', 'harbour', 'never-saved'])
})

test('a word in the title counts for more than the same word three times in the page', async () => {
  const { calls, know, post, service } = await setUp()
  await know('fish')
  const save = aSave(service, { materialId: 'fish', html: '<h1>Fish</h1><p>Harbour, harbour, harbour.</p>', files: {} })
  expect((await post(save.body, save.headers)).json.rc).toBe(1)
  const found = async (direction: 'up' | 'down') =>
    ids(await calls.queryMaterials({ ...everything, text: 'harbour', sort: { by: 'relevance', direction } }))
  expect([await found('down'), await found('up')]).toEqual([
    ['harbour', 'fish'],
    ['fish', 'harbour'],
  ])
})

test('tags, names and views are kept; tags are searched, counted and filtered by', async () => {
  const { calls, changes } = await setUp()
  const tag = (add: string[], remove: string[], ...ids: string[]) =>
    calls.setFields({ ...materialsIn('acme', ...ids), set: { tags: { add, remove } } })
  await tag([' front page ', 'Ünïcode'], [], 'harbour', 'market', 'gone')
  await tag([], ['front page'], 'market')
  expect(changes()).toBe(2)
  expect(await calls.findMaterial({ site: 'acme', materialId: 'harbour' })).toMatchObject({
    tags: ['front page', 'Ünïcode'],
  })
  expect(await calls.materialFacets({ site: 'acme', archived: false })).toMatchObject({
    tags: [
      { value: 'Ünïcode', count: 2 },
      { value: 'front page', count: 1 },
    ],
    statuses: [
      { value: 'saved', count: 2 },
      { value: 'unsaved', count: 1 },
    ],
  })
  const filters = { ...noFilters, tags: ['front page', 'Ünïcode'] }
  expect(ids(await calls.queryMaterials({ ...everything, filters }))).toEqual(['harbour'])
  expect(ids(await calls.queryMaterials({ ...everything, text: 'unicode' })).toSorted()).toEqual(['harbour', 'market'])
  expect(await tag(['x'.repeat(65)], [], 'harbour')).toMatchObject({
    failure: { code: 'invalid_tag' },
  })

  const rename = (materialId: string, title: string) =>
    calls.setFields({ ...materialsIn('acme', materialId), set: { title, slug: 'hafen' } })
  expect(await rename('harbour', 'ÄRGER am Hafen')).toEqual({ ok: true, value: null })
  expect(ids(await calls.queryMaterials({ ...everything, text: 'hafen' }))).toEqual(['harbour'])
  expect(await rename('harbour', ' ')).toMatchObject({ failure: { field: 'title' } })
  expect(await rename('gone', 'Gone')).toMatchObject({
    failure: { code: 'unknown_material' },
  })
  expect(changes()).toBe(1)

  const view = { subject: 'materials', name: 'Front page', query: '{"tags":["front page"]}' } as const
  await calls.saveView({ site: 'acme', view })
  expect(await calls.listViews({ site: 'acme' })).toEqual([view])
  await calls.removeView({ site: 'acme', subject: 'materials', name: 'Front page' })
  expect(await calls.listViews({ site: 'acme' })).toEqual([])
  expect(changes()).toBe(2)
  expect(await calls.sectionCounts({ site: 'acme' })).toEqual({
    waiting: 2,
    materials: 3,
    failedSaves: { count: 0, unseen: 0, newest: null },
    unsignedSaves: null,
    gap: null,
    snapshots: 0,
  })
  expect(await calls.findObjects({ site: null, text: 'acme', limit: 5 })).toMatchObject({ found: [{ kind: 'site' }] })
  expect(await calls.findObjects({ site: 'acme', text: 'bread', limit: 5 })).toMatchObject({
    found: [{ kind: 'page', materialId: 'market' }],
  })
})

test('archived materials are out of lists, searches, counts and exports unless asked for, and their saves are stored', async () => {
  const { calls, changes, galley, service, post } = await setUp()
  const archive = (archivedAt: string | null) =>
    calls.setFields({ ...materialsIn('acme', 'harbour', 'gone'), set: { archivedAt } })
  expect(await archive(new Date().toISOString())).toEqual({ ok: true, value: null })
  expect(changes()).toBe(1)
  const inArchive = { ...everything, filters: { ...noFilters, archived: true } }
  expect(ids(await calls.queryMaterials(everything)).toSorted()).toEqual(['market', 'never-saved'])
  expect(await calls.queryMaterials(inArchive)).toMatchObject({ total: 1, rows: [{ materialId: 'harbour' }] })
  expect(ids(await calls.queryMaterials({ ...everything, text: 'oranges' }))).toEqual(['market'])
  expect(ids(await calls.queryMaterials({ ...inArchive, text: 'oranges' }))).toEqual(['harbour'])
  expect(await calls.findObjects({ site: 'acme', text: 'oranges', limit: 5 })).toMatchObject({
    found: [{ kind: 'page', materialId: 'market' }],
  })
  expect(await calls.sectionCounts({ site: 'acme' })).toMatchObject({ materials: 2 })
  const statuses = [
    { value: 'saved', count: 1 },
    { value: 'unsaved', count: 1 },
  ]
  const editors = [{ value: 'otto@a.test', count: 1 }]
  expect(await calls.materialFacets({ site: 'acme', archived: false })).toEqual({
    statuses,
    editors,
    tags: [],
    archived: 1,
  })
  expect(await calls.materialFacets({ site: 'acme', archived: true })).toMatchObject({
    statuses: [{ value: 'saved', count: 1 }],
    editors: [{ value: 'ida@a.test', count: 1 }],
  })
  const site = galley.index.sites.find('acme')!
  const exported = async (materials: string[]) => {
    const choice = { materials, pins: new Map<string, string>(), at: galley.now() }
    const source = await librarySource(galley.index, galley.vault, site, choice)
    return source.ok && source.value.pages.map(({ materialId }) => materialId)
  }
  expect([await exported([]), await exported(['harbour'])]).toEqual([['market'], ['harbour']])

  const before = await calls.findMaterial({ site: 'acme', materialId: 'harbour' })
  const save = aSave(service, { materialId: 'harbour', versionId: 'harbour-2', versionCdate: '2026-11-09T10:00:00Z' })
  expect((await post(save.body, save.headers)).json.rc).toBe(1)
  const after = await calls.findMaterial({ site: 'acme', materialId: 'harbour' })
  expect(after).toMatchObject({ versions: 2, archivedAt: before?.archivedAt })
  expect(Date.parse(after?.savedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(before?.archivedAt ?? ''))

  await archive(null)
  expect(ids(await calls.queryMaterials(everything))).toHaveLength(3)
  expect(await calls.materialFacets({ site: 'acme', archived: false })).toMatchObject({ archived: 0 })
})

test('materials are deleted with their versions once a person has agreed, and a later save of one counts as unknown', async () => {
  const { calls, asked, agreed, ended, galley, service, post, changeSite } = await setUp()
  const options = { site: 'acme', materialIds: ['harbour', 'never-saved', 'gone'] }
  const plan = await ended(await calls.startMaterialDelete({ ...options, isDryRun: true }))
  expect(plan).toMatchObject({
    kind: 'done',
    result: { isDryRun: true, versions: 1, list: [{ materialId: 'harbour' }] },
  })
  expect(asked).toEqual([])
  expect(await calls.startMaterialDelete({ ...options, isDryRun: false })).toEqual({ ok: true, value: null })
  expect(asked[0]).toMatchObject({
    message: 'Delete 2 materials?',
    detail: expect.stringContaining('1 version will be deleted'),
  })
  expect(await calls.findMaterial({ site: 'acme', materialId: 'harbour' })).not.toBe(null)

  agreed.push(true, true)
  const done = await ended(await calls.startMaterialDelete({ ...options, isDryRun: false }))
  if (plan?.kind !== 'done') expect.fail('There is no plan')
  expect(done).toEqual({ kind: 'done', result: { ...(plan.result as PruneReport), isDryRun: false } })
  expect(ids(await calls.queryMaterials(everything))).toEqual(['market'])
  expect(await calls.startMaterialDelete({ ...options, materialIds: ['market'], isDryRun: false })).toMatchObject({
    ok: true,
  })
  expect(asked[2]?.message).toBe('Delete “The market”?')

  const again = () => aSave(service, { materialId: 'harbour', versionId: 'harbour-1' })
  const refused = again()
  expect((await post(refused.body, refused.headers)).json).toMatchObject({ rc: 0, code: 'refused' })
  changeSite({ unknownMaterials: 'accept' })
  const accepted = again()
  expect((await post(accepted.body, accepted.headers)).json).toMatchObject({ rc: 1 })
  expect(galley.index.materials.find('acme', 'harbour')).toMatchObject({ versions: 1, currentVersionId: 'harbour-1' })
})

test('a failed save stays on its material until a later one is stored or a person dismisses it', async () => {
  const { calls, callbacks, galley, service, post } = await setUp()
  const { failedSaves } = galley.index
  const fails = async (materialId: string) => {
    const save = aSave(service, { materialId, archive: Buffer.from('no archive') })
    expect((await post(save.body, save.headers)).json).toMatchObject({ rc: 0, code: 'invalid_archive' })
  }
  const works = async (materialId: string, versionId: string) => {
    const save = aSave(service, { materialId, versionId })
    expect((await post(save.body, save.headers)).json).toMatchObject({ rc: 1 })
  }
  const failedOf = async (materialId: string) =>
    (await calls.findMaterial({ site: 'acme', materialId }))?.failedSave ?? null
  const marked = async () => {
    const { rows } = await calls.queryMaterials(everything)
    return rows.flatMap(({ materialId, failedSave }) => (failedSave ? [materialId] : [])).toSorted()
  }
  const narrowed = async (...statuses: (typeof noFilters.statuses)[number][]) =>
    ids(await calls.queryMaterials({ ...everything, filters: { ...noFilters, statuses } })).toSorted()
  const counts = async () => {
    const { count, unseen } = (await calls.sectionCounts({ site: 'acme' })).failedSaves
    return [count, unseen]
  }
  const facet = async () =>
    (await calls.materialFacets({ site: 'acme', archived: false })).statuses.find(
      ({ value }) => value === 'save_failed',
    )

  // What anybody can send, and what a rule was meant to refuse, is no failed save.
  const forged = aSave(service, { materialId: 'harbour' })
  await post(forged.body, { 'x-service-signature': '0'.repeat(64) })
  const unknown = aSave(service, { materialId: 'nobody-knows' })
  await post(unknown.body, unknown.headers)
  expect([await counts(), await marked(), await narrowed('save_failed'), await facet()]).toEqual([
    [0, 0],
    [],
    [],
    undefined,
  ])

  await fails('harbour')
  await fails('harbour')
  await fails('market')
  expect([await counts(), await marked(), await facet()]).toEqual([
    [3, 3],
    ['harbour', 'market'],
    { value: 'save_failed', count: 2 },
  ])
  expect(await narrowed('save_failed', 'unsaved')).toEqual(['harbour', 'market', 'never-saved'])
  expect((await calls.sectionCounts({ site: 'acme' })).failedSaves.newest).toMatchObject({
    materialId: 'market',
    title: 'The market',
  })

  // Looking at Callbacks calms the badge, nothing more.
  expect([failedSaves.markSeen('other'), failedSaves.markSeen('acme'), failedSaves.markSeen('acme')]).toEqual([
    false,
    true,
    false,
  ])
  expect([await counts(), await narrowed('save_failed')]).toEqual([
    [3, 0],
    ['harbour', 'market'],
  ])

  await works('harbour', 'harbour-2')
  expect([await counts(), await marked()]).toEqual([[1, 0], ['market']])

  await fails('market')
  const failed = await failedOf('market')
  const newest = failed?.callback ?? ''
  expect(failed).toMatchObject({ code: 'invalid_archive' })
  expect([...failedSaves.ofMaterials('acme')]).toEqual([['market', failed]])
  const isOpen = async () => {
    const detail = await callbacks.inspectCallback({ id: newest })
    return detail.ok && detail.value.isOpenFailure
  }
  expect(await isOpen()).toBe(true)
  // Dismissing a save includes earlier ones of its material, and can be taken back.
  await callbacks.dismissFailedSave({ id: newest, isDismissed: true })
  expect([await counts(), await marked(), await isOpen(), await facet()]).toEqual([[0, 0], [], false, undefined])
  await callbacks.dismissFailedSave({ id: newest, isDismissed: false })
  expect([await counts(), await marked(), await isOpen()]).toEqual([[2, 1], ['market'], true])
  await callbacks.dismissFailedSave({ id: newest, isDismissed: true })
  await fails('market')
  expect([await counts(), await marked()]).toEqual([[1, 1], ['market']])
  expect(failedSaves.isStorageAtFault('acme')).toBe(false)
})

test('saves that name a known page and the service, but not the secret, raise an advisory; noise raises none', async () => {
  const { calls, callbacks, galley, service, post, changeSite } = await setUp()
  const unsigned = async () => (await calls.sectionCounts({ site: 'acme' })).unsignedSaves
  const deliver = async (headers: Readonly<Record<string, string>>, save = aSave(service, { materialId: 'harbour' })) =>
    (await post(save.body, headers)).json
  const wrong = { 'x-service-signature': 'a'.repeat(64) }
  const rightly = (save: ReturnType<typeof aSave>) => Object.values(save.headers)[0] ?? ''
  const missing = await deliver({})
  const forged = await deliver(wrong, aSave(service, { materialId: 'nobody-knows' }))
  await deliver(
    wrong,
    aSave(service, { materialId: 'harbour', payload: { content_url: 'https://elsewhere.example/x' } }),
  )
  await deliver({ 'x-service-signature': 'not a signature' })
  expect([missing, forged]).toMatchObject([{ code: 'invalid_signature' }, { code: 'invalid_signature' }])
  expect(await unsigned()).toBeNull()

  expect(await deliver(wrong)).toEqual(forged)
  await deliver(wrong)
  const found = await unsigned()
  expect(found).toMatchObject({ count: 2, signedIn: null })
  const problems = sitesWithProblems(galley, await galley.sites.list())
  expect(problems).toMatchObject([{ id: 'acme', problems: [{ kind: 'unsigned_saves', count: 2 }] }])
  // Dismissed; a later one is reported again, until the site receives a save that is signed rightly.
  await callbacks.dismissUnsignedSaves({ site: 'acme' })
  expect(await unsigned()).toBeNull()
  await deliver(wrong)
  expect(await unsigned()).toMatchObject({ count: 1 })
  const stored = aSave(service, { materialId: 'market', versionId: 'market-2' })
  expect((await post(stored.body, stored.headers)).json).toMatchObject({ rc: 1 })
  expect(await unsigned()).toBeNull()
  // A callback that anybody repeats ends nothing; another secret does.
  await deliver(wrong)
  await post(stored.body, stored.headers)
  expect(await unsigned()).toMatchObject({ count: 1 })
  const site = galley.index.sites.find('acme')
  if (site === null) throw new Error('The test site is missing')
  await galley.sites.save(siteInputOf(site), 'another secret', { allowHttp: true })
  expect(await unsigned()).toBeNull()
  await galley.sites.save(siteInputOf(site), service.secret, { allowHttp: true })

  // Signed rightly, but in another header: it is named, and can become the site's.
  const save = aSave(service, { materialId: 'harbour', versionId: 'harbour-3' })
  const noise = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`x-noise-${at}`, 'b'.repeat(64)]))
  const elsewhere = { ...noise, 'x-verstka-signature': rightly(save) }
  expect(await deliver(elsewhere, save)).toEqual(missing)
  const other = await unsigned()
  expect(other).toMatchObject({ count: 1, signedIn: 'x-verstka-signature' })
  const id = other?.newest ?? ''
  expect(await callbacks.diagnoseCallback({ id })).toMatchObject({
    value: { findings: [{ code: 'other_header', header: 'x-verstka-signature' }] },
  })
  expect(await deliver({ 'x-noise-19': 'b'.repeat(64), ...elsewhere }, save)).toEqual(missing)
  expect(await unsigned(), 'at most 20 headers are tried').toMatchObject({ count: 1 })
  expect(await callbacks.adoptSignatureHeader({ id })).toEqual({ ok: true, value: null })
  expect(await unsigned()).toBeNull()
  expect(await deliver(elsewhere, save)).toMatchObject({ rc: 1 })
  changeSite({ signatureHeader: 'X-Service-Signature' })
})
