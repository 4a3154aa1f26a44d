import { describe, expect, it } from 'vitest'

import type { MaterialId, SiteId } from '../../../src/contract/ids.ts'
import type { Index } from '../../../src/main/db/library-index.ts'
import { acme, aVersion, openLibrary, storeVersion } from './sample.ts'

const open = (
  index: Index,
  materialId: string,
  more: { title?: string; slug?: string; sent?: string; session?: string; at?: string } = {},
) =>
  index.materials.recordOpen({
    site: acme.id,
    materialId: materialId as MaterialId,
    title: more.title ?? null,
    slug: more.slug ?? null,
    sessionId: more.session ?? 's-1',
    fingerprint: 'f-1',
    url: 'https://svc.test/editor/f-1',
    at: more.at ?? '2026-11-01T10:00:00.000Z',
    sentMetadata: more.sent ?? '{}',
  })

const ids = (found: readonly { materialId: string }[]) => found.map(({ materialId }) => materialId)

describe('materials', () => {
  it('are made by the first open, with their id as title and slug', async () => {
    const { index } = await openLibrary()
    open(index, 'post-1')
    expect(index.materials.find('acme', 'post-1')).toEqual({
      site: 'acme',
      materialId: 'post-1',
      title: 'post-1',
      slug: 'post-1',
      versions: 0,
      currentVersionId: null,
      savedAt: null,
      session: {
        sessionId: 's-1',
        fingerprint: 'f-1',
        url: 'https://svc.test/editor/f-1',
        lastAccess: '2026-11-01T10:00:00.000Z',
        keptUntil: '2026-11-15T10:00:00.000Z',
      },
    })
    expect(index.materials.find('acme', 'post-2')).toBe(null)
    expect(index.materials.find('other', 'post-1')).toBe(null)
  })

  it('keep title and slug when an open gives none, and take what an open gives', async () => {
    const { index } = await openLibrary()
    open(index, 'post-1', { title: 'Harbour', slug: 'harbour', sent: '{"a":1.0}' })
    open(index, 'post-1', { session: 's-2', at: '2026-11-02T10:00:00.000Z', sent: '{"b":[ ]}' })
    expect(index.materials.find('acme', 'post-1')).toMatchObject({
      title: 'Harbour',
      slug: 'harbour',
      session: { sessionId: 's-2', lastAccess: '2026-11-02T10:00:00.000Z' },
    })
    expect(index.materials.sentMetadata(acme.id, 'post-1' as MaterialId)).toBe('{"b":[ ]}')
    expect(index.materials.sentMetadata(acme.id, 'post-2' as MaterialId)).toBe(null)
  })

  it('are told apart unit by unit', async () => {
    const { index } = await openLibrary()
    const odd = ['Post', 'post', 'post ', '', 'pöst', 'po\u0308st', "o'--", '%', '日本', '\u{1F600}']
    for (const id of odd) open(index, id)
    expect(ids(index.materials.listByArrival('acme'))).toEqual(odd)
    for (const id of odd) expect(index.materials.find('acme', id)?.materialId).toBe(id)
  })

  it('are listed last saved first, the unsaved ones behind, up to a limit', async () => {
    const { index } = await openLibrary()
    for (const id of ['unsaved-1', 'a', 'b', 'unsaved-2']) open(index, id)
    storeVersion(index, aVersion('v1', { materialId: 'a' as MaterialId, receivedAt: '2026-11-01T10:00:02.000Z' }))
    storeVersion(index, aVersion('v2', { materialId: 'b' as MaterialId, receivedAt: '2026-11-01T10:00:01.000Z' }))
    expect(ids(index.materials.list('acme', 10))).toEqual(['a', 'b', 'unsaved-2', 'unsaved-1'])
    expect(ids(index.materials.list('acme', 1))).toEqual(['a'])
    expect(ids(index.materials.listByArrival('acme'))).toEqual(['unsaved-1', 'a', 'b', 'unsaved-2'])
    expect(index.materials.list('other', 10)).toEqual([])
  })
})

describe('search', () => {
  async function searchable() {
    const library = await openLibrary()
    const { index } = library
    open(index, 'post-1', { title: 'Über den Hafen' })
    open(index, 'winter_2026', { title: 'Snow' })
    storeVersion(index, aVersion('v1', { text: "Ships, cafés and O'Neill in 日本 since 1999" }))
    index.sites.put({ ...acme, id: 'other' as SiteId })
    storeVersion(index, aVersion('v2', { site: 'other' as SiteId, text: 'Ships elsewhere' }))
    return { ...library, found: (text: string) => ids(index.materials.search('acme', text, 10)) }
  }

  it('finds titles, ids and page text of one site, by the beginnings of words', async () => {
    const { found } = await searchable()
    for (const text of [
      'ship',
      'SHI',
      's',
      'hafen',
      'uber',
      'ÜB',
      'cafe',
      'cafés',
      'neill',
      "o'neill",
      '199',
      '日',
      'post-1',
      'post',
      'hafen ships',
      'ships hafen',
      '  hafen,ships! ',
    ]) {
      expect(found(text), text).toEqual(text === 's' ? expect.arrayContaining(['post-1', 'winter_2026']) : ['post-1'])
    }
    for (const text of ['winter', 'winter_2026', '2026', 'snow']) expect(found(text), text).toEqual(['winter_2026'])
    for (const text of ['hips', 'ships snow', 'elsewhere', 'harbour']) expect(found(text), text).toEqual([])
  })

  it('finds a word however its accents are written', async () => {
    const { index } = await openLibrary()
    storeVersion(index, aVersion('v1', { materialId: 'composed' as MaterialId, text: 'cafés' }))
    storeVersion(index, aVersion('v2', { materialId: 'decomposed' as MaterialId, text: 'cafe\u0301s' }))
    storeVersion(index, aVersion('v3', { materialId: 'hindi' as MaterialId, text: 'हिन्दी' }))
    for (const text of ['cafés', 'cafe\u0301s', 'cafes', 'CAFÉ', 'cafe\u0301']) {
      expect(ids(index.materials.search('acme', text, 10)).toSorted(), text).toEqual(['composed', 'decomposed'])
    }
    for (const text of ['हिन्दी', 'हिन्']) expect(ids(index.materials.search('acme', text, 10)), text).toEqual(['hindi'])
  })

  it('takes anything that can be typed as words or as nothing', async () => {
    const { found } = await searchable()
    for (const text of [
      '',
      ' ',
      '"',
      '""',
      "'",
      '*',
      '-',
      '()',
      '^',
      ':',
      '!?',
      '\u0000',
      '\u{1F600}',
      '\ud800',
      '\\',
      'NEAR(',
      '+',
      '--',
      ';',
    ]) {
      expect(found(text), text).toEqual([])
    }
    for (const text of [
      '"ships',
      'ships"',
      'ships*',
      '^ships',
      '-ships',
      'ships OR',
      '{title}',
      'title:ships',
      'ships)',
      '(ships',
      'NOT ships',
      'ships AND hafen',
      "ships'; DROP TABLE material; --",
      'NEAR(ships hafen)',
      'ships\u0000hafen',
    ]) {
      expect(() => found(text), text).not.toThrow()
    }
    expect(found('"ships" *hafen^')).toEqual(['post-1'])
    // Words of the query language are words like others here.
    expect(found('ships OR snow')).toEqual([])
    expect(found('ships NOT hafen')).toEqual([])
  })

  it('does not stall on a whole book pasted into it', async () => {
    const { found } = await searchable()
    const start = performance.now()
    found(Array.from({ length: 50_000 }, (_, at) => `w${at}`).join(' '))
    // Without a limit on the words this takes seconds, of the thread that answers callbacks.
    expect(performance.now() - start).toBeLessThan(500)
    expect(found('ships '.repeat(50_000))).toEqual(['post-1'])
  })

  it('knows a title as soon as an open gives it, and keeps the page text', async () => {
    const { index, found } = await searchable()
    open(index, 'post-1', { title: 'Lighthouse' })
    expect([found('lighthouse'), found('hafen'), found('ships')]).toEqual([['post-1'], [], ['post-1']])
  })

  it('shows the better match first, up to a limit', async () => {
    const { index } = await openLibrary()
    storeVersion(
      index,
      aVersion('v1', { materialId: 'rare' as MaterialId, text: `gull ${'other words '.repeat(200)}` }),
    )
    storeVersion(index, aVersion('v2', { materialId: 'often' as MaterialId, text: 'gull gull gull' }))
    expect(ids(index.materials.search('acme', 'gull', 10))).toEqual(['often', 'rare'])
    expect(ids(index.materials.search('acme', 'gull', 1))).toEqual(['often'])
  })
})
