import fc from 'fast-check'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'

import { placeOf, readPage } from '../../packages/compare/index.ts'

const asIs = () => null
const read = (html: string): readonly string[] =>
  readPage(html, asIs)
    .blocks.filter(({ isEmpty }) => isEmpty)
    .map(({ kind, text, pictures }) => [kind, text, ...pictures.map(({ name }) => name)].join(' ').trim())

/** The element at a path, found by the usual tree of the parser. */
function elementAt(html: string, path: readonly number[]): DefaultTreeAdapterTypes.Element | undefined {
  const elements = (parent: DefaultTreeAdapterTypes.ParentNode): readonly DefaultTreeAdapterTypes.Element[] =>
    parent.childNodes.filter((each): each is DefaultTreeAdapterTypes.Element => 'tagName' in each)
  let [element] = elements(parse(html, { scriptingEnabled: false }))
  for (const index of path) element = element === undefined ? undefined : elements(element)[index]
  return element
}

const textOf = (node: DefaultTreeAdapterTypes.ChildNode): string =>
  'value' in node
    ? node.value
    : 'childNodes' in node && node.nodeName !== 'noscript'
      ? node.childNodes.map(textOf).join('')
      : ''

const withoutSpace = (text: string): string => text.replace(/\s+/g, '')

describe('the blocks of a page', () => {
  it('are what a reader takes for one', () => {
    const html =
      '<h1>Head</h1><p>One <b>two</b>\n three<br>four</p><ul><li>a<ul><li><p>b</p></li></ul></li></ul><table><tr><td>c<td><td><p>d</table>' +
      '<figure><a href="/"><img src="/m/x%20y.jpg?1"></a><figcaption>e</figcaption></figure><img src="z.png"><iframe src="f"></iframe>' +
      '<div>direct <i>text</i><p>p</p>rest</div><blockquote>said</blockquote><p>so <math><mi>x</mi><mo>=</mo><mn>2</mn></math></p><pre>a  b\nc</pre><hr>'
    expect(read(`<body>${html}`)).toStrictEqual([
      'heading Head',
      'paragraph One two three\nfour',
      'list_item a',
      'list_item b',
      'cell c',
      'cell',
      'cell d',
      'figure e x y.jpg',
      'figure  z.png',
      'embed',
      'paragraph direct text',
      'paragraph p',
      'paragraph rest',
      'paragraph said',
      'paragraph so x=2',
      'paragraph a  b\nc',
      'container',
    ])
  })

  it('leave out what nobody sees', () => {
    expect(
      read('<body><script>a</script><style>b</style><noscript>c</noscript><template><p>d</template><!--e--><p>f'),
    ).toStrictEqual(['paragraph f'])
  })

  it('of a figure with a list in it are those of the list', () => {
    expect(read('<figure><figcaption>a</figcaption><ul><li>b<li>c</ul></figure>')).toStrictEqual([
      'figure a',
      'list_item b',
      'list_item c',
    ])
  })

  it('have a place of their own if they are texts directly in a container', () => {
    const { blocks } = readPage('<div>One <b>text</b> here<p>p</p>and <i>another</i> <u>one</u><p>q</p>end</div>', asIs)
    expect(blocks.filter(({ run }) => run !== null).map((block) => [block.text, placeOf(block)])).toStrictEqual([
      ['One text here', { path: [1, 0], run: { from: 0, to: 1 } }],
      ['and another one', { path: [1, 0], run: { from: 2, to: 4 } }],
      ['end', { path: [1, 0], run: { from: 5, to: 5 } }],
    ])
  })

  it('have paths of a limited length', () => {
    const { blocks } = readPage('<div><p>x</p>'.repeat(3000), asIs)
    expect(Math.max(...blocks.map((block) => placeOf(block).path.length))).toBeLessThanOrEqual(200)
    expect(
      blocks
        .map(({ text }) => text)
        .join('')
        .replaceAll('\n', ''),
    ).toHaveLength(3000)
  })

  it('are found again by their path in any markup', () => {
    const piece = fc.constantFrom(
      ...'<div> </div> <p> </p> <noscript> </noscript> <b> <i> </i> <table> <tr> <td> </table> <ul> <li> </ul> a b <a> <h2> </h2> <figure> <img> <br> <svg> </svg> <select> <body> <!--x--> <span> </span>'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = pieces.join('')
        for (const block of readPage(html, asIs).blocks) {
          const { path, run } = placeOf(block)
          const element = elementAt(html, path)
          expect(element?.tagName).toBe(block.element.name)
          if (element !== undefined && block.isEmpty && run === null && block.pictures.length === 0)
            expect(withoutSpace(textOf(element))).toBe(withoutSpace(block.text))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('have every character that a reader sees, once', () => {
    const piece = fc.constantFrom(
      ...'<div> </div> <p> </p> <b> <table> <tr> <td> </table> <ul> <li> a b c d <a> <h2> </h2> <figure> <br> <span> </span>'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = pieces.join('')
        const texts = readPage(html, asIs).blocks.map(({ text }) => text)
        expect(withoutSpace(texts.join(''))).toBe(withoutSpace(parse(html).childNodes.map(textOf).join('')))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['deep', '<div>'.repeat(50_000) + 'x'],
    ['deep in a line', '<p>' + '<span>'.repeat(50_000) + 'x'],
    ['many unfinished addresses', `<p style="${'url('.repeat(100_000)}">x`],
    ['many empty elements', '<hr>'.repeat(50_000) + 'x'],
    ['much white space', `<p>${' \n'.repeat(500_000)}x`],
    ['texts that are moved out of a table', '<table>' + '<b>'.repeat(2_000) + 'x'],
  ])('of a page with %s are read in one pass without recursion', (_, html) => {
    expect(read(html).some((each) => each.endsWith('x'))).toBe(true)
  })
})
