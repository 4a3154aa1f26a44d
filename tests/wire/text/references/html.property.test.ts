import fc from 'fast-check'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'

import { entryNameProblem } from '../../../../packages/wire/protocol/archive.ts'
import { encodeSegment } from '../../../../packages/wire/protocol/public-url.ts'
import { rewriteCss } from '../../../../packages/wire/text/references/css.ts'
import { dummyNames } from '../../../../packages/wire/text/references/finder.ts'
import { rewriteHtml } from '../../../../packages/wire/text/references/html.ts'

// Pages are generated together with their expected result, so that the expectation shares no code with the replacement. Then
// parse5's public parser reads the result like a browser.

const endings = ['.png', '.mp4', '.mp4.jpg', '.tar.gz', '.png.webp', '']
const stems = [
  'a',
  'aa',
  'x-dummy-b',
  'dummy-a',
  'a b',
  '100%',
  'R&D',
  'q&copy;',
  'a#1',
  'it\'s "so"',
  '(1)',
  '[2]',
  'a,b',
  'a;b',
  'sub/a',
  'б/Й',
  'e\u0301',
  '日本',
  '😀',
  '$&',
  '$1',
  '{3}',
  'a=b',
  'wow.',
  '<b>',
  'a+b',
  '__proto__',
  '%41',
]
const nameArb = fc.tuple(fc.constantFrom(...stems), fc.constantFrom(...endings)).map(([stem, ending]) => stem + ending)
const namesArb = fc.uniqueArray(nameArb, { minLength: 1, maxLength: 12 })

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16)
const everyOther = (text: string, salt: number, encode: (character: string) => string): string =>
  Array.from(text)
    .map((character, index) => ((index * 7 + salt) % 3 === 0 ? encode(character) : character))
    .join('')
const percentBytes = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** Notations of a reference in a URL for the same file. A literal `%` would mean another file, so it is encoded. */
type Spelling = (reference: string, salt: number) => string
const spellings: readonly Spelling[] = [
  (reference) => reference.replaceAll('%', '%25'),
  (reference) => encodeURI(reference),
  (reference) => encodeURIComponent(reference),
  (reference, salt) =>
    everyOther(reference, salt, percentBytes)
      .replaceAll('%', (sign) => sign)
      .replace(/%(?![0-9a-f]{2})/g, '%25'),
  (reference) => Array.from(reference).map(percentBytes).join('').toUpperCase(),
]

const named: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', "'": '&apos;', '<': '&lt;', '>': '&gt;' }
/** Attribute values: required entities, and some unnecessary ones. */
const attributeText = (text: string, salt: number): string =>
  everyOther(
    text.replace(/[&"'<>]/g, (sign) => named[sign] ?? sign),
    salt,
    (character) => (/[a-z0-9&;#]/i.test(character) ? character : `&#x${hex(character)};`),
  )
const unquotedText = (text: string): string =>
  Array.from(text)
    .map((sign) => (/[\w.%/-]/.test(sign) ? sign : `&#x${hex(sign)};`))
    .join('')
const jsonText = (text: string, salt: number): string => {
  const unit = (sign: string): string =>
    sign
      .split('')
      .map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
  const plain = (sign: string): string => (sign === '/' && salt % 2 === 0 ? '\\/' : JSON.stringify(sign).slice(1, -1))
  return Array.from(text)
    .map((sign, index) => ((index + salt) % 4 === 0 || sign === '<' ? unit(sign) : plain(sign)))
    .join('')
}
const cssText = (text: string, salt: number): string =>
  Array.from(text)
    .map((sign, index) => ((index + salt) % 4 === 0 || /[^\w.%/-]/.test(sign) ? `\\${hex(sign)} ` : sign))
    .join('')

/** A part of a page: the input, the expected output, and what a browser reads at `id` afterwards. */
interface Piece {
  readonly input: string
  readonly output: string
  readonly read?: { readonly attribute: string; readonly value: string }
}
/** The text at the place of a reference, in the input and in the output. */
type Context = (id: string, write: (encode: (text: string, salt: number) => string) => Pair, tail: string) => Piece
type Pair = readonly [input: string, output: string]

const around = (before: string, [input, output]: Pair, after: string): Piece => ({
  input: before + input + after,
  output: before + output + after,
})
const attribute = (id: string, name: string, quote: string, value: Pair, url: string, extra = ''): Piece => ({
  ...around(`<i id=${id} ${extra}${name}=${quote}`, value, `${quote}>`),
  read: { attribute: name, value: url },
})

const contexts: readonly Context[] = [
  (id, write, tail) => {
    const [input, output] = write(attributeText)
    return attribute(id, 'src', '"', [input + tail, output + tail], output + tail)
  },
  (id, write) => attribute(id, 'data-x', "'", write(attributeText), write(attributeText)[1], 'alt="dummy-a.png" '),
  (id, write) => attribute(id, 'href', '', write(unquotedText), write(unquotedText)[1]),
  (id, write) => {
    const [input, output] = write(attributeText)
    const value: Pair = [`${input} 1x, ${input}?2 2x`, `${output} 1x, ${output}?2 2x`]
    return attribute(id, 'srcset', '"', value, value[1])
  },
  (id, write) => {
    const [input, output] = write((text, salt) => attributeText(cssText(text, salt), salt))
    const value: Pair = [`b:url(${input});content:'dummy-a.png'`, `b:url(${output});content:'dummy-a.png'`]
    return attribute(id, 'style', '"', value, value[1])
  },
  (_, write, tail) =>
    around('<style>a{b:url( ', write(cssText), `${tail} )}/* url(dummy-a.png) */ a{content:"dummy-a.png"}</style>`),
  (_, write, tail) => around(`<style>@import '`, write(cssText), `${tail}';</style>`),
  (_, write) => around('<style>a{b:image-set( "', write(cssText), '" 1x)}</style>'),
  (_, write, tail) =>
    around('<script type="application/json">{"dummy-a.png" : "', write(jsonText), `${tail}"}</script>`),
  (_, write) =>
    around(
      '<script data-vrstk-article-payload="">["<b src=\\"',
      write((text, salt) => jsonText(attributeText(text, salt), salt)),
      '\\">"]</script>',
    ),
]
const still = [
  '<p>dummy-a.png \r\n &amp; dummy-b</p>',
  '<!-- "dummy-a.png" -->',
  '<img alt="dummy-a.png">',
  '<!DOCTYPE html>',
  '<td>',
  '</p>',
  '<script>"dummy-a.png"</script>',
  '<textarea><i src="dummy-a.png"></textarea>',
  '<svg><g/></svg>',
  '\u0000',
  'é😀',
  '<table>',
  '<template><p></template>',
]

const pageArb = namesArb.chain((names) => {
  const reference = fc.record({
    name: fc.constantFrom(...names),
    context: fc.constantFrom(...contexts),
    spelling: fc.constantFrom(...spellings),
    tail: fc.constantFrom('', '?v=1', '#x', '?#iefix'),
    salt: fc.nat(20),
  })
  return fc.record({
    names: fc.constant(names),
    parts: fc.array(fc.oneof(reference, fc.constantFrom(...still)), { maxLength: 14 }),
  })
})

const urlOf = (name: string): string => `https://cdn.test/m/${encodeSegment(name)}`

/** Literally a name is itself; in percent-encoding it may read like another file, whose literal name then wins. */
const meant = (names: readonly string[], written: string, name: string): string =>
  names.find((other) => written === `dummy-${other}`) ?? name

function build(names: readonly string[], parts: readonly unknown[]): readonly Piece[] {
  return parts.map((part, index) => {
    if (typeof part === 'string') return { input: part, output: part }
    const { name, context, spelling, tail, salt } = part as {
      name: string
      context: Context
      spelling: Spelling
      tail: string
      salt: number
    }
    const written = spelling(`dummy-${name}`, salt)
    return context(`n${index}`, (encode) => [encode(written, salt), urlOf(meant(names, written, name))], tail)
  })
}

function* elements(node: DefaultTreeAdapterTypes.Node): Generator<DefaultTreeAdapterTypes.Element> {
  if ('attrs' in node) yield node
  if ('content' in node) yield* elements(node.content)
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child)
}

describe('rewriteHtml, on generated pages', () => {
  it('replaces every reference and no other byte, and a browser reads the URLs', () => {
    fc.assert(
      fc.property(pageArb, ({ names, parts }) => {
        const pieces = build(names, parts)
        const find = dummyNames(new Map(names.map((name) => [name, urlOf(name)])))
        const { text, missing } = rewriteHtml(pieces.map(({ input }) => input).join('\n'), find)
        expect(text).toBe(pieces.map(({ output }) => output).join('\n'))

        expect(missing).toEqual([])

        const byId = new Map(
          [...elements(parse(text))].map(({ attrs }) => {
            const values = new Map(attrs.map((attr) => [attr.name, attr.value]))
            return [values.get('id'), values]
          }),
        )
        pieces.forEach(({ read }, index) => {
          if (read !== undefined) expect(byId.get(`n${index}`)?.get(read.attribute)).toBe(read.value)
        })
        expect(rewriteHtml(text, find).text).toBe(text)
      }),
      { seed: 20_260_801, numRuns: 600 },
    )
  })

  const values = [
    'dummy-a.png', 'dummy-a.png (1).png', 'dummy-b', './dummy-a.png', 'dummy-a.png 1x, dummy-b 2x', 'dummy-\\61.png',
    'a:url(dummy-a.png)', 'dummy-a&period;png', '{&quot;x&quot;:&quot;dummy-a.png&quot;}', 'dummy-%61.png', 'page.html',
  ] // prettier-ignore
  const places = [
    '<img src="V">', '<img srcset="V">', '<i data-x="V"></i>', '<i style="V"></i>', '<i style="b:url(V)"></i>',
    '<style>a{b:url("V")}</style>', '<style>a{--x:"V"}</style>', '<svg><style>a{b:url("V")}</style></svg>', '<img alt="V">',
    '<script type="application/json">["V"]</script>', '<script>"V"</script>', '<a href="V"></a>', '<iframe srcdoc="V"></iframe>',
  ] // prettier-ignore
  const part = fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(...values))
    .map(([place, value]) => place.replace('V', value))
  const find = dummyNames(new Map([['a.png', 'https://cdn.test/m/a']]))
  const linked = (ref: string): string | null => (ref === 'page.html' ? 'other.html' : null)

  it.each([null, linked])('reads an element in the same way after any others', (rewriteLink) => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const alone = parts.map((each) => rewriteHtml(each, find, null, rewriteLink))
        const { text, missing } = rewriteHtml(parts.join(''), find, null, rewriteLink)
        expect(text).toBe(alone.map((each) => each.text).join(''))
        expect(missing).toEqual([...new Set(alone.flatMap((each) => each.missing))])
      }),
      { numRuns: 2000 },
    )
  })

  const soup = fc.array(
    fc.constantFrom(
      'dummy-',
      'a.png',
      '&',
      '&#',
      '&amp;',
      '%',
      '%2',
      '%64',
      '\\',
      '\\u00',
      '\\64 ',
      '"',
      "'",
      '<',
      '>',
      '</',
      '<style>',
      '</style>',
      '<script type=importmap>',
      '</script>',
      '<svg>',
      '<i a=',
      'style=',
      'url(',
      ')',
      '/*',
      '*/',
      '@import',
      ' ',
      '\r',
      '\n',
      '\0',
      '\uD83D',
      '\uDE00',
      '=',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
    ),
    { maxLength: 40 },
  )
  it('accepts any input without throwing, and is done after one pass', () => {
    const find = dummyNames(
      new Map([
        ['a.png', 'https://cdn.test/m/a'],
        ['%', 'https://cdn.test/m/b'],
      ]),
    )
    fc.assert(
      fc.property(soup, (parts) => {
        const once = rewriteHtml(parts.join(''), find).text
        expect(rewriteHtml(once, find).text).toBe(once)
        rewriteCss(parts.join(''), find)
      }),
      { seed: 20_260_802, numRuns: 3000 },
    )
  })
})

describe('any file name that a ZIP may bring', () => {
  const legalArb = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    // Illegal names, and blanks at the end, which browsers remove from an address.
    .filter((name) => entryNameProblem(name) === null && name.trim() === name && !name.endsWith(','))
  /** As an address says it: a sign with a meaning in URLs is encoded, and nothing else. */
  const said = (name: string): string => name.toWellFormed().replace(/[%?#]/g, encodeURIComponent)
  const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const inCss = (text: string): string => text.replace(/["\\]/g, String.raw`\$&`)
  const ways: readonly ((name: string) => string)[] = [
    (name) => `<img src="${attribute(`dummy-${said(name)}`)}">`,
    (name) => `<a href="${attribute(`./dummy-${said(name)}?v=1#x`)}">x</a>`,
    (name) => `<img src='dummy-${encodeSegment(name)}'>`,
    (name) => `<img srcset="dummy-${encodeSegment(name)} 2x, x.png">`,
    (name) => `<p style="${attribute(`background: url("${inCss(`dummy-${said(name)}`)}")`)}">`,
  ]

  it('is found as missing in every address', () => {
    fc.assert(
      fc.property(legalArb, fc.constantFrom(...ways), (name, way) => {
        expect(rewriteHtml(way(name), dummyNames(new Map())).missing).toEqual([name.toWellFormed()])
      }),
      { numRuns: 3000 },
    )
  })

  it('is replaced in every address, alone', () => {
    fc.assert(
      fc.property(legalArb, fc.constantFrom(...ways), (name, way) => {
        const { text, missing } = rewriteHtml(way(name), dummyNames(new Map([[name, 'https://cdn.test/f']])))
        expect({ missing, count: text.split('https://cdn.test/f').length - 1 }).toEqual({ missing: [], count: 1 })
      }),
      { numRuns: 3000 },
    )
  })

  it('is no reference in running text', () => {
    const wordArb = legalArb.filter((name) => !/[./%]/.test(name))
    fc.assert(
      fc.property(wordArb, (name) => {
        const text = attribute(`the dummy-${name} of it`)
        const page = `<p title="${text}">dummy-${attribute(name).replaceAll('<', '&lt;')}</p>`
        expect(rewriteHtml(page, dummyNames(new Map())).missing).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })
})
