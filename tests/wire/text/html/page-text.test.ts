import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { pageText } from '../../../../packages/wire/text/html/page-text.ts'

describe('pageText', () => {
  it.each([
    ['<h2>Second</h2><h1>First  one</h1>', 'First one', 'Second First one'],
    ['<title>Page</title><h2>He<b>ad</b></h2>', 'Head', 'Head'],
    ['<title> Page </title><p>x', 'Page', 'x'],
    ['<h1> </h1><h1>Real</h1>', 'Real', 'Real'],
    ['<p>a</p><p>b<br>c</p>d<i>e</i>f', null, 'a b c def'],
    ['<style>a{}</style><script>b</script><template>c</template><noscript>d</noscript>e', null, 'e'],
    ['<script type="application/json">{"a":1}</script>f &amp; &nbsp; g', null, 'f & g'],
    ['<svg><title>icon</title><text>label</text></svg>', null, 'label'],
    ['<h1><p>a</p><h1>b</h1></h1>', 'a', 'a b'],
    ['', null, ''],
  ])('%s', (html, title, text) => {
    expect(pageText(html, 1000)).toEqual({ title, text })
  })

  it('cuts between characters', () => {
    expect(pageText('ab😀', 3).text).toBe('ab')
    expect(pageText('ab😀', 4).text).toBe('ab😀')
  })

  it('accepts any input without throwing', () => {
    const soup = fc.array(
      fc.constantFrom(
        '<h1>',
        '</h1>',
        '<table>',
        '<td>',
        '<template>',
        '<svg>',
        '<title>',
        'x',
        ' ',
        '\0',
        '<!--',
        '-->',
        '<frameset>',
      ),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(soup, (parts) => {
        expect(pageText(parts.join(''), 50).text.length).toBeLessThanOrEqual(50)
      }),
      { seed: 20_260_810, numRuns: 500 },
    )
  })
})
