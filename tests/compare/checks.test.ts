import { expect, it } from 'vitest'

import type { BlockPlace } from '../../packages/compare/blocks.ts'
import { readPage } from '../../packages/compare/blocks.ts'
import type { CheckFacts } from '../../packages/compare/checks.ts'
import { checksOf, newChecks } from '../../packages/compare/checks.ts'

// What a reader may trip over, and where it is.

const own = 'https://site.test/media/'
const facts: CheckFacts = {
  sizeOf: (address) => ({ [`${own}a.png`]: 10, [`${own}large.png`]: 2_000_000 })[address] ?? null,
  isOwn: (address) => address.startsWith('https://site.test/'),
  families: new Set(['garamond']),
}
const check = (html: string, over: Partial<CheckFacts> = {}) =>
  checksOf(
    readPage(html, () => null),
    { ...facts, ...over },
  )
const found = (html: string) => check(html).map(({ kind, what }) => [kind, what])

it.each([
  ['a file that is not stored', `<img alt="" src="${own}gone.png">`, [['broken', `${own}gone.png`]]],
  ['a file that was never sent', '<video src="dummy-film.mp4"></video>', [['broken', 'dummy-film.mp4']]],
  ['a place that is not in the page', '<a href="#gone">Notes</a>', [['broken', '#gone']]],
  ['a place that is', '<a href="#n%20o">Notes</a><p id="n o">x</p><a href="#">Up</a><a href="#top">Up</a>', []],
  [
    'a stored file, a page of the site, other schemes',
    `<img alt="" src="${own}a.png"><a href="about/">x</a><a href="mailto:a@b.c">x</a>`,
    [],
  ],
  ['a picture without words', `<img src="${own}a.png">`, [['alt', 'a.png']]],
  ['a decoration', `<img src="${own}a.png" role="presentation"><img src="${own}a.png" alt="">`, []],
  ['a skipped level', '<h1>A</h1><h2>B</h2><h4>C <em>d</em></h4><h2>E</h2><h3>F</h3>', [['heading_order', 'C d']]],
  ['a page that begins below', '<h2>A</h2><h3>B</h3>', []],
  [
    'links without words',
    `<a href="/x"> </a><a href="/y"><img alt="" src="${own}a.png"></a>`,
    [
      ['empty_link', '/x'],
      ['empty_link', '/y'],
    ],
  ],
  [
    'links with words for some',
    `<a href="/x" aria-label="More"></a><a href="/y"><img alt="Map" src="${own}a.png"></a><a name="z"></a>`,
    [],
  ],
  ['a picture of more than a megabyte', `<img alt="" src="${own}large.png">`, [['large_picture', 'large.png']]],
  [
    'addresses of other sites',
    '<a href="//other.test/x">x</a><iframe src="https://film.test/1"></iframe>',
    [
      ['outside', '//other.test/x'],
      ['outside', 'https://film.test/1'],
    ],
  ],
  ['a page of the site by its address', '<a href="https://site.test/about/">x</a>', []],
  [
    'a family that is nowhere',
    '<p style="font-family: Lost, Garamond, serif">x</p><p style="font: 12px Lost">y</p>',
    [['missing_face', 'lost']],
  ],
  [
    'a family that the page brings',
    '<style>@font-face{font-family:Mine;src:url(x)} h1{font-family:Mine}</style><h1>x</h1>',
    [],
  ],
] as const)('%s', (_name, html, expected) => expect(found(html)).toEqual(expected))

it('says nothing of fonts that are not known', () => {
  expect(check('<p style="font-family: Lost">x</p>', { families: null })).toEqual([])
})

it('says where each is', () => {
  const at = check('<article><p>x</p><p><b>y</b> <a href="#gone">z</a></p></article>').map((each) => each.at)
  expect(at).toEqual<BlockPlace[]>([{ path: [1, 0, 1, 1], run: null }])
})

it('tells new ones apart from those that the page had', () => {
  const before = check('<a href="#gone">x</a>')
  const after = check('<p><a href="#gone">x</a></p><a href="#lost">x</a><a href="#gone">x</a>')
  expect(newChecks(before, after)).toEqual([false, true, true])
})
