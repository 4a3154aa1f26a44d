import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { compareIndexes, compareWithLog } from '../../../packages/library/db/open/compare-index.ts'
import type { OpenedLibrary } from '../../../packages/library/db/open/open-library.ts'
import { requestRebuild } from '../../../packages/library/db/open/rebuild-request.ts'
import { pageDefaults } from '../../../packages/library/records/site-model-fields.ts'
import { changePages } from '../../../packages/sites/pages/pages.ts'
import type { MaterialId } from '../../../packages/wire/ids.ts'
import { aVerdict } from '../../support/a-verdict.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { acme, aVersion, openAgain, openLibrary, storeVersion } from './sample.ts'

const id = (text: string): MaterialId => text
function save({ index }: OpenedLibrary, materialId: string, slug: string | null = null, title: string | null = null) {
  storeVersion(index, aVersion(`v-${materialId}`, { materialId: id(materialId), title }))
  if (slug !== null) index.materials.rename('acme', materialId, title ?? materialId, slug)
}

const addressesIn = ({ index }: OpenedLibrary) => Object.fromEntries(index.pages.addressesOf('acme'))

async function copyOf({ index }: OpenedLibrary): Promise<string> {
  const copy = join(await temporaryFolder(), 'copy.db')
  await index.copyTo(copy, () => undefined, new AbortController().signal)
  return copy
}

describe('addresses in a library', () => {
  it('are set together, and kept through renaming, archiving, verdicts and later materials', async () => {
    const { library, index } = await openLibrary()
    save(library, 'a', 'summer')
    save(library, 'b', 'summer')
    index.fields.set('material', 'acme', [{ materialId: 'never-saved' }], {
      refused: { reason: 'no', since: '2026-01-01T00:00:00.000Z' },
    })
    expect(addressesIn(library)).toEqual({ a: 'summer', b: 'summer-b' })
    expect(index.pages.isDecided('acme')).toBe(false)
    index.pages.decide(acme.id)
    const decided = addressesIn(library)
    const { position } = index.commit.mark()
    index.pages.decide(acme.id)
    expect(index.commit.mark().position, 'nothing is left to decide').toBe(position)

    index.materials.rename('acme', 'a', 'Another title', 'summer')
    index.fields.set('material', 'acme', [{ materialId: 'a' }], { archivedAt: '2026-01-01T00:00:00.000Z' })
    const rejected = { verdict: aVerdict('changes_requested') }
    index.fields.set('version', 'acme', [{ materialId: 'b', versionId: 'v-b' }], rejected)
    save(library, 'c', 'summer')
    expect(addressesIn(library)).toEqual({ ...decided, c: 'summer-c' })
    expect(index.materials.rename('acme', 'b', 'B', 'summer')).toEqual({ ok: true, value: null })
    expect(addressesIn(library), 'the slug that it had').toMatchObject(decided)
  })

  it('remain the identity of pages in feeds, wherever they move and whichever page takes their place', async () => {
    const { library, index } = await openLibrary()
    const known = (materialId: string) => {
      const { path, feedPath } = index.pages.find('acme', materialId)?.settings ?? pageDefaults
      return feedPath ?? path
    }
    save(library, 'a', 'summer')
    save(library, 'b', 'winter')
    index.pages.decide(acme.id)
    // Two pages change places.
    for (const [materialId, path] of [
      ['a', 'aside'],
      ['b', 'summer'],
      ['a', 'winter'],
    ] as const)
      // prettier-ignore
      expect(index.pages.move(acme.id, id(materialId), path)).toMatchObject({ ok: true })
    expect([known('a'), known('b')]).toEqual(['summer', 'winter'])
    // Their first addresses are left to others: by name, and not by themselves.
    index.pages.move(acme.id, id('b'), 'autumn')
    save(library, 'c', null)
    index.pages.move(acme.id, id('c'), 'summer')
    expect([known('b'), known('c')]).toEqual(['winter', 'summer-c'])
    index.pages.change(acme.id, [id('a'), id('b')], { redirectsFrom: [] })
    index.pages.move(acme.id, id('a'), 'elsewhere')
    index.pages.change(acme.id, [id('a')], { redirectsFrom: [] })
    save(library, 'd', 'winter')
    expect(addressesIn(library)).toMatchObject({ d: 'winter-d' })
  })

  it('redirect until a page that takes one of them is published', async () => {
    const { library, index } = await openLibrary()
    const redirects = (material: string) => index.pages.find('acme', material)?.settings.redirectsFrom
    const publish = (material: string) =>
      index.pages.publish(acme.id, [{ materialId: id(material), at: '2026-11-29T00:00:00.000Z' }])
    save(library, 'a', 'summer')
    index.pages.decide(acme.id)
    publish('a')
    index.pages.move(acme.id, id('a'), 'winter')
    save(library, 'b', 'b')
    index.pages.move(acme.id, id('b'), 'summer')
    expect([redirects('a'), redirects('b')]).toEqual([['summer'], []])
    // The list of redirects can still be changed.
    const longer = changePages(index, acme.id, [id('a')], { redirectsFrom: ['summer', 'old'] })
    expect([longer.ok, redirects('a')]).toEqual([true, ['summer', 'old']])
    // It leaves again before anybody has seen it there.
    index.pages.move(acme.id, id('b'), 'autumn')
    expect([redirects('a'), redirects('b')]).toEqual([['summer', 'old'], []])
    index.pages.move(acme.id, id('b'), 'summer')
    publish('b')
    expect(redirects('a')).toEqual(['old'])
    index.pages.move(acme.id, id('b'), 'spring')
    expect([redirects('a'), redirects('b')]).toEqual([['old'], ['summer', 'autumn']])
  })

  it('of a deleted material are free again', async () => {
    const { library, index } = await openLibrary()
    save(library, 'a', 'summer')
    index.pages.decide(acme.id)
    index.pages.move(acme.id, id('a'), 'winter')
    index.retention.removeMaterial('acme', 'a')
    save(library, 'b', 'summer')
    save(library, 'c', 'winter')
    expect(addressesIn(library)).toEqual({ b: 'summer', c: 'winter' })
  })

  it('are refused with the name of the other page that has them', async () => {
    const { library, index } = await openLibrary()
    save(library, 'a', 'summer', 'A summer')
    save(library, 'b', 'winter')
    index.pages.decide(acme.id)
    const taken = { ok: false, failure: { path: 'summer', materialId: 'a', title: 'A summer' } }
    expect(index.pages.move(acme.id, id('b'), 'summer')).toEqual(taken)
    expect(index.materials.rename('acme', 'b', 'B', 'Summer')).toEqual(taken)
    expect(index.materials.find('acme', 'b')?.slug, 'nothing was changed').toBe('winter')
    expect(index.pages.move(acme.id, id('nobody'), 'x')).toEqual({ ok: false, failure: 'unknown_material' })
  })
})

describe('folders of tags in a library', () => {
  const tag = ({ index }: OpenedLibrary, materialId: string, ...tags: string[]) =>
    index.pages.change(acme.id, [id(materialId)], { tags })
  const foldersIn = ({ index }: OpenedLibrary) => Object.fromEntries(index.pages.tagFolders('acme'))

  it('are kept when tags with the same letters come and go', async () => {
    const folder = await temporaryFolder()
    const library = await openAgain(folder)
    const { index } = library
    index.sites.put(acme)
    for (const name of ['a', 'b', 'c']) save(library, name)
    tag(library, 'a', 'C#')
    expect(index.pages.isDecided('acme')).toBe(false)
    index.pages.decide(acme.id)
    tag(library, 'b', 'C', ' c# ', 'C++')
    const folders = { 'c#': 'c', c: 'c-2', 'c++': 'c-3' }
    expect(foldersIn(library)).toEqual(folders)
    expect(index.pages.isDecided('acme')).toBe(false)
    index.pages.decide(acme.id)
    expect(index.pages.isDecided('acme')).toBe(true)
    tag(library, 'a')
    tag(library, 'b', 'c--')
    expect(foldersIn(library)).toEqual({ ...folders, 'c--': 'c-4' })
    library.close()
    requestRebuild(folder, 'index')
    expect(foldersIn(await openAgain(folder)), 'from the index').toEqual({ ...folders, 'c--': 'c-4' })
  })
})

it('a home page that was ever chosen is remembered, in a rebuilt index too', async () => {
  const folder = await temporaryFolder()
  const live = await openAgain(folder)
  const { publishing } = live.index
  for (const site of ['never', 'returned']) live.index.sites.put({ ...acme, id: site })
  publishing.change('never', { home: 'listing', postsPerPage: 5 })
  publishing.change('returned', { home: id('a') })
  publishing.change('returned', { home: 'listing' })
  const known = ({ index }: OpenedLibrary) => ['never', 'returned'].map(index.publishing.hasChosenHome)
  expect(known(live)).toEqual([false, true])
  live.close()
  for (const from of ['log', 'index'] as const) {
    requestRebuild(folder, from)
    const rebuilt = await openAgain(folder)
    expect(known(rebuilt), from).toEqual([false, true])
    rebuilt.close()
  }
})

it('the settings of a site are the same after a rebuild from the log, and from the index', async () => {
  const folder = await temporaryFolder()
  const live = await openAgain(folder)
  const { index } = live
  index.sites.put(acme)
  save(live, 'a', 'summer')
  save(live, 'b', 'summer')
  index.pages.decide(acme.id)
  index.pages.publish(acme.id, [{ materialId: id('a'), at: '2026-01-01T00:00:00.000Z' }])
  index.pages.publish(acme.id, [{ materialId: id('a'), at: '2027-01-01T00:00:00.000Z' }])
  index.pages.move(acme.id, id('a'), 'blog/2026/summer')
  index.pages.change(acme.id, [id('a'), id('b')], { tags: ['x', 'ü'], state: 'hidden', language: 'ar', pinned: true })
  index.pages.change(acme.id, [id('b')], { version: 'approved', pinned: false, description: 'Said' })
  index.publishing.change('acme', { home: id('a'), baseUrl: 'https://example.org/', themeSettings: { b: 1, a: true } })
  index.publishing.change('acme', { baseUrl: null, postsPerPage: 5 })
  const said = () => [index.pages.find('acme', 'a'), index.pages.find('acme', 'b'), index.publishing.of('acme')]
  expect(said()).toMatchObject([
    {
      settings: {
        path: 'blog/2026/summer',
        redirectsFrom: ['summer'],
        feedPath: 'summer',
        published: '2026-01-01T00:00:00.000Z',
        tags: ['x', 'ü'],
        state: 'hidden',
        language: 'ar',
        pinned: true,
        version: 'latest',
      },
      outgoingVersionId: 'v-a',
    },
    {
      settings: {
        ...pageDefaults,
        path: 'summer-b',
        tags: ['x', 'ü'],
        state: 'hidden',
        language: 'ar',
        version: 'approved',
        description: 'Said',
      },
      outgoingVersionId: null,
    },
    { home: 'a', baseUrl: null, postsPerPage: 5, themeSettings: { b: 1, a: true }, outgoing: 'not-rejected' },
  ])
  const before = said()
  const copy = await copyOf(live)
  const { differences } = await compareWithLog(copy, {
    log: live.log,
    library: index.library(),
    scratch: await temporaryFolder(),
  })
  expect(differences).toEqual([])
  live.close()
  requestRebuild(folder, 'index')
  const again = await openAgain(folder)
  const kept = [
    again.index.pages.find('acme', 'a'),
    again.index.pages.find('acme', 'b'),
    again.index.publishing.of('acme'),
  ]
  expect(kept).toEqual(before)
  const pagesDiffer = (await compareIndexes(copy, await copyOf(again))).filter(({ table }) =>
    /^page|site_setting/.test(table),
  )
  expect(
    pagesDiffer.map(({ table }) => table),
    'but for row ids',
  ).toEqual(expect.not.arrayContaining(['site_setting']))
})
