import { describe, expect, it } from 'vitest'

import { pageFamilies } from '../../../../packages/library/fonts/read-families.ts'
import { commaParts, cssBlocks, cssText } from '../../../../packages/wire/text/css/declarations.ts'
import { fontFaces } from '../../../../packages/wire/text/css/font-faces.ts'

describe('@font-face', () => {
  it('is read with every source, comments and strings respected', () => {
    const css = `/* @font-face{font-family:No} */ @font-face { font-family: 'Inter; "V"'; font-weight: 100 900;
      src: local("Inter"), url( "a,b.woff2" ) format("woff2"), url(c.woff) format(woff); unicode-range: U+0-FF }
      @media print { @FONT-FACE { font-family: Two\\20 Words; font-style: italic; src: url(d.ttf) } } p { font-family: X }`
    expect(fontFaces(css)).toEqual([
      {
        family: 'Inter; "V"',
        weight: '100 900',
        style: 'normal',
        stretch: 'normal',
        unicodeRange: 'U+0-FF',
        sources: [
          { url: 'a,b.woff2', format: 'woff2' },
          { url: 'c.woff', format: 'woff' },
        ],
      },
      {
        family: 'Two Words',
        weight: 'normal',
        style: 'italic',
        stretch: 'normal',
        unicodeRange: null,
        sources: [{ url: 'd.ttf', format: null }],
      },
    ])
  })

  it('does not exist without a family, and invalid CSS is tolerated', () => {
    expect(fontFaces('@font-face{src:url(a)} }}} @font-face{font-family:A')).toMatchObject([
      { family: 'A', sources: [] },
    ])
    expect(fontFaces('@font-face{font-family:A;src:url(a b)}')).toMatchObject([{ family: 'A' }])
  })
})

it('splits values at commas outside of parentheses and strings', () => {
  expect(commaParts('a, url(b,c) d, "e,f"')).toEqual(['a', 'url(b,c) d', '"e,f"'])
  expect(cssText('"a\\"b\\41 "')).toBe('a"bA')
  expect(cssBlocks('color:red;font:1px A').at(-1)).toEqual({
    prelude: '',
    declarations: [
      { name: 'color', value: 'red' },
      { name: 'font', value: '1px A' },
    ],
  })
})

it.each([
  ['<style>p{font-family:"Harbour Sans",Arial,sans-serif}</style>', ['Harbour Sans'], []],
  ['<p style="font-family:&quot;A B&quot;, C">', ['A B', 'C'], []],
  ['<p style="font: italic 700 12px/1.4 Lora, serif">', ['Lora'], []],
  ['<svg><text font-family="Fira Code">x</text></svg>', ['Fira Code'], []],
  ['<style>@font-face{font-family:Own;src:url(a)} b{font-family:Own}</style>', ['Own'], ['Own']],
  ['<style>:root{--font-body:"Var Face"} p{font-family:var(--font-body)}</style>', ['Var Face'], []],
  ['<p>font-family: Text Only</p><script>"font-family:No"</script>', [], []],
  ['<style>p{font-family:inherit!important}</style>', [], []],
])('the families of %s', (html, families, own) => expect(pageFamilies(html)).toEqual({ families, own }))
