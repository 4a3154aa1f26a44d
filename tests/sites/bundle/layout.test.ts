import { describe, expect, it } from 'vitest'

import type { PageSettings } from '../../../packages/library/records/site-model-fields.ts'
import { pageDefaults } from '../../../packages/library/records/site-model-fields.ts'
import type { StoredFacts } from '../../../packages/sites/bundle/layout.ts'
import { layOut } from '../../../packages/sites/bundle/layout.ts'
import { aLayoutInput, aPage, mediaFile, shaOf } from './sample.ts'

describe('layout of a bundle', () => {
  it('puts pages newest first, and every file once', () => {
    const hero = mediaFile('hero.png', 'ab')
    const layout = layOut(
      aLayoutInput({
        pages: [
          aPage('1', { media: [hero] }),
          aPage('2', { versionCdate: '2024-05-01T23:30:00-05:00', media: [hero, mediaFile('other.png', 'ab')] }),
          aPage('3', { versionCdate: null, receivedAt: '2023-01-02T00:00:00.000Z' }),
        ],
      }),
    )
    expect(layout.pages.map(({ path, published }) => [path, published])).toEqual([
      ['slug-2/index.html', '2024-05-02T04:30:00.000Z'],
      ['slug-1/index.html', '2024-03-01T10:00:00.000Z'],
      ['slug-3/index.html', '2023-01-02T00:00:00.000Z'],
    ])
    expect(layout.blobs.map(({ path }) => path)).toEqual([
      `media/${shaOf('ab').slice(0, 32)}-hero.png`,
      `media/${shaOf('ab').slice(0, 32)}-other.png`,
    ])
    expect(layout.pathByUrl.get(hero.url)).toBe(`media/${shaOf('ab').slice(0, 32)}-hero.png`)
  })

  it('separates files whose names differ only in case, composition or folder', () => {
    const names = ['A.png', 'a.png', 'é.png', 'e\u0301.png', 'x/a.png', 'x-a.png']
    const media = names.map((name, index) => mediaFile(name, `${index}f`))
    const { blobs, pathByUrl } = layOut(aLayoutInput({ pages: [aPage('1', { media })] }))
    expect(blobs).toHaveLength(names.length)
    for (const { url, sha256 } of media) expect(pathByUrl.get(url)).toContain(sha256.slice(0, 32))
  })

  it('includes files of earlier versions and the fonts', () => {
    const old = mediaFile('old.png', 'cd')
    const font = mediaFile('Inter.woff2', 'ef')
    const fonts = { css: shaOf('ff'), cssUrls: ['https://x/a.css', 'https://x/current.css'], files: [font] }
    const { blobs, pathByUrl, fontsCss } = layOut(aLayoutInput({ furtherMedia: [old], fonts }))
    expect(blobs.map(({ path }) => path.split('/')[0])).toEqual(['fonts', 'media'])
    expect(pathByUrl.get('https://x/current.css')).toBe('fonts/fonts.css')
    expect(fontsCss).toBe(fonts.css)
  })

  it('reads missing settings from the page, and others from the site', () => {
    const [drawing, photo, chosen] = [mediaFile('a.svg', 'aa1'), mediaFile('b.jpg', 'bb1'), mediaFile('c.png', 'cc1')]
    const media = [drawing, photo, chosen]
    const facts: StoredFacts = {
      opening: 'word '.repeat(99).trim(),
      pictures: [drawing.url, photo.url],
      language: 'he',
      isUnindexed: false,
      leftOut: [],
    }
    const site = aLayoutInput().site
    const pageOf = (settings: Partial<PageSettings>, known = facts) =>
      layOut({
        ...aLayoutInput({ site, facts: new Map([[shaOf('aa'), known]]) }),
        pages: [aPage('1', { media, settings: { ...pageDefaults, ...settings } })],
      }).pages[0]
    const found = pageOf({})
    expect(found).toMatchObject({ language: 'he', dir: 'rtl', image: expect.stringContaining('-b.jpg') as string })
    expect(found?.description).toHaveLength(160)
    expect(found?.description.endsWith('word…')).toBe(true)
    expect(pageOf({ language: 'en', description: 'Said', socialImage: 'c.png' })).toMatchObject({
      language: 'en',
      dir: 'ltr',
      description: 'Said',
      image: expect.stringContaining('-c.png') as string,
    })
    expect(pageOf({ socialImage: 'gone.png' }), 'an image that is gone is replaced, and named').toMatchObject({
      image: expect.stringContaining('-b.jpg') as string,
      notes: [{ code: 'social_image_gone', image: 'gone.png' }],
    })
    expect(pageOf({ socialImage: 'c.png' })).toMatchObject({ notes: [], isIndexed: true })
    expect(pageOf({}, { ...facts, isUnindexed: true, leftOut: ['frameset'] })).toMatchObject({
      state: 'published',
      isIndexed: false,
      notes: [{ code: 'parts_left_out', parts: ['frameset'] }],
    })
    expect(pageOf({ state: 'hidden' })?.isIndexed).toBe(false)
    expect(pageOf({ socialImage: 'https://x.example/y.webp' })?.image).toBe('https://x.example/y.webp')
    expect(pageOf({ socialImage: 'https://x.example/picture?id=1' })?.image, 'a URL is used as it is').toBe(
      'https://x.example/picture?id=1',
    )
    expect(pageOf({}, { ...facts, opening: '', pictures: ['javascript:x.png'], language: null })).toMatchObject({
      description: '',
      image: null,
      language: 'en',
    })
  })

  it('finds a chosen picture of an earlier save by its name, and never one of another page', () => {
    const [own, foreign] = [mediaFile('cover.png', 'aa2'), mediaFile('hero.png', 'bb2')]
    const imageOf = (socialImage: string) =>
      layOut({
        ...aLayoutInput({ furtherMedia: [own, foreign], urls: new Map([[shaOf('aa'), [own.url]]]) }),
        pages: [aPage('1', { settings: { ...pageDefaults, socialImage } })],
      }).pages[0]?.image
    expect(imageOf('cover.png')).toContain('-cover.png')
    expect(imageOf('hero.png')).toBe(null)
  })

  it.each([
    // Imported: published years before it was saved here.
    [{ published: '2019-06-01T10:00:00.000Z' }, false, '2019-06-01'],
    [{ published: '2019-06-01T10:00:00.000Z', firstSaved: '2024-03-01T10:00:00.000Z' }, false, '2019-06-01'],
    [{ published: '2019-06-01T10:00:00.000Z', firstSaved: '2024-02-01T10:00:00.000Z' }, true, '2024-03-01'],
    // An earlier version again.
    [{ published: '2024-01-01T10:00:00.000Z', firstSaved: '2024-03-02T10:00:00.000Z' }, false, '2024-01-01'],
    [{ published: '2024-04-01T00:00:00.000Z', firstSaved: '2024-02-01T10:00:00.000Z' }, false, '2024-04-01'],
    // On the day of publication.
    [{ published: '2024-03-01T08:00:00.000Z', firstSaved: '2024-02-01T10:00:00.000Z' }, false, '2024-03-01'],
    [{ published: '2024-01-01T10:00:00.000Z', updated: '2024-02-02T10:00:00.000Z' }, true, '2024-02-02'],
    [
      { published: '2024-01-01T10:00:00.000Z', firstSaved: '2024-02-01T10:00:00.000Z', updated: 'none' },
      false,
      '2024-01-01',
    ],
  ])(
    'tells readers of an update only if a later version is out or it was set: %j',
    (settings, isUpdated, updatedDay) => {
      const input = aLayoutInput({ pages: [aPage('a', { settings: { ...pageDefaults, ...settings } })] })
      expect(layOut(input).pages[0]).toMatchObject({ isUpdated, updatedDay })
    },
  )

  it('has the days of the time zone of the site', () => {
    const daysIn = (timeZone: string) => {
      const { site } = aLayoutInput()
      const pages = ['2026-05-02T00:30:00.000Z', '2026-01-01T02:00:00.000Z'].map((published, at) =>
        aPage(String(at), { settings: { ...pageDefaults, published } }),
      )
      const layout = layOut(aLayoutInput({ site: { ...site, publishing: { ...site.publishing, timeZone } }, pages }))
      return layout.pages.map(({ publishedDay }) => publishedDay)
    }
    expect(daysIn('America/New_York')).toEqual(['2026-05-01', '2025-12-31'])
    expect(daysIn('Asia/Tokyo')).toEqual(['2026-05-02', '2026-01-01'])
    expect(daysIn('Asia/Nowhere')).toEqual(['2026-05-02', '2026-01-01'])
  })

  it('puts pinned pages first, then the last published, then by address', () => {
    const at = (published: string, pinned = false) => ({ ...pageDefaults, published, pinned })
    const { pages } = layOut(
      aLayoutInput({
        pages: [
          aPage('z', { settings: at('2026-01-02T00:00:00.000Z') }),
          aPage('b', { settings: at('2026-01-01T00:00:00.000Z') }),
          aPage('a', { settings: at('2026-01-01T00:00:00.000Z') }),
          aPage('p', { settings: at('1999-01-01T00:00:00.000Z', true) }),
        ],
      }),
    )
    expect(pages.map(({ materialId }) => materialId)).toEqual(['p', 'z', 'a', 'b'])
  })
})
