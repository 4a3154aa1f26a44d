import { describe, expect, it } from 'vitest'

import { dummyNames, knownUrls } from '../../../../packages/wire/text/references/finder.ts'
import { rewriteHtml } from '../../../../packages/wire/text/references/html.ts'

const urls = (...names: string[]): Map<string, string> =>
  new Map(names.map((name, index) => [name, `https://cdn.test/${index}`]))

/** The text with every reference replaced, and unknown ones in angle brackets. */
function marked(names: readonly string[], text: string): string {
  let result = ''
  let done = 0
  for (const { start, end, name, replacement } of dummyNames(urls(...names))(text)) {
    result += text.slice(done, start) + (replacement === null ? `<${name}>` : `[${name}]`)
    done = end
  }
  return result + text.slice(done)
}

/** What is found of unknown files in a page with this markup. */
const missingIn = (markup: string): readonly string[] => rewriteHtml(markup, dummyNames(new Map())).missing

describe('a name without its file', () => {
  it.each([
    ['a sign that ends a word', '<img src="dummy-photo@2x.png">', ['photo@2x.png']],
    ['a blank', '<img src=" ./dummy-my photo.png ">', ['my photo.png']],
    ['no extension', '<video poster=dummy-hero></video>', ['hero']],
    ['an encoded blank, a query and a fragment', '<img src="dummy-my%20photo.png?v=1#x">', ['my photo.png']],
    ['an ampersand', '<img src="dummy-R&amp;D.png">', ['R&D.png']],
    ['a line break, which browsers remove', '<img src="dummy-my pho\nto@2.png">', ['my photo@2.png']],
    ['capitals', '<a href="DUMMY-hero">', ['DUMMY-hero']],
    ['a path before it', '<img src="/img/dummy-photo@2x.png">', ['/img/dummy-photo@2x.png']],
    ['several candidates', '<img srcset="dummy-a@2x.png 2x, dummy-b,c 1x">', ['a@2x.png', 'b,c']],
    ['candidates without blanks', '<img srcset="dummy-a(1).png 2x,dummy-b(2).png,">', ['a(1).png', 'b(2).png']],
    ['a string of CSS', '<style>a { src: url("dummy-my face") }</style>', ['my face']],
    ['an address of CSS', '<p style="background: url(dummy-a@2x.png)">', ['a@2x.png']],
    ['a broken address of CSS', '<style>a { src: url(dummy-my face@2.woff) }</style>', ['my face@2.woff']],
    [
      'a NUL, which browsers replace',
      '<img src="dummy-ph\0oto.png"><img src="dummy-hero\0">',
      ['ph\uFFFDoto.png', 'hero\uFFFD'],
    ],
    ['an import', '<style>@import "dummy-base@1"</style>', ['base@1']],
  ])('is found in an address: %s', (_, markup, expected) => {
    expect(missingIn(markup)).toEqual(expected)
  })

  it.each([
    ['a sentence', '<p title="the dummy-text of a page">dummy-text</p>'],
    ['a longer word', '<img src="x-dummy-hero">'],
    [
      'a page in a folder',
      '<a href="/guide/dummy-variables"><a href="../dummy-variables/"><a href="dummy-variables/">',
    ],
    ['another site', '<a href="https://elsewhere.example/dummy-hero">'],
    ['a query', '<a href="page?x=dummy-hero">'],
    ['text of CSS', '<style>a::after { content: "dummy-hero" }</style>'],
  ])('is not found in %s', (_, markup) => {
    expect(missingIn(markup)).toEqual([])
  })
})

it('a name without an extension is found in another folder if it is one of a file', () => {
  const folders = '<img src="/dummy-hero"><a href="../dummy-a b?x"><img srcset="/x/dummy-logo 2x, dummy-logo 1x">'
  const find = dummyNames(urls('hero'), new Set(['a b', 'logo']))
  expect(rewriteHtml(folders, find).missing).toEqual(['/dummy-hero', '../dummy-a b', '/x/dummy-logo', 'logo'])
  const others =
    '<a href="/dummy-heroes"><a href="/dummy-hero/"><a href="/guide/dummy-variables"><p title="/dummy-hero">'
  expect(rewriteHtml(others, find).missing).toEqual([])
  const { text } = rewriteHtml('<img src="dummy-h\0">', dummyNames(new Map([['h\uFFFD', 'https://cdn.test/0']])))
  expect(text).toBe('<img src="https://cdn.test/0">')
})

describe('dummyNames', () => {
  it.each([
    ['the longest name wins', ['a.mp4', 'a.mp4.jpg'], 'dummy-a.mp4.jpg dummy-a.mp4', '[a.mp4.jpg] [a.mp4]'],
    ['a name inside a longer, unknown one', ['a.mp4'], 'dummy-a.mp4.jpg', '<a.mp4.jpg>'],
    ['a name behind other letters', ['a.png'], 'xdummy-a.png', 'xdummy-a.png'],
    ['a name that ends like another', ['a.png', 'aa.png'], 'dummy-aa.png,dummy-a.png', '[aa.png],[a.png]'],
    ['a path of another host', ['a.png'], 'https://x.test/dummy-a.png', 'https://x.test/dummy-a.png'],
    ['a name with an at sign, unknown', ['a.png'], 'dummy-a.png@2x.png', '<a.png@2x.png>'],
    ['a mail address', ['a.png'], 'me@dummy-a.png', 'me@dummy-a.png'],
    ['an encoded sign before', ['a.png'], '%20dummy-a.png', '%20dummy-a.png'],
    ['a query stays', ['a.png'], 'dummy-a.png?v=1', '[a.png]?v=1'],
    ['a fragment stays', ['i.woff'], 'dummy-i.woff?#iefix', '[i.woff]?#iefix'],
    ['every closing sign', ['a'], `dummy-a"dummy-a'dummy-a)dummy-a,dummy-a\\`, `[a]"[a]'[a])[a],[a]\\`],
    ['a folder in the name', ['a/x.png', 'a'], 'dummy-a/x.png', '[a/x.png]'],
    ['a slash continues a name', ['a'], 'dummy-a/x', 'dummy-a/x'],
    ['a name with blanks', ['a b.png', 'a'], 'dummy-a b.png dummy-a c', '[a b.png] [a] c'],
    [
      'signs that mean something to others',
      ['$&.png', '(1).png', '[x].png'],
      'dummy-$&.png dummy-(1).png dummy-[x].png',
      '[$&.png] [(1).png] [[x].png]',
    ],
    ['a name that holds the head', ['dummy-a.png', 'a.png'], 'dummy-dummy-a.png dummy-a.png', '[dummy-a.png] [a.png]'],
    ['a name that holds a reference', ['a dummy-b', 'b'], 'dummy-a dummy-b', '[a dummy-b]'],
    ['a letter of another script before', ['a.png'], 'йdummy-a.png', 'йdummy-a.png'],
    ['a letter of another script behind', ['a.png'], 'dummy-a.pngй', 'dummy-a.pngй'],
    ['a letter outside the basic plane', ['a.png'], '𝒳dummy-a.png dummy-a.png𝒳', '𝒳dummy-a.png dummy-a.png𝒳'],
    ['a picture sign beside', ['a.png'], '😀dummy-a.png😀', '😀[a.png]😀'],
    ['a combining mark behind', ['a'], 'dummy-a\u0301', 'dummy-a\u0301'],
    [
      'names that are properties of objects',
      ['a'],
      'dummy-__proto__ dummy-constructor',
      'dummy-__proto__ dummy-constructor',
    ],
    ['a word after the head', [], 'dummy-text', 'dummy-text'],
    ['a missing file, readable', [], 'dummy-g%20one.png', '<g one.png>'],
  ])('%s', (_, names, text, expected) => {
    expect(marked(names, text)).toBe(expected)
  })

  it('finds a composed name written decomposed, and the other way round', () => {
    expect(marked(['\u0439.png'], 'dummy-\u0438\u0306.png')).toBe('[\u0439.png]')
    expect(marked(['\u0438\u0306.png'], 'dummy-\u0439.png')).toBe('[\u0438\u0306.png]')
  })

  it('reads a name literally if both forms are files', () => {
    expect(marked(['\u0439.png', '\u0438\u0306.png'], 'dummy-\u0438\u0306.png dummy-\u0439.png')).toBe(
      '[\u0438\u0306.png] [\u0439.png]',
    )
  })

  it('finds no form that two files share', () => {
    // The Angstrom sign and its letter have one composed form, which is the letter: three spellings, two files.
    const names = ['\u212b\u0323.png', '\u00c5\u0323.png']
    expect(marked(names, 'dummy-\u1ea0\u030a.png')).toBe('<\u1ea0\u030a.png>')
  })

  it('does not write names that would need escaping in some place', () => {
    expect(() => dummyNames(new Map([['a.png', 'https://x.test/a"b']]))).toThrow(/Not safe/)
    expect(() => dummyNames(new Map([['a.png', '']]))).toThrow(/Not safe/)
  })
})

describe('knownUrls', () => {
  const find = knownUrls(
    new Map([
      ['https://a.test/m/x', '../m/1'],
      ['https://a.test/m/x.png', '../m/2.png'],
      ['http://b.test:8787/f/%20(.css', 'f.css'],
      ['http://[::1]:8787/m/x', 'six'],
    ]),
  )
  it.each([
    ['src="https://a.test/m/x.png"', ['../m/2.png']],
    ['https://a.test/m/x?w=1, https://a.test/m/x#y', ['../m/1', '../m/1']],
    ['https://a.test/m/x.png.jpg', []],
    ['https://a.test/m/x/y', []],
    ['https://proxy.test/https://a.test/m/x', []],
    ['url(http://b.test:8787/f/%20(.css)', ['f.css']],
    ['http://[::1]:8787/m/x', ['six']],
  ])('%s', (text, expected) => {
    expect(find(text).map(({ replacement }) => replacement)).toEqual(expected)
  })

  it('finds nothing when nothing is known', () => {
    expect(knownUrls(new Map())('https://a.test/m/x')).toEqual([])
  })
})
