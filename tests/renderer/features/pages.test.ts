import { expect, test } from 'vitest'

import { pageDefaults } from '../../../packages/library/records/site-model-fields.ts'
import { timeZone } from '../../../packages/library/records/time-zone.ts'
import type { SitePageView } from '../../../packages/library/views/pages.ts'
import { menuDraftOf, menuOf, menuProblem, moved } from '../../../src/renderer/features/design/menu-draft.ts'
import { changesOf, draftOf, fullAddress } from '../../../src/renderer/features/pages/page-draft.ts'
import { heldBack, onlineView, readerTone, readerView } from '../../../src/renderer/features/pages/reader-view.ts'

const nowMs = Date.parse('2026-11-22T12:00:00.000Z')

const aPage = (over: Partial<SitePageView> = {}): SitePageView => ({
  materialId: 'one',
  title: 'One',
  slug: 'one',
  archivedAt: null,
  outgoingVersionId: 'v2',
  outgoingNumber: 2,
  outgoingVerdict: null,
  currentVersionId: 'v2',
  currentNumber: 2,
  currentVerdict: null,
  online: [],
  updated: '2026-11-20T10:00:00.000Z',
  address: 'one',
  settings: pageDefaults,
  ...over,
})

test('the published page depends on archive, state, schedule and version, in the order of an export', () => {
  const kindOf = (over: Partial<SitePageView>): string => readerView(aPage(over), nowMs).kind
  const none = { outgoingVersionId: null, outgoingNumber: null }
  const later = { ...pageDefaults, notBefore: '2026-11-22T12:00:00.001Z' }
  expect(readerView(aPage(), nowMs)).toEqual({ kind: 'published', number: 2 })
  expect(kindOf({ settings: { ...pageDefaults, notBefore: '2026-11-22T12:00:00.000Z' } })).toBe('published')
  expect(kindOf(none)).toBe('noVersion')
  expect(kindOf({ ...none, settings: later })).toBe('scheduled')
  expect(kindOf({ settings: { ...later, state: 'draft' } })).toBe('draft')
  expect(kindOf({ settings: { ...later, state: 'draft' }, archivedAt: '2026-11-01T00:00:00.000Z' })).toBe('archived')
  expect(kindOf({ settings: { ...pageDefaults, state: 'hidden' } })).toBe('hidden')
})

test('what is online comes from the last releases, not from settings', () => {
  const published = { ...pageDefaults, published: '2026-11-20T10:00:00.000Z' }
  const live = { target: 'live', versionId: 'v2', number: 2, since: '2026-11-20T10:00:00.000Z' }
  const staging = { target: 'staging', versionId: 'v1', number: 1, since: '2026-11-19T10:00:00.000Z' }
  expect(onlineView(aPage())).toEqual({ kind: 'never' })
  // A date that somebody set, or an export.
  expect(onlineView(aPage({ settings: published }))).toEqual({ kind: 'gone' })
  expect(readerTone(aPage({ settings: published }), nowMs)).toBe('busy')
  expect(onlineView(aPage({ online: [live] }))).toEqual({ kind: 'online', since: live.since })
  expect(onlineView(aPage({ online: [live, staging] }))).toEqual({ kind: 'changed', since: staging.since })
  expect(onlineView(aPage({ online: [live], outgoingVersionId: 'v3' }))).toEqual({ kind: 'changed', since: live.since })
  const leftOut = { outgoingVersionId: null, outgoingNumber: null }
  expect(onlineView(aPage({ online: [live], ...leftOut }))).toEqual({ kind: 'online', since: live.since })
})

test('a newer version is held back for a reason', () => {
  const newer = { currentVersionId: 'v3', currentNumber: 3 } as const
  expect(heldBack(aPage())).toBeNull()
  expect(heldBack(aPage({ ...newer, currentVerdict: 'changes_requested' }))).toEqual({ why: 'rejected', number: 3 })
  expect(heldBack(aPage(newer))).toEqual({ why: 'not_approved', number: 3 })
  const chosen = { ...pageDefaults, version: 'v2' } as const
  expect(heldBack(aPage({ ...newer, currentVerdict: 'changes_requested', settings: chosen }))).toEqual({
    why: 'chosen',
    number: 3,
  })
  expect(heldBack(aPage({ ...newer, outgoingVersionId: null }))).toBeNull()
})

test('the form sends changed fields, and reports the error of each field', () => {
  const settings = { ...pageDefaults, published: '2026-11-20T10:00:31.250Z', tags: ['Sea'], description: 'Said' }
  const zone = timeZone('America/New_York')
  const kept = draftOf(aPage({ settings }), zone)
  expect(kept.published).toBe('2026-11-20T05:00')
  const changes = (over: Partial<typeof kept>) =>
    changesOf({ ...kept, ...over }, kept, { pictures: ['hero.png'], zone })
  expect(changes({})).toEqual({ ok: true, value: {} })
  expect(
    changes({ address: ' Blog/One ', tags: 'Sea, Food,, Sea', description: ' ', language: 'pt-br', pinned: true }),
  ).toEqual({
    ok: true,
    value: { slug: 'Blog/One', tags: ['Sea', 'Food'], description: null, language: 'pt-BR', pinned: true },
  })
  expect(changes({ published: '' })).toEqual({ ok: true, value: { published: null } })
  const moment = '2026-11-23T14:30:00.000Z'
  expect(changes({ notBefore: '2026-11-23T09:30' })).toEqual({ ok: true, value: { notBefore: moment } })
  expect(changes({ updated: '2026-11-23T09:30' })).toEqual({ ok: true, value: { updated: moment } })
  expect(changes({ updated: 'none' })).toEqual({ ok: true, value: { updated: 'none' } })
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
