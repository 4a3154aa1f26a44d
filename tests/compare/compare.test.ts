import { describe, expect, it } from 'vitest'

import type { Comparison, Fact } from '../../packages/compare/index.ts'
import { compare, isUnchanged, metadataDiffers, readPage, summaryOf } from '../../packages/compare/index.ts'

const same = { state: false, fonts: false, metadata: false }
const document = (head: string, body: string): string =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
const between = (before: string, after: string, hashes: Readonly<Record<string, string>> = {}): Comparison => {
  const hashOf = (address: string): string | null => hashes[address] ?? null
  return compare(readPage(before, hashOf), readPage(after, hashOf), same)
}
const facts = (before: string, after: string): readonly Fact[] =>
  summaryOf(
    between(before, after),
    readPage(after, () => null),
  ).facts

const text = '<h1>One</h1><p>Two words and some more of them.</p>'

describe('two versions of a page', () => {
  it('with the same files at other addresses are equal', () => {
    const body = (folder: string): string =>
      `<p style="background: url('${folder}/a.png')">a</p><img src="${folder}/a.png" srcset="${folder}/a.png 2x"><a href="${folder}/b.pdf">b</a><video src="${folder}/b.pdf"></video>`
    const head = (folder: string): string =>
      `<link rel="stylesheet" href="${folder}/c.css"><style>p { background: url(${folder}/a.png) }</style><script src="${folder}/d.js"></script>`
    const files = ['a.png', 'b.pdf', 'c.css', 'd.js']
    const hashes = Object.fromEntries(
      ['v1', 'v2'].flatMap((folder) => files.map((file) => [`${folder}/${file}`, file])),
    )
    const [one, other] = [document(head('v1'), body('v1')), document(head('v2'), body('v2'))]
    expect(isUnchanged(between(one, other, hashes))).toBe(true)
    expect(isUnchanged(between(one, other))).toBe(false)
    expect(isUnchanged(between(one, other, { ...hashes, 'v2/a.png': 'another' }))).toBe(false)
  })

  it.each<[string, string, string]>([
    ['title', '<title>a</title>', '<title>b</title>'],
    ['description', '<meta name="description" content="a">', '<meta name="description" content="b">'],
    ['styles', '<link rel="stylesheet" href="a">', '<link rel="stylesheet" href="b">'],
    ['styles', '<style>a{}</style>', '<style>b{}</style>'],
    ['styles', '<style>a{}</style><style>b{}</style>', '<style>b{}</style><style>a{}</style>'],
    ['scripts', '<script>a</script>', '<script>b</script>'],
    ['scripts', '<noscript><link href="a"></noscript>', '<noscript><link href="b"></noscript>'],
    ['scripts', '<template><p>a</p></template>', '<template><p>b</p></template>'],
    ['data', '<meta property="og:title" content="a">', '<meta property="og:title" content="b">'],
    ['data', '<link rel="canonical" href="a">', '<link rel="canonical" href="b">'],
    ['data', '<base href="a/">', '<base href="b/">'],
  ])('differ in %s of the head: %s', (part, before, after) => {
    const { changes, head } = between(document(before, text), document(after, text))
    expect(changes).toStrictEqual([])
    expect(head.map((each) => each.part)).toStrictEqual([part])
    expect(facts(document(before, text), document(after, text))).toStrictEqual([{ kind: 'head', part }])
  })

  it('name the background pictures of their style sheets that changed', () => {
    const page = (...files: readonly string[]): string =>
      document(
        `<style>${files.map((file, at) => `p:nth-child(${at}) { background: url(v/${file}) }`).join('')}</style>`,
        text,
      )
    const files = (before: string, after: string): readonly (string | undefined)[] =>
      between(before, after).head.map((each) => each.files)
    expect(files(page('a.png', 'b.png'), page('b.png', 'c%20d.png'))).toEqual(['a.png → c d.png'])
    expect(files(page(), page('a.png'))).toEqual(['→ a.png'])
    expect(files(page('a.png', 'b.png'), page('b.png', 'a.png'))).toEqual([undefined])
  })

  it.each(['fonts', 'metadata'] as const)('with other %s are not unchanged', (part) => {
    const page = readPage(text, () => null)
    expect(isUnchanged(compare(page, page, { ...same, [part]: true }))).toBe(false)
  })

  it('with another state are unchanged for readers', () => {
    const page = readPage(text, () => null)
    const comparison = compare(page, page, { ...same, state: true })
    expect(isUnchanged(comparison)).toBe(true)
    expect(summaryOf(comparison, page).facts).toStrictEqual([{ kind: 'state' }])
  })

  it.each([
    ['a script in the text', '<script>1</script>', '<script>2</script>'],
    ['what a click does', '<p onclick="a()">x</p>', '<p onclick="b()">x</p>'],
    ['the address of a form', '<form action="a"><p>x</p></form>', '<form action="b"><p>x</p></form>'],
    ['the language of the page', '<html lang="en"><p>x', '<html lang="ru"><p>x'],
    ['a frame', '<iframe src="a"></iframe>', '<iframe src="b"></iframe>'],
    ['a space that does not break', '<p>a b</p>', '<p>a&nbsp;b</p>'],
    ['the place of a frame', '<p>a b c d</p><iframe src="a"></iframe>', '<iframe src="a"></iframe><p>a b c d</p>'],
    ['the number of a repeated text', '<p>x</p><p>x</p>', '<p>x</p><p>x</p><p>x</p>'],
    [
      'a link in a split text',
      '<p>One two. <a href="a">Three</a> four.</p>',
      '<p>One two.</p><p><a href="b">Three</a> four.</p>',
    ],
  ])('differ in %s', (_, before, after) => {
    expect(isUnchanged(between(before, after))).toBe(false)
  })
})

it('an empty page and one with a text differ in the text', () => {
  expect(between('', '<p>x').changes.map(({ kind, block }) => [kind, block])).toStrictEqual([['inserted', 'paragraph']])
  expect(between('<p>x', '').changes.map(({ kind, block }) => [kind, block])).toStrictEqual([['removed', 'paragraph']])
})

it.each<[boolean, string | null, string | null]>([
  [false, '{"desk":"news","version_id":"1"}', '{ "version_id": "2", "desk": "news" }'],
  [false, '{"last":{"user_email":"a@b.example","user_ip":"::1"}}', '{"last":{"version_cdate":"now"}}'],
  [false, null, '{}'],
  [true, '{"desk":"news"}', '{"desk":"sports"}'],
  [true, '{"n":1}', '{"n":1.0}'],
  [true, '{"n":12345678901234567890}', '{"n":12345678901234567891}'],
  [true, '{"a":{"b":{"version_id":1}}}', '{"a":{"b":{"version_id":2}}}'],
  [true, 'no json', 'none'],
])('metadata differ (%s): %s, %s', (differs, one, other) => {
  expect(metadataDiffers(one, other)).toBe(differs)
})

describe('the facts of the sentence', () => {
  const figure = (file: string, caption: string): string =>
    `<figure><img src="${file}"><figcaption>${caption}</figcaption></figure>`
  const article = (headline: string, standfirst: string, file: string, ...rest: readonly string[]): string =>
    `<h1>${headline}</h1><p>${standfirst}</p>${figure('first.jpg', 'First caption here')}${figure(file, 'Second caption here')}${rest.join('')}`
  const long = 'Trains run at night again, and more people travel with them than ten years ago.'

  it('name the standfirst and the number of a picture', () => {
    expect(facts(article('Night', long, 'a.jpg'), article('Night', long.slice(0, 41), 'b.jpg'))).toStrictEqual([
      { kind: 'shortened', block: 'paragraph', count: 1, place: 'standfirst', of: null, picture: null },
      { kind: 'picture', block: 'figure', count: 1, place: null, of: 'picture', picture: 2 },
    ])
  })

  it('count what has no name, and neighbours that moved together once', () => {
    const texts = Array.from(
      { length: 8 },
      (_, at) => `<p>Paragraph number ${at} says something else about topic ${at}${at}.</p>`,
    )
    expect(
      facts(
        article('Night', long, 'a.jpg', ...texts),
        article('Night', long, 'a.jpg', ...texts.slice(2), ...texts.slice(0, 2)),
      ),
    ).toStrictEqual([{ kind: 'moved', block: 'paragraph', count: 1, place: null, of: null, picture: null }])
    expect(
      facts(article('Night', long, 'a.jpg', ...texts), article('Night', long, 'a.jpg', ...texts.slice(3))),
    ).toStrictEqual([{ kind: 'removed', block: 'paragraph', count: 3, place: null, of: null, picture: null }])
  })

  it('are none for equal pages', () => {
    expect(facts(text, text)).toStrictEqual([])
  })
})
