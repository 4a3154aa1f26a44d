import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { mediaReferences } from '../../../packages/library/records/media-references.ts'
import { ownUrls } from '../../../packages/sites/bundle/own-urls.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import {
  currentFontsCssPath,
  encodeSegment,
  fontsPath,
  hashStart,
  mediaPath,
  readMediaUrl,
} from '../../../packages/wire/protocol/public-url.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(...'/.%\\?#&;=+@:\'"()<>[]{}|^`!*,$ ~-_aZ0\u0000\n\u2028'.split('')),
    maxLength: 20,
  }),
  // Invalid UTF-16, which JSON can contain.
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe00f }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
)

describe('a segment of a public path', () => {
  it('has only letters, digits, -._~ and percent signs, and decodes to the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const segment = encodeSegment(text)
        expect(segment).toMatch(/^(?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*$/)
        expect(decodeURIComponent(segment)).toBe(text.toWellFormed())
      }),
      { seed: 20_261_101, numRuns: 2_000 },
    )
  })

  it('stays one unchanged segment when a browser parses the URL', () => {
    fc.assert(
      fc.property(
        anyText.filter((text) => text !== '.' && text !== '..'),
        (text) => {
          const url = new URL(`https://x.test/media/${encodeSegment(text)}/end?q`)
          expect(url.pathname).toBe(`/media/${encodeSegment(text)}/end`)
        },
      ),
      { seed: 20_261_102, numRuns: 2_000 },
    )
  })

  it('needs no escape where it is written: attribute, srcset, CSS, JSON', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const segment = encodeSegment(text)
        expect(JSON.stringify(segment)).toBe(`"${segment}"`)
        expect(segment).not.toMatch(/[\s"'`<>&=,;()\\{}]/)
      }),
      { seed: 20_261_103, numRuns: 500 },
    )
  })

  it.each([
    ['a.png', 'a.png'],
    ['a b.png', 'a%20b.png'],
    ['ü/%.png', '%C3%BC%2F%25.png'],
    ["it's (1)!*.png", 'it%27s%20%281%29%21%2A.png'],
    ['😀', '%F0%9F%98%80'],
    ['', ''],
  ])('%j is %s', (text, segment) => expect(encodeSegment(text)).toBe(segment))
})

it('the public paths are those of docs/api.md, section 3', () => {
  const sha256 = '0123456789abcdef'.repeat(4) as Sha256
  expect(mediaPath(sha256, 'deep/hero 1.png')).toBe('/media/0123456789abcdef0123456789abcdef/deep%2Fhero%201.png')
  expect(fontsPath('acme.1', 'snap/1')).toBe('/fonts/acme.1/snap%2F1/')
  expect(currentFontsCssPath('acme')).toBe('/fonts/acme/current.css')
})

const anyHash = fc
  .array(fc.constantFrom(...'0123456789abcdef'.split('')), { minLength: 64, maxLength: 64 })
  .map((digits) => digits.join('') as Sha256)
const base = 'https://cdn.test/a'

describe('a media path', () => {
  it('is read back by the parser and by both scanners of texts', () => {
    // A final full stop is taken for the end of a sentence, where pages are exported.
    const names = anyText.filter((text) => text !== '' && !text.endsWith('.')).map((text) => text.toWellFormed())
    fc.assert(
      fc.property(anyHash, names, fc.constantFrom('', base), (sha256, name, before) => {
        const url = before + mediaPath(sha256, name)
        const start = hashStart(sha256)
        expect(readMediaUrl(url)).toEqual({ base: before, hashStart: start, name })
        const bases = before === '' ? null : [before]
        expect(mediaReferences([`<img src="${url}">`], new Set(), { bases })).toContainEqual({ hashStart: start, name })
        const text = `<img src="${base}${mediaPath(sha256, name)}">`
        expect(ownUrls([base])(text).map((found) => found.name)).toEqual([base + mediaPath(sha256, name)])
      }),
      { seed: 20_261_128, numRuns: 1_000 },
    )
  })

  it.each([
    ['a folder in place of the file', `/media/${'a'.repeat(32)}/`],
    ['a short hash', `/media/${'a'.repeat(31)}/b.png`],
    ['a long hash', `/media/${'a'.repeat(33)}/b.png`],
    ['capital digits', `/media/${'A'.repeat(32)}/b.png`],
    ['another folder', `/files/${'a'.repeat(32)}/b.png`],
  ])('has not %s', (_, path) => {
    expect(readMediaUrl(path)).toBeNull()
    expect(mediaReferences([path], new Set())).toEqual([])
    expect(ownUrls([base])(base + path)).toEqual([])
  })

  it.each([
    ['a query', '?a'],
    ['a fragment', '#a'],
    ['another segment', '/a'],
    ['a broken percent-encoding', '%'],
  ])('has not %s at its end', (_, end) => expect(readMediaUrl(`/media/${'a'.repeat(32)}/b.png${end}`)).toBeNull())
})
