import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { addressesOf } from '../../../packages/library/records/addresses.ts'
import { bytesOf, isPagePath, isTagFolder } from '../../../packages/library/records/page-path.ts'
import { isBundlePath } from '../../../packages/library/records/paths.ts'
import { addressName, plainName, withEnding } from '../../../packages/library/records/slug.ts'
import type { MaterialId } from '../../../packages/wire/ids.ts'

const page = (slug: string, title = '', materialId = '') => ({
  slug,
  title,
  materialId: materialId as MaterialId,
  path: null,
  redirectsFrom: [],
  feedPath: null,
})

describe('plain names', () => {
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
  ])('spell %j as %s', (text, name) => {
    expect(plainName(text)).toBe(name)
    expect(plainName(text.normalize('NFD'))).toBe(name)
  })

  it('are the same for composed and decomposed spellings of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(plainName(text.normalize('NFD'))).toBe(plainName(text.normalize('NFC')))
      }),
    )
  })
})

describe('addresses of new pages', () => {
  it('fall back to the title, then the id, then a word', () => {
    const pages = [page('', 'A title', '7'), page('', '', 'Post 7'), page('', '', '!')]
    expect(addressesOf(pages)).toEqual(['a-title', 'post-7', 'page-page'])
  })

  it("avoid the names of Windows devices and of Galley's folders", () => {
    const names = ['CON', 'nul', 'COM1', 'lpt9', 'Media', 'fonts', 'theme']
    expect(addressesOf(names.map((slug) => page(slug)))).toEqual(names.map((name) => `${name.toLowerCase()}-page`))
  })

  it('keep that of the first page, whatever pages come later', () => {
    const first = [page('about', '', '1'), page('About', '', '2'), page('ABOUT', '', '2!')]
    expect(addressesOf(first)).toEqual(['about', 'about-2', 'about-2-2'])
    expect(addressesOf([...first, page('about', '', '0')]).slice(0, 3)).toEqual(addressesOf(first))
  })

  it('are unique and usable on every system for any texts', () => {
    const odd = ['con', 'AUX.txt', 'a', 'A', 'á', 'a\u0301', '..', ' . ', 'media', 'ﬀ', 'ß', 'ſ', 'K', 'İ', '\uD800']
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 90 }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...odd),
    )
    const pages = fc.array(fc.record({ slug: text, title: text, materialId: text }), { maxLength: 30 })
    fc.assert(
      fc.property(pages, (all) => {
        const addresses = addressesOf(all.map(({ slug, title, materialId }) => page(slug, title, materialId)))
        expect(new Set(addresses).size).toBe(all.length)
        for (const address of addresses) {
          expect(isPagePath(address), address).toBe(true)
          expect(address).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d|media|fonts|theme)$/)
          expect(isBundlePath(`${address}/index.html`)).toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe('segments of addresses', () => {
  it.each([
    // Arabic with vowel marks, Hebrew, Persian with a joiner, Hindi, Bengali, Thai, Khmer, Korean, Japanese, Chinese.
    ['مرحبا بالعالم', 'مرحبا-بالعالم'],
    ['كِتَابٌ ١٢', 'كِتَابٌ-١٢'],
    ['שלום, עולם!', 'שלום-עולם'],
    ['צ׳כיה', 'צ-כיה'],
    ['می\u200cخواهم', 'میخواهم'],
    ['हिन्दी भाषा', 'हिन्दी-भाषा'],
    ['বাংলা', 'বাংলা'],
    ['น้ำท่วม ๒๕๖๙', 'น้ำท่วม-๒๕๖๙'],
    ['ភាសាខ្មែរ', 'ភាសាខ្មែរ'],
    ['한국어 소식', '한국어-소식'],
    ['ガイド：データベース', 'ガイド-データベース'],
    ['中文 — 标题（二）', '中文-标题-二'],
    ['თბილისი', 'თბილისი'],
    ['Հայաստան', 'հայաստան'],
    ['iPhone 手机 №5', 'iphone-手机-no5'],
    ['Привет, 世界', 'privet-世界'],
    ['☀️ 海', '海'],
    ['☀️', ''],
    ['㋀ a', '1-a'],
    ['Hello, World!', 'hello-world'],
    ["Don't Łódź ½ ①", 'dont-lodz-1-2-1'],
    ['Hawaiʻi', 'hawai-i'],
  ])('spell %j as %j', (text, name) => {
    expect(addressName(text)).toBe(name)
    expect(addressName(text.normalize('NFD'))).toBe(name)
    expect(name === '' || (isPagePath(name) && isTagFolder(name))).toBe(true)
  })

  it('have at most 200 bytes, end between letters, and keep an ending whole', () => {
    expect(addressName('海'.repeat(100))).toBe('海'.repeat(66))
    expect(addressName('กำ'.repeat(60))).toBe('กำ'.repeat(33))
    const thai = addressName('ก' + 'ที่'.repeat(60))
    expect(thai).toBe('ก' + 'ที่'.repeat(21))
    expect(addressName('x'.repeat(300))).toBe('x'.repeat(60))
    expect(withEnding(`a/${'海'.repeat(66)}`, '-material-12')).toBe(`a/${'海'.repeat(62)}-material-12`)
  })

  it('are addresses for any text, the same in any composition, and Latin as before', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom('\u0301a', '\u115f', '\ud800', 'İ', 'ǅ', '﷽', '\ufe0f', 'K', 'ﾃｽﾄ', 'e\u0301'.repeat(150)),
    )
    fc.assert(
      fc.property(text, text, (one, other) => {
        const name = addressName(`${one} ${other}`)
        expect(addressName(`${one} ${other}`.normalize('NFD'))).toBe(name)
        if (name === '') return
        expect(/^(?:con|prn|aux|nul|com\d|lpt\d|media|fonts|theme)$/.test(name) || isPagePath(name)).toBe(true)
        expect(bytesOf(name)).toBeLessThanOrEqual(200)
        expect(isBundlePath(`a/${name}/index.html`)).toBe(true)
        if (/^[a-z0-9-]*$/.test(name) && !/\p{DI}/u.test(one + other)) expect(name).toBe(plainName(`${one} ${other}`))
      }),
      { numRuns: 2000 },
    )
  })
})
