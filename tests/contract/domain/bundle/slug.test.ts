import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { pageFolders } from '../../../../src/contract/domain/bundle/addresses.ts'
import { isBundlePath } from '../../../../src/contract/domain/bundle/paths.ts'
import { plainName } from '../../../../src/contract/domain/bundle/slug.ts'

const page = (slug: string, title = '', materialId = '') => ({ slug, title, materialId })

describe('folder names of pages', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['Щука и Ёж', 'shchuka-i-yozh'],
    ['Подъезд', 'podezd'],
    ['Crème Brûlée — déjà vu', 'creme-brulee-deja-vu'],
    ['Straße İstanbul Łódź', 'strasse-istanbul-lodz'],
    ['Ελλάδα', 'ellada'],
    ['news/2024/hello', 'news-2024-hello'],
    ['../../etc/passwd', 'etc-passwd'],
    ['.htaccess', 'htaccess'],
    ['ﬁne ①', 'fine-1'],
  ])('spells %j as %s', (slug, folder) => {
    expect(pageFolders([page(slug)])).toEqual([folder])
    expect(pageFolders([page(slug.normalize('NFD'))])).toEqual([folder])
  })

  it('falls back to the title, then the id, then a word', () => {
    expect(pageFolders([page('', 'A title', '7'), page('日本語', '日本語', 'Post 7'), page('', '', '日本')])).toEqual([
      'a-title',
      'post-7',
      'page',
    ])
  })

  it("avoids the names of Windows devices and of Galley's folders", () => {
    expect(pageFolders(['CON', 'nul', 'COM1', 'lpt9', 'Media', 'fonts', 'theme'].map((slug) => page(slug)))).toEqual([
      'con-page',
      'nul-page',
      'com1-page',
      'lpt9-page',
      'media-page',
      'fonts-page',
      'theme-page',
    ])
  })

  it('keeps the name of the first page, whatever pages come later', () => {
    const first = [page('about', '', '1'), page('About', '', '2'), page('ABOUT', '', '2!')]
    expect(pageFolders(first)).toEqual(['about', 'about-2', 'about-2-2'])
    expect(pageFolders([...first, page('about', '', '0')]).slice(0, 3)).toEqual(pageFolders(first))
  })

  it('are unique, short and safe on every system for any texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 90 }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'con',
        'AUX.txt',
        'a',
        'A',
        'á',
        'a\u0301',
        '..',
        ' . ',
        'media',
        'ﬀ',
        'ß',
        'ſ',
        'K',
        'İ',
        '\uD800',
      ),
    )
    const pages = fc.array(fc.record({ slug: text, title: text, materialId: text }), { maxLength: 30 })
    fc.assert(
      fc.property(pages, (all) => {
        const folders = pageFolders(all)
        expect(folders).toHaveLength(all.length)
        expect(new Set(folders).size).toBe(all.length)
        for (const folder of folders) {
          expect(folder).toMatch(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/)
          expect(folder).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d|media|fonts|theme)$/)
          expect(folder.length).toBeLessThanOrEqual(100)
          expect(isBundlePath(`${folder}/index.html`)).toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('are the same for composed and decomposed spellings of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(plainName(text.normalize('NFD'))).toBe(plainName(text.normalize('NFC')))
      }),
    )
  })
})
