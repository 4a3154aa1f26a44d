import { expect, test } from 'vitest'

import { pageDefaults, publishingDefaults } from '../../../../packages/library/records/site-model-fields.ts'
import type { PageChanges, PageSort } from '../../../../packages/library/views/pages.ts'
import type { PublishingChanges } from '../../../../src/ipc/pages.ts'
import { materialsIn } from '../../../support/records.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

const lastSaved: PageSort = { by: 'saved', direction: 'down' }

async function setUp() {
  const made = await createTestGalley()
  for (const materialId of ['one', 'two', 'three']) {
    await made.know(materialId)
    const { body, headers } = aSave(made.service, { materialId, html: `<h1>Page ${materialId}</h1>`, files: {} })
    expect((await made.post(body, headers)).json.rc).toBe(1)
  }
  return { ...made, ...testWindow(made.galley) }
}

test('the pages of a site are listed, shown and changed, one or several at once', async () => {
  const { calls, galley } = await setUp()
  const all = { site: 'acme', state: null, type: null, text: '', sort: lastSaved, offset: 0, limit: 2 }
  const listed = await calls.pagesOfSite(all)
  expect(listed.total).toBe(3)
  expect(listed.rows).toHaveLength(2)
  expect(listed.rows[0]).toMatchObject({ materialId: 'three', title: 'Page three', settings: pageDefaults })
  expect(await calls.pageSettings({ site: 'acme', materialId: 'one' })).toMatchObject({
    value: { address: 'page-one', settings: { path: null } },
  })
  expect(
    await calls.savePageSettings({
      site: 'acme',
      materialIds: ['one', 'two'],
      changes: { state: 'hidden', tags: ['x'], notBefore: '2999-01-01T00:00:00.000Z' },
    }),
  ).toEqual({
    ok: true,
    value: [{ materialIds: ['one', 'two'], settings: { state: 'published', tags: [], notBefore: null } }],
  })
  expect((await calls.pagesOfSite({ ...all, state: 'hidden' })).rows.map(({ materialId }) => materialId)).toEqual([
    'two',
    'one',
  ])
  expect((await calls.pagesOfSite({ ...all, state: 'draft' })).total).toBe(0)

  const move = (materialId: string, slug: string) =>
    calls.savePageSettings({ site: 'acme', materialIds: [materialId], changes: { slug } })
  expect((await move('one', '/Blog/One/')).ok).toBe(true)
  expect(await calls.pageSettings({ site: 'acme', materialId: 'one' })).toMatchObject({
    value: { address: 'blog/one', slug: 'Blog/One', settings: { path: 'blog/one', tags: ['x'] } },
  })
  const taken = { path: 'blog/one', materialId: 'one', title: 'Page one' }
  expect(await move('two', 'blog/one')).toMatchObject({
    failure: { code: 'address_taken', field: 'slug', ...taken },
  })
  expect(await move('two', 'con')).toMatchObject({
    failure: { code: 'invalid_address', state: 'reserved' },
  })
  expect(await move('nobody', 'x')).toMatchObject({ failure: { code: 'unknown_material' } })
  const several = await calls.savePageSettings({
    site: 'acme',
    materialIds: ['one', 'two'],
    changes: { slug: 'both' },
  })
  expect(several).toMatchObject({ failure: { code: 'invalid_address', state: 'several' } })
  // A rename in the table moves a page as well, and is refused as well.
  expect((await move('two', 'two')).ok).toBe(true)
  const rename = (slug: string) => calls.setFields({ ...materialsIn('acme', 'two'), set: { slug } })
  expect(await rename('blog/one')).toMatchObject({ failure: { code: 'address_taken', field: 'slug' } })
  expect((await rename('deux')).ok).toBe(true)
  expect(galley.index.pages.find('acme', 'two')?.settings).toMatchObject({ path: 'deux', redirectsFrom: ['two'] })
  const changes = { redirectsFrom: ['old', 'older', 'old'] }
  expect((await calls.savePageSettings({ site: 'acme', materialIds: ['two'], changes })).ok).toBe(true)
  expect(galley.index.pages.find('acme', 'two')?.settings.redirectsFrom).toEqual(['old', 'older'])
})

test('pages are found by title, id and address, and their tags are changed together', async () => {
  const { calls, galley } = await setUp()
  galley.index.materials.rename('acme', 'three', 'ДОБРОЕ утро', 'three')
  const ids = (text: string) => calls.pageIds({ site: 'acme', state: null, type: null, text, sort: lastSaved })
  expect(await ids('')).toEqual(['three', 'two', 'one'])
  expect(await ids('доброе УТРО')).toEqual(['three'])
  expect(await ids('PAGE o')).toEqual(['one'])
  await calls.savePageSettings({ site: 'acme', materialIds: ['two'], changes: { slug: 'blog/winter' } })
  expect(await ids('blog/win')).toEqual(['two'])
  const found = { site: 'acme', state: null, type: null, text: 'winter', sort: lastSaved, offset: 0, limit: 9 }
  const two = galley.index.pages.find('acme', 'two')
  expect(await calls.pagesOfSite(found)).toEqual({ total: 1, rows: [two] })
  expect(two).toMatchObject({ outgoingNumber: 1, currentVersionId: two?.outgoingVersionId })

  const tag = (materialIds: readonly string[], add: readonly string[], remove: readonly string[] = []) =>
    calls.tagPages({ site: 'acme', materialIds, add, remove })
  expect((await tag(['one', 'two'], ['Sea', ' sea '])).ok).toBe(true)
  expect((await tag(['two', 'three'], ['Food'], ['sea'])).ok).toBe(true)
  const tagsOf = (materialId: string) => galley.index.pages.find('acme', materialId)?.settings.tags
  expect(['one', 'two', 'three'].map(tagsOf)).toEqual([['Sea', 'sea'], ['Sea', 'Food'], ['Food']])
  expect(await calls.pageTags({ site: 'acme' })).toEqual(['Food', 'Sea', 'sea'])
  const many = Array.from({ length: 50 }, (_, at) => `tag ${at}`)
  expect(await tag(['three', 'one'], many)).toMatchObject({ failure: { code: 'invalid_tag', most: 50 } })
  expect(await tag(['one', 'nobody'], ['x'])).toMatchObject({ failure: { code: 'unknown_material' } })
  expect(await tag(['one'], ['a\u0000b'])).toMatchObject({ failure: { code: 'invalid_tag' } })
  expect(['one', 'three'].map(tagsOf), 'all or none').toEqual([['Sea', 'sea'], ['Food']])
})

test('pages are sorted by each column, and what is missing comes last both ways', async () => {
  const { calls, galley, service, post } = await setUp()
  const change = (materialId: string, changes: PageChanges) =>
    calls.savePageSettings({ site: 'acme', materialIds: [materialId], changes })
  await change('one', { state: 'hidden', published: '2024-05-01T00:00:00.000Z', slug: 'zebra' })
  await change('two', { state: 'draft', slug: 'ant' })
  await change('three', { published: '2025-05-01T00:00:00.000Z' })
  galley.index.materials.rename('acme', 'three', 'a third', 'three')
  const sorted = async (by: PageSort['by'], direction: PageSort['direction']) => {
    const filter = { site: 'acme', state: null, type: null, text: '', sort: { by, direction } }
    const ids = await calls.pageIds(filter)
    const rows = await calls.pagesOfSite({ ...filter, offset: 0, limit: 9 })
    expect(
      rows.rows.map(({ materialId }) => materialId),
      'the list and the ids agree',
    ).toEqual(ids)
    expect((await calls.pagesOfSite({ ...filter, offset: 1, limit: 1 })).rows[0]?.materialId).toBe(ids[1])
    return ids.join(' ')
  }
  expect([await sorted('title', 'up'), await sorted('title', 'down')]).toEqual(['three one two', 'two one three'])
  expect([await sorted('state', 'up'), await sorted('state', 'down')]).toEqual(['two three one', 'one three two'])
  expect([await sorted('published', 'up'), await sorted('published', 'down')]).toEqual([
    'one three two',
    'three one two',
  ])
  // The address of a page without a slug is decided with the first export.
  expect([await sorted('address', 'up'), await sorted('address', 'down')]).toEqual(['two one three', 'one two three'])
  expect([await sorted('saved', 'up'), await sorted('saved', 'down')]).toEqual(['one two three', 'three two one'])

  // A person chose an older version of the last one: readers see that one.
  const { body, headers } = aSave(service, {
    materialId: 'two',
    html: '<h1>Page two</h1><p>New</p>',
    files: {},
    versionCdate: '2026-11-02T10:00:00+00:00',
  })
  const versionId = galley.index.materials.find('acme', 'two')?.currentVersionId
  expect((await post(body, headers)).json.rc).toBe(1)
  expect((await sorted('updated', 'down')).split(' ')[0]).toBe('two')
  if (versionId !== null && versionId !== undefined) await change('two', { version: versionId })
  expect((await sorted('updated', 'down')).split(' ')[0]).not.toBe('two')
})

test('a change of several pages is taken back as one, each to what it said', async () => {
  const { calls, galley } = await setUp()
  const stateOf = (materialId: string) => galley.index.pages.find('acme', materialId)?.settings.state
  const all = ['one', 'two', 'three']
  await calls.savePageSettings({ site: 'acme', materialIds: ['two'], changes: { state: 'draft', tags: ['own'] } })
  const changed = await calls.savePageSettings({ site: 'acme', materialIds: all, changes: { state: 'hidden' } })
  if (!changed.ok) throw new Error(changed.failure.code)
  const tagged = await calls.tagPages({ site: 'acme', materialIds: all, add: ['new'], remove: ['own'] })
  if (!tagged.ok) throw new Error(tagged.failure.code)
  expect(all.map(stateOf)).toEqual(['hidden', 'hidden', 'hidden'])

  expect(await calls.restorePages({ site: 'acme', before: changed.value })).toEqual({ ok: true, value: null })
  expect(all.map(stateOf)).toEqual(['published', 'draft', 'published'])
  expect(galley.index.pages.find('acme', 'two')?.settings.tags, 'of that change alone').toEqual(['new'])
  await calls.restorePages({ site: 'acme', before: tagged.value })
  expect(galley.index.pages.find('acme', 'two')?.settings.tags).toEqual(['own'])

  const invented = [...changed.value, { materialIds: ['nobody'], settings: { state: 'draft' as const } }]
  expect(await calls.restorePages({ site: 'acme', before: invented })).toMatchObject({
    failure: { code: 'unknown_material' },
  })
  expect(all.map(stateOf), 'all or none').toEqual(['published', 'draft', 'published'])
})

test('a social image is a picture of the page or a web address', async () => {
  const made = await createTestGalley()
  await made.know('one')
  const { body, headers } = aSave(made.service, {
    materialId: 'one',
    html: '<h1>One</h1><img src="dummy-hero.png"><img src="dummy-plan.svg">',
    files: { 'hero.png': 'a picture', 'plan.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  })
  expect((await made.post(body, headers)).json.rc).toBe(1)
  const { calls } = testWindow(made.galley)
  const choose = (socialImage: string | null) =>
    calls.savePageSettings({ site: 'acme', materialIds: ['one'], changes: { socialImage } })
  for (const image of ['hero.png', 'https://cdn.example/picture?id=1', null])
    expect((await choose(image)).ok, String(image)).toBe(true)
  for (const image of ['lost.png', 'plan.svg', '/hero.png', 'javascript:alert(1)', 'ftp://x.example/y.png'])
    expect(await choose(image), image).toMatchObject({
      failure: { code: 'invalid_social_image', field: 'socialImage', image },
    })
})

test('what a page declares itself is read from the version that is published', async () => {
  const made = await createTestGalley()
  await made.know('one')
  const html =
    '<article lang="de"><h1>Titel</h1><p>Der erste Absatz.</p><img src="dummy-plan.svg"><img src="dummy-hero.png"></article>'
  const { body, headers } = aSave(made.service, {
    materialId: 'one',
    html,
    files: { 'plan.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>', 'hero.png': 'a picture' },
  })
  expect((await made.post(body, headers)).json.rc).toBe(1)
  const { calls } = testWindow(made.galley)
  const picture = { name: 'hero.png', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }
  expect(await calls.pageFallbacks({ site: 'acme', materialId: 'one' })).toEqual({
    ok: true,
    value: { description: 'Der erste Absatz.', language: 'de', picture, pictures: [picture] },
  })
  expect(await calls.pageFallbacks({ site: 'acme', materialId: 'two' })).toMatchObject({
    failure: { code: 'unknown_material' },
  })
})

test('a site says how it is published; a window names no folder and no material that is not there', async () => {
  const { calls } = await setUp()
  const save = (changes: Parameters<typeof calls.saveSitePublishing>[0]['changes']) =>
    calls.saveSitePublishing({ site: 'acme', changes })
  expect(await calls.sitePublishing({ site: 'acme' })).toEqual({ ok: true, value: publishingDefaults })
  const changes = { home: 'one', language: 'ar', postsPerPage: 3, footer: 'Fin' }
  expect(await save(changes)).toEqual({ ok: true, value: { ...publishingDefaults, ...changes } })
  expect(await save({ home: 'nobody' })).toMatchObject({ failure: { code: 'unknown_material' } })
  expect(await save({ theme: '/etc' })).toMatchObject({ failure: { code: 'path_not_chosen' } })
  expect(await calls.sitePublishing({ site: 'nobody' })).toMatchObject({ failure: { code: 'unknown_site' } })
})

test('code is added to pages only when a person has agreed in a system dialog', async () => {
  const { calls, galley, asked, agreed } = await setUp()
  const save = (changes: PublishingChanges) => calls.saveSitePublishing({ site: 'acme', changes })
  const [headSnippet, bodySnippet] = ['<meta name="x">', '<script src="https://evil.example/x.js"></script>']
  const refused = { ok: false, failure: { code: 'not_confirmed' } }
  expect(await save({ headSnippet, footer: 'Not alone' })).toMatchObject(refused)
  expect(galley.index.publishing.of('acme')).toEqual(publishingDefaults)
  agreed.push(true, false)
  expect((await save({ headSnippet })).ok).toBe(true)
  expect(await save({ headSnippet: bodySnippet, bodySnippet })).toMatchObject(refused)
  expect(asked.at(-1)?.detail).toContain(`At the end of the head:\nfrom ${headSnippet}\nto ${bodySnippet}`)
  expect(asked.at(-1)?.detail).toContain(`At the end of the body:\nfrom none\nto ${bodySnippet}`)
  // What is there already, or is taken away, runs nothing new.
  expect((await save({ headSnippet, footer: 'Words' })).ok).toBe(true)
  expect((await save({ headSnippet: '' })).ok).toBe(true)
  expect(asked).toHaveLength(3)
})
