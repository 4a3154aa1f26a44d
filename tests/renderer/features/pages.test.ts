import { expect, test } from 'vitest'

import { pageDefaults } from '../../../src/contract/domain/site-model.ts'
import type { SitePageView } from '../../../src/contract/ipc/pages.ts'
import { menuDraftOf, menuOf, menuProblem, moved } from '../../../src/renderer/features/design/menu-draft.ts'
import { changesOf, draftOf, fullAddress } from '../../../src/renderer/features/pages/page-draft.ts'
import { readerTone, readerView } from '../../../src/renderer/features/pages/reader-view.ts'

const nowMs = Date.parse('2026-11-22T12:00:00.000Z')

const aPage = (over: Partial<SitePageView> = {}): SitePageView => ({
  materialId: 'one',
  title: 'One',
  slug: 'one',
  archivedAt: null,
  outgoingVersionId: 'v2',
  outgoingNumber: 2,
  currentVersionId: 'v2',
  updated: '2026-11-20T10:00:00.000Z',
  address: 'one',
  settings: pageDefaults,
  ...over,
})

test('the published page depends on archive, state, schedule and version, in the order of an export', () => {
  const kindOf = (over: Partial<SitePageView>): string => readerView(aPage(over), nowMs).kind
  const none = { outgoingVersionId: null, outgoingNumber: null }
  const later = { ...pageDefaults, notBefore: '2026-11-22T12:00:00.001Z' }
  expect(readerView(aPage(), nowMs)).toEqual({ kind: 'published', number: 2, isOlder: false })
  expect(readerView(aPage({ currentVersionId: 'v3' }), nowMs)).toMatchObject({ isOlder: true })
  expect(kindOf({ settings: { ...pageDefaults, notBefore: '2026-11-22T12:00:00.000Z' } })).toBe('published')
  expect(kindOf(none)).toBe('noVersion')
  expect(kindOf({ ...none, settings: later })).toBe('scheduled')
  expect(kindOf({ settings: { ...later, state: 'draft' } })).toBe('draft')
  expect(kindOf({ settings: { ...later, state: 'draft' }, archivedAt: '2026-11-01T00:00:00.000Z' })).toBe('archived')
  expect(kindOf({ settings: { ...pageDefaults, state: 'hidden' } })).toBe('hidden')
})

test('a page is green only once it has been published', () => {
  const toneOf = (published: string | null) => readerTone(aPage({ settings: { ...pageDefaults, published } }), nowMs)
  expect(toneOf(null)).toBe('busy')
  expect(toneOf('2026-11-20T10:00:00.000Z')).toBe('success')
})

test('the form sends changed fields, and reports the error of each field', () => {
  const settings = { ...pageDefaults, published: '2026-11-20T10:00:31.250Z', tags: ['Sea'], description: 'Said' }
  const kept = draftOf(aPage({ settings }))
  const changes = (over: Partial<typeof kept>) => changesOf({ ...kept, ...over }, kept, ['hero.png'])
  expect(changes({})).toEqual({ ok: true, value: {} })
  expect(
    changes({ address: ' Blog/One ', tags: 'Sea, Food,, Sea', description: ' ', language: 'pt-br', pinned: true }),
  ).toEqual({
    ok: true,
    value: { slug: 'Blog/One', tags: ['Sea', 'Food'], description: null, language: 'pt-BR', pinned: true },
  })
  expect(changes({ published: '' })).toEqual({ ok: true, value: { published: null } })
  const moment = '2026-11-23T09:30'
  expect(changes({ notBefore: moment })).toEqual({ ok: true, value: { notBefore: new Date(moment).toISOString() } })
  expect(changes({ socialImage: 'hero.png', redirects: '/old/One.html\ntags/sea' })).toEqual({
    ok: true,
    value: { socialImage: 'hero.png', redirectsFrom: ['old/One.html', 'tags/sea'] },
  })
  expect(
    changes({ address: 'tags', language: 'x!', canonical: 'example', socialImage: 'lost.png', redirects: 'a//b' }),
  ).toEqual({
    ok: false,
    failure: { address: 'reserved', language: 'language', canonical: 'url', socialImage: 'url', redirects: 'redirect' },
  })
  expect(changes({ canonical: 'https://u:p@example.org', socialImage: 'https://u:p@example.org/a.png' })).toEqual({
    ok: false,
    failure: { canonical: 'url', socialImage: 'url' },
  })
  expect(fullAddress('https://harbour.example/', ' Blog/One', false)).toBe('https://harbour.example/blog/one/')
  expect(fullAddress(null, 'one', true)).toBe('/')
})

test('menu items can be moved, and report what they lack', () => {
  const lines = menuDraftOf([
    { label: 'About', target: { material: 'about' } },
    { label: 'Tags', target: { url: '/tags/' } },
  ])
  expect(menuOf(moved(lines, 1, -1)).map(({ label }) => label)).toEqual(['Tags', 'About'])
  expect(moved(lines, 0, -1)).toBe(lines)
  const [line] = lines
  if (line === undefined) throw new Error('there are two')
  expect([
    menuProblem(line),
    menuProblem({ ...line, label: ' ' }),
    menuProblem({ ...line, materialId: null }),
    menuProblem({ ...line, kind: 'url', url: 'javascript:alert(1)' }),
    menuProblem({ ...line, kind: 'url', url: 'https://u:p@example.org' }),
  ]).toEqual([null, 'label', 'page', 'url', 'url'])
})
