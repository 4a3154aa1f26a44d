import { describe, expect, it } from 'vitest'

import { rewriteCss } from '../../../../packages/wire/text/references/css.ts'
import { dummyNames } from '../../../../packages/wire/text/references/finder.ts'

const find = dummyNames(
  new Map([
    ['a.png', 'https://cdn.test/a'],
    ['a b.png', 'https://cdn.test/ab'],
    ['a(1).png', 'https://cdn.test/a1'],
    ["it's.png", 'https://cdn.test/its'],
    ['Й.woff', 'https://cdn.test/j'],
    ['fonts.css', 'https://cdn.test/fonts'],
  ]),
)
const rewritten = (css: string): string => rewriteCss(css, find).text

describe('rewriteCss', () => {
  it.each([
    ['unquoted', 'a{b:url(dummy-a.png)}', 'a{b:url(https://cdn.test/a)}'],
    ['blanks inside', 'a{b:url(  dummy-a.png  )}', 'a{b:url(  https://cdn.test/a  )}'],
    [
      'quoted',
      `a{b:url("dummy-a b.png") url('dummy-a.png')}`,
      `a{b:url("https://cdn.test/ab") url('https://cdn.test/a')}`,
    ],
    ['upper case', 'a{b:URL(dummy-a.png)}', 'a{b:URL(https://cdn.test/a)}'],
    ['an escape in the name of the function', 'a{b:u\\72l(dummy-a.png)}', 'a{b:u\\72l(https://cdn.test/a)}'],
    [
      'one before blanks and behind another value',
      'a{b:red u\\72 l( dummy-a.png )}',
      'a{b:red u\\72 l( https://cdn.test/a )}',
    ],
    ['one inside another', 'u\\72l(u\\72l(dummy-a.png)', 'u\\72l(u\\72l(https://cdn.test/a)'],
    ['one that is unclosed', 'a{b:\\75rl(dummy-a.png', 'a{b:\\75rl(https://cdn.test/a'],
    ['one before a string', 'a{b:u\\72l("dummy-a b.png")}', 'a{b:u\\72l("https://cdn.test/ab")}'],
    ['one in the name of another function', 'image\\-set("dummy-a.png" 1x)', 'image\\-set("https://cdn.test/a" 1x)'],
    ['one in the name of the rule', '@\\69mport "dummy-fonts.css";', '@\\69mport "https://cdn.test/fonts";'],
    ['tails', 'url(dummy-Й.woff?#iefix)', 'url(https://cdn.test/j?#iefix)'],
    ['percent-encoded', 'url(dummy-a%20b.png)', 'url(https://cdn.test/ab)'],
    ['percent-encoded Cyrillic, mixed case', 'url(dummy-%d0%99.woff)', 'url(https://cdn.test/j)'],
    ['escaped blank', 'url(dummy-a\\ b.png)', 'url(https://cdn.test/ab)'],
    ['escape by number, with the blank that ends it', 'url(dummy-a\\20 b.png)', 'url(https://cdn.test/ab)'],
    ['escape by six digits', 'url(dummy\\00002Da.png)', 'url(https://cdn.test/a)'],
    ['escaped quote', `url('dummy-it\\'s.png')`, `url('https://cdn.test/its')`],
    ['line break in a string', 'url("dummy-a\\\n.png")', 'url("https://cdn.test/a")'],
    ['a name that breaks the token', 'a{b:url(dummy-a b.png)}', 'a{b:url(https://cdn.test/ab)}'],
    ['a name that ends the token early', 'a{b:url(dummy-a(1).png);c:d}', 'a{b:url(https://cdn.test/a1);c:d}'],
    [
      'two broken names',
      'url(dummy-a(1).png) url(dummy-a(1).png)',
      'url(https://cdn.test/a1) url(https://cdn.test/a1)',
    ],
    [
      'image-set',
      'image-set("dummy-a.png" 1x, url(dummy-a.png) 2x)',
      'image-set("https://cdn.test/a" 1x, url(https://cdn.test/a) 2x)',
    ],
    ['prefixed image-set', '-webkit-image-set("dummy-a.png" 1x)', '-webkit-image-set("https://cdn.test/a" 1x)'],
    ['import by string', '@import "dummy-fonts.css" screen;', '@import "https://cdn.test/fonts" screen;'],
    ['import by string behind a comment', '@IMPORT/**/ "dummy-fonts.css";', '@IMPORT/**/ "https://cdn.test/fonts";'],
    ['import by url', '@import url(dummy-fonts.css);', '@import url(https://cdn.test/fonts);'],
    [
      'font-face',
      `@font-face{src:url(dummy-Й.woff) format('woff')}`,
      `@font-face{src:url(https://cdn.test/j) format('woff')}`,
    ],
    ['a line break behind the name', 'url("dummy-a.png\\\n?x")', 'url("https://cdn.test/a\\\n?x")'],
    ['a default inside', 'src(var(--x, "dummy-a.png"))', 'src(var(--x, "https://cdn.test/a"))'],
    ['parentheses inside', 'image( ("dummy-a.png") )', 'image( ("https://cdn.test/a") )'],
    [
      'a custom property',
      'a{--x:"dummy-a.png";b:image-set(var(--x) 1x)}',
      'a{--x:"https://cdn.test/a";b:image-set(var(--x) 1x)}',
    ],
    ['one without a semicolon', `a{--x : './dummy-a b.png' }`, `a{--x : 'https://cdn.test/ab' }`],
    ['one with an escaped name and a query', 'a{\\2d-x:"dummy-a.png?v=1"}', 'a{\\2d-x:"https://cdn.test/a?v=1"}'],
    ['unclosed string', 'a{b:url("dummy-a.png', 'a{b:url("https://cdn.test/a'],
    ['unclosed url', 'a{b:url(dummy-a.png', 'a{b:url(https://cdn.test/a'],
    ['byte order mark', '\uFEFFa{b:url(dummy-a.png)}', '\uFEFFa{b:url(https://cdn.test/a)}'],
  ])('replaces: %s', (_, css, expected) => {
    expect(rewritten(css)).toBe(expected)
  })

  it.each([
    ['comments', '/* url(dummy-a.png) */'],
    ['text', 'a{content:"dummy-a.png"}'],
    ['a string behind an import', '@import url(x.css) "dummy-a.png"'],
    ['a string behind a closed function', 'a{b:url("x") "dummy-a.png"}'],
    ['attribute selectors', 'a[href="dummy-a.png"]{}'],
    ['a longer text in a custom property', 'a{--x:"see dummy-a.png";--y:"dummy-a.png or so";c:"dummy-a.png"}'],
    ['a string behind a custom property', 'a{--x:red}b{content:"dummy-a.png"} c{d:var(--x) "dummy-a.png"}'],
    ['class names', '.dummy-a.png{}'],
    ['a longer name', 'a{b:url(dummy-a.png.jpg)}'],
    ['what a broken url does not begin', 'a{b:url(x y) /* url */ dummy-a.png}'],
    ['nor what is encoded there', 'a{b:url(x y) /* url */ dummy-a%2Epng}'],
    ['encoded signs behind the name', 'url(dummy-a.png%20x)'],
  ])('leaves alone: %s', (_, css) => {
    expect(rewritten(css)).toBe(css)
  })

  it('reports files that are not there, each once', () => {
    expect(rewriteCss('url(dummy-x.png) url("dummy-x.png") url(dummy-y%20z.png)', find).missing).toEqual([
      'x.png',
      'y z.png',
    ])
    expect(rewriteCss('a{--x:"dummy-x.png"; --y:"dummy-hero"; --z:"at dummy-y.png"}', find).missing).toEqual(['x.png'])
    expect(rewriteCss('url(dummy-x\0.png) url("dummy-a.png\0")', find).missing).toEqual(['x\uFFFD.png', 'a.png\uFFFD'])
  })
})
