import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { mediaReferences, referenceKey } from '../../../packages/library/records/media-references.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { hashStart, mediaPath } from '../../../packages/wire/protocol/public-url.ts'
import { rewriteCss } from '../../../packages/wire/text/references/css.ts'
import { knownUrls } from '../../../packages/wire/text/references/finder.ts'
import { rewriteHtml } from '../../../packages/wire/text/references/html.ts'
import { processorMs } from '../../support/processor-time.ts'

const base = 'https://files.test/galley'
const sha256 = '0123456789abcdef'.repeat(4) as Sha256
const start = hashStart(sha256)
const nothing: ReadonlySet<string> = new Set()
const namesIn = (text: string, bases: readonly string[] | null = null): readonly string[] =>
  mediaReferences([text], nothing, { bases })
    .filter((reference) => reference.hashStart === start)
    .map(({ name }) => name)

const url = base + mediaPath(sha256, 'a b.png')
const slashes = (slash: string): string => url.replaceAll('/', slash)

describe('mediaReferences finds a URL', () => {
  it.each([
    ['as it is', `<img src="${url}">`],
    ['with a blank that nobody encoded', `<img src="${url.replace('%20', '&#32;')}">`, 'a'],
    ['in running text', `See ${url}.`, 'a b.png.'],
    ['before a sign that a browser counts', `url(${url}|x)`],
    ['beside another one', `${base}/media/${'f'.repeat(32)}/x|${url}`],
    ['in JSON', JSON.stringify({ url })],
    ['in JSON with escaped slashes', slashes(String.raw`\/`)],
    ['in JSON inside JSON', slashes(String.raw`\\\/`)],
    ['in JSON inside JSON inside JSON', slashes(String.raw`\\\\\\\/`)],
    ['in JSON by number', slashes(String.raw`\u002F`)],
    ['in JSON inside JSON by number', slashes(String.raw`\\u002f`)],
    ['with decimal entities', slashes('&#47;')],
    ['with decimal entities that do not end', url.replace('/media', '&#047media')],
    ['with hexadecimal entities', slashes('&#x2F;')],
    ['with named entities', slashes('&sol;')],
    ['with entities inside markup', slashes('&amp;#x2f;')],
    ['with escaped backslashes', slashes('&#92;/')],
    ['with entities in JSON', slashes(String.raw`\u0026#47;`)],
    ['with CSS escapes', slashes(String.raw`\2f `)],
    ['with CSS escapes of six digits', slashes(String.raw`\00002f`)],
    ['with CSS escapes of signs', url.replaceAll(/[/m]/g, String.raw`\$&`)],
    ['with CSS escapes in an attribute', slashes('&#x5c;2f&#x20;')],
    ['with a line that CSS continues', url.replace('.png', '.p\\\nng')],
    ['with a line break inside', url.replace('media', 'me\n\tdia')],
    ['with a line break inside, in JSON', url.replace('.png', String.raw`.p\nng`)],
    ['with a percent-encoded name', url.replace('png', '%70%6eg')],
    ['with a percent-encoded path', url.replace('/media/0', '%2Fm%65dia%2f%30')],
    ['inside another URL', `https://resize.test/?u=${encodeURIComponent(url)}&w=9`],
  ])('%s', (_, text, name = 'a b.png') => {
    expect(namesIn(text)).toContain(name)
  })

  it('of these bases only, and reads it in one way then', () => {
    const other = `<img src="https://elsewhere.test${mediaPath(sha256, 'x.png')}">`
    expect(namesIn(other + slashes(String.raw`\/`) + String.raw`\n`, [base])).toEqual(['a b.png'])
  })

  it('unless its file is among the own ones, by hash and name', () => {
    const own = new Set([referenceKey({ hashStart: start, name: 'a b.png' })])
    const text = `<img src="${url}"><img src="${base + mediaPath(sha256, 'b.png')}">`
    expect(mediaReferences([text], own)).toEqual([{ hashStart: start, name: 'b.png' }])
  })
})

const hex = (sign: string): string => sign.charCodeAt(0).toString(16)
type Encode = (sign: string) => string
const json: Encode = (sign) => `\\u${hex(sign).padStart(4, '0')}`
const css: Encode = (sign) => `\\${hex(sign)} `
const entity: Encode = (sign) => `&#x${hex(sign)};`
const percent: Encode = (sign) => `%${hex(sign)}`
const breaks: Encode = (sign) => `\n${sign}`
/** Encodes a character, and then the signs of what that gave. */
const all =
  (first: Encode, second: Encode): Encode =>
  (sign) =>
    first(sign).replace(/[^a-z0-9]/gi, second)

/** Places where an export looks for URLs, and the ways to write a character there. */
const places: readonly (readonly [string, string, readonly Encode[]])[] = [
  ['<img src="', '">', [entity, percent, breaks, all(percent, entity)]],
  ['<img srcset="x.png 1x, ', ' 2x">', [entity, percent]],
  [`<i data-x='{"u":"`, `"}'>`, [entity, json, all(json, entity), percent]],
  ['<i srcdoc="<img src=', '>">', [entity, all(entity, entity)]],
  ['<i style="b:url(&quot;', '&quot;)">', [css, entity, all(css, entity), percent]],
  ['<style>a{b:url("', '")}</style>', [css, percent, all(percent, css), (sign) => `\\\n${sign}`]],
  ['<script type="application/json">["', '"]</script>', [json, entity, all(entity, json), percent, all(percent, json)]],
]
const names = [
  'a.png',
  'a b.png',
  'б/Й.png',
  '100%.png',
  '%41.png',
  "it's (1).png",
  'n.tar.gz',
  'x@2x.png',
  'a?b#c&d;e,f.png',
]
const signs = /[A-Za-z0-9\-._~:/%]/

const pieceArb = fc.record({
  name: fc.constantFrom(...names),
  place: fc.constantFrom(...places),
  which: fc.nat(9),
  /** Which characters are encoded. */
  every: fc.integer({ min: 1, max: 9 }),
  salt: fc.nat(8),
  tail: fc.constantFrom('', '', '?v=1', '#x', '|', '@2x', '&amp;x', '*'),
})

describe('mediaReferences, on generated pages', () => {
  it('finds every URL that an export rewrites', () => {
    const find = knownUrls(new Map(names.map((name, at) => [base + mediaPath(sha256, name), `m/${at}.bin`])))
    let rewritten = 0
    fc.assert(
      fc.property(pieceArb, ({ name, place: [before, after, encodings], which, every, salt, tail }) => {
        const encode = encodings[which % encodings.length] ?? String
        const written = Array.from(base + mediaPath(sha256, name))
          .map((sign, at) => (at > 0 && signs.test(sign) && (at + salt) % every === 0 ? encode(sign) : sign))
          .join('')
        const text = before + written + tail + after
        const outputs = [rewriteHtml(text, find).text, rewriteCss(text, find).text]
        for (const [at, shown] of names.entries()) {
          if (!outputs.some((output) => output.includes(`m/${at}.bin`))) continue
          rewritten++
          expect(namesIn(text), text).toContain(shown)
        }
      }),
      { seed: 20_261_127, numRuns: 5000 },
    )
    expect(rewritten).toBeGreaterThan(3000)
  })
})

it.each([
  ['entities', '&#47;media&#47;'],
  ['ampersands', '&amp;'],
  ['backslashes', '\\'],
  ['escaped line breaks', String.raw`\n`],
  ['line breaks', 'a\n'],
  ['percent-encoding', '%2f'],
  ['URLs', `/media/${start}/a%2520b.png `],
  ['URLs without a name', `/media/${start}/`],
])('reads a page of %s in linear time', async (_, piece) => {
  const cpuMs = (length: number) => {
    const text = piece.repeat(Math.ceil(length / piece.length))
    return processorMs(() => mediaReferences([text], nothing))
  }
  await cpuMs(2 ** 19)
  const small = await cpuMs(2 ** 20)
  expect((await cpuMs(2 ** 23)) / Math.max(small, 5)).toBeLessThan(24)
})
