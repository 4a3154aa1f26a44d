import { describe, expect, it } from 'vitest'

import type { Index } from '../../../packages/library/db/library-index.ts'
import { noFilters } from '../../../src/ipc/materials.ts'
import { foundBy } from '../../support/found-by.ts'
import { searchedPages, searches } from '../../support/searches.ts'
import { acme, aVersion, openLibrary, storeVersion } from './sample.ts'

const open = (index: Index, materialId: string, title: string) =>
  index.materials.recordOpen({
    site: acme.id,
    materialId,
    title,
    slug: null,
    sessionId: 's-1',
    fingerprint: 'f-1',
    url: 'https://svc.test/editor/f-1',
    at: '2026-11-01T10:00:00.000Z',
    sentMetadata: '{}',
    callbackUrl: acme.callbackUrl,
  })

describe('search', () => {
  async function searchable() {
    const library = await openLibrary()
    const { index } = library
    open(index, 'post-1', 'Über den Hafen')
    open(index, 'winter_2026', 'Snow')
    storeVersion(index, aVersion('v1', { text: "Ships, cafés and O'Neill in 日本 since 1999" }))
    index.sites.put({ ...acme, id: 'other' })
    storeVersion(index, aVersion('v2', { site: 'other', text: 'Ships elsewhere' }))
    return { ...library, found: (text: string) => foundBy(index, text) }
  }

  it('finds titles, ids and page text of one site by prefixes of words', async () => {
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

  it('finds a word in any notation of its accents', async () => {
    const { index } = await openLibrary()
    storeVersion(index, aVersion('v1', { materialId: 'composed', text: 'cafés' }))
    storeVersion(index, aVersion('v2', { materialId: 'decomposed', text: 'cafe\u0301s' }))
    storeVersion(index, aVersion('v3', { materialId: 'hindi', text: 'हिन्दी' }))
    for (const text of ['cafés', 'cafe\u0301s', 'cafes', 'CAFÉ', 'cafe\u0301']) {
      expect(foundBy(index, text).toSorted(), text).toEqual(['composed', 'decomposed'])
    }
    for (const text of ['हिन्दी', 'हिन्']) expect(foundBy(index, text), text).toEqual(['hindi'])
  })

  it('finds the same words as a published site', async () => {
    const { index } = await openLibrary()
    for (const [materialId, text] of Object.entries(searchedPages)) {
      storeVersion(index, aVersion(`v-${materialId}`, { materialId, text }))
      open(index, materialId, '-')
    }
    const found = searches.map(([typed]) => [typed, foundBy(index, typed).toSorted()])
    expect(found).toEqual(searches)
    for (const [typed, ids] of searches) {
      const query = { site: acme.id, filters: noFilters, offset: 0, limit: 9, text: typed }
      const { rows } = index.materialList.query({ ...query, sort: { by: 'title', direction: 'up' } })
      expect(rows.filter(({ hit }) => hit?.excerpt.some(({ isHit }) => isHit)).length, typed).toBe(ids.length)
    }
  })

  it('reads any input as words or as nothing', async () => {
    const { found } = await searchable()
    for (const text of [
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
      'ships)',
      '(ships',
      'ships\u0000hafen',
      'ships AND hafen',
    ]) {
      expect(found(text), text).toEqual(['post-1'])
    }
    expect(found('"ships" *hafen^')).toEqual(['post-1'])
    // Operators of the query language are ordinary words here; the page only contains “and”.
    for (const text of [
      'ships OR',
      'ships OR snow',
      'NOT ships',
      'ships NOT hafen',
      '{title}',
      'title:ships',
      "ships'; DROP TABLE material; --",
      'NEAR(ships hafen)',
    ]) {
      expect(found(text), text).toEqual([])
    }
  })

  it('does not stall on a very long input', async () => {
    const { found } = await searchable()
    const before = process.threadCpuUsage()
    found(Array.from({ length: 50_000 }, (_, at) => `w${at}`).join(' '))
    // Without a limit on the words, this would block the thread that answers callbacks for seconds.
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(500)
    expect(found('ships '.repeat(50_000))).toEqual(['post-1'])
  })

  it('finds a title as soon as a session sets it, and keeps the page text', async () => {
    const { index, found } = await searchable()
    open(index, 'post-1', 'Lighthouse')
    expect([found('lighthouse'), found('hafen'), found('ships')]).toEqual([['post-1'], [], ['post-1']])
  })

  it('shows better matches first', async () => {
    const { index } = await openLibrary()
    storeVersion(index, aVersion('v1', { materialId: 'rare', text: `gull ${'other words '.repeat(200)}` }))
    storeVersion(index, aVersion('v2', { materialId: 'often', text: 'gull gull gull' }))
    expect(foundBy(index, 'gull')).toEqual(['often', 'rare'])
  })

  it('starts its excerpt just before the word, since lists truncate long texts', async () => {
    const { index } = await openLibrary()
    const lead = 'The ferries of the northern line leave the old harbour every hour until late in the evening and carry'
    storeVersion(index, aVersion('v1', { materialId: 'long', text: `${lead} passengers with bicycles` }))
    storeVersion(index, aVersion('v2', { materialId: 'glued', text: `${'x'.repeat(200)} passengers` }))
    storeVersion(index, aVersion('v3', { materialId: 'short', text: 'Few passengers' }))
    const sort = { by: 'title', direction: 'up' } as const
    const { rows } = index.materialList.query({
      site: acme.id,
      filters: noFilters,
      sort,
      offset: 0,
      limit: 9,
      text: 'passenger',
    })
    expect(rows.map(({ hit }) => hit?.excerpt)).toEqual([
      [
        { text: `…${'x'.repeat(23)} `, isHit: false },
        { text: 'passengers', isHit: true },
      ],
      [
        { text: '…the evening and carry ', isHit: false },
        { text: 'passengers', isHit: true },
        { text: ' with bicycles', isHit: false },
      ],
      [
        { text: 'Few ', isHit: false },
        { text: 'passengers', isHit: true },
      ],
    ])
  })
})
