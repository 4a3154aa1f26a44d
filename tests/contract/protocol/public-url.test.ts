import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Sha256, SiteId, SnapshotId } from '../../../src/contract/ids.ts'
import { currentFontsCssPath, encodeSegment, fontsPath, mediaPath } from '../../../src/contract/protocol/public-url.ts'

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
  expect(fontsPath('acme.1' as SiteId, 'snap/1' as SnapshotId)).toBe('/fonts/acme.1/snap%2F1/')
  expect(currentFontsCssPath('acme' as SiteId)).toBe('/fonts/acme/current.css')
})
