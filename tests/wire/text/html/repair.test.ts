import fc from 'fast-check'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { parse, serialize } from 'parse5'
import { describe, expect, it, test } from 'vitest'

import { pageParts } from '../../../../packages/sites/bundle/render/whole-document.ts'
import { repaired } from '../../../../packages/wire/text/html/html-scan.ts'

describe('markup is repaired to fit into a document', () => {
  it.each([
    ['<p>a <!-- b <i>c', '<p>a <!---->'],
    ['<<!-- b -', '<<!---->'],
    ['<p>a <!-- b -->', '<p>a <!-- b -->'],
    ['a<!b', 'a<!---->'],
    ['a<?php b', 'a<!---->'],
    ['a <a href="b', 'a '],
    ['a <a href="<b>', 'a '],
    ['a</p', 'a'],
    ['a <', 'a &lt;'],
    ['a </', 'a &lt;/'],
    ['a & b &am', 'a & b &am'],
    ['<div><p>a', '<div><p>a</p></div>'],
    ['<p>a<b>b<i>c', '<p>a<b>b<i>c</i></b>'],
    ['<p><b>a</p>', '<p><b>a</p></b>'],
    ['<p><a href="b">c</p>', '<p><a href="b">c</p></a>'],
    ['<div><plaintext class=x>a<b> & c', '<div><pre>\na&lt;b> &amp; c</pre></div>'],
    ['<textarea>a', '<textarea>a</textarea>'],
    ['<textarea>a <b </textarea b', '<textarea>a <b </textarea>'],
    ['<svg><title>a', '<svg><title>a</title></svg>'],
    ['<svg><![CDATA[ a <b', '<svg><![CDATA[ a <b]]></svg>'],
    ['<style>a{} <b', '<style>a{} <b</style>'],
    ['a<script src=b>c', 'a<!---->'],
    ['<div><script><!-- <script>', '<div><!----></div>'],
    ['<svg><script>a', '<svg><script>a</svg>'],
    ['<frameset><div>', '<frameset><div></div>'],
    ['<noscript><div>', '<!---->'],
    ['<div><noscript>a</div></noscript>', '<div><noscript>a<!----></noscript></div>'],
    ['<noscript><div>a<b></noscript>c', '<noscript><div>a<b></b></div></noscript>c'],
    ['<noscript><textarea></noscript><div>', '<noscript><textarea></textarea></noscript><div></div>'],
    ['<noscript><script>a</noscript>', '<noscript><!----></noscript>'],
    ['<table><tr><td>a', '<table><tr><td>a</td></tr></tbody></table>'],
    ['<template><p>a', '<template><p>a</p></template>'],
    ['<div><form></div>a', '<div><form></div>a</form>'],
    ['<object><b>a', '<object><b>a</b></object>'],
    ['a</div></main>b', 'a<!----><!---->b'],
    ['&am</div>p;<</div>b', '&am<!---->p;<<!---->b'],
    ['<h2>a</h3></svg></h1>', '<h2>a</h3><!----><!---->'],
  ])('%s', (stored, expected) => {
    expect(repaired(stored)).toBe(expected)
  })

  it.each([
    '<ul><li>a<li>b</ul><p>c<br>d</p></p></br>',
    '<p>a<table><tr><td>b<td>c</table><dl><dt>d<dd>e</dl><p>f',
    '<h1>a</h2><select><option>b<optgroup><option>c</select><ruby>d<rt>e</ruby>',
    '<object><p><font>a<div></font><i>b</i></div></object><b><p>a</b>b</p><form><p>a</form>',
    '<div><a href="?a&b">c</a><img src=d><svg><path d="M0 0"/></svg></div>',
    '<select><div><option>a</div></select><noscript><div>b</div></noscript>',
    '<!doctype html><html><head><title>a</title></head><body>b</body></html>',
  ])('and stays as it is otherwise: %s', (stored) => {
    expect(repaired(stored)).toBe(stored)
  })
})

const starts = 'div p b i a ul li table tr td h1 h2 span button select option svg math template object textarea title style dl dd section nobr font pre label'.split(' ') // prettier-ignore
const tagsOf = (names: readonly string[]) => names.flatMap((name) => [`<${name}>`, `</${name}>`])
const parts = [
  ...tagsOf(starts),
  'w1',
  'w2 ',
  '<!-- c',
  '-->',
  '<!-- c -->',
  '<a href="',
  '">',
  '<',
  '</',
  '&am',
  ' ',
  '<![CDATA[',
  ']]>',
  '<br>',
  '<p/>',
  '</main>',
  '</article>',
  '<foreignObject>',
  '<desc>',
  '<mi>', // prettier-ignore
]
// Of a script or noscript without its end nothing is kept. A form that is ended inside a table within it stays open.
const others = tagsOf('script noscript form frameset noframes iframe object caption body html head'.split(' '))
const markupOf = (each: readonly string[]) =>
  fc.array(fc.constantFrom(...each), { maxLength: 14 }).map((some) => some.join(''))

type Element = DefaultTreeAdapterTypes.Element
const elementsIn = (node: DefaultTreeAdapterTypes.ParentNode): readonly Element[] =>
  node.childNodes.filter((child): child is Element => 'tagName' in child)
const bodyOf = (page: string, scriptingEnabled = false): Element => {
  const [html] = elementsIn(parse(page, { scriptingEnabled }))
  const body = html && elementsIn(html).find(({ tagName }) => tagName === 'body')
  if (body === undefined) throw new Error('Every document has a body')
  return body
}

const before = '<!doctype html><body>'
const anything = markupOf([...parts, ...others])
const fragments = anything.map(repaired)
const documents = fc
  .tuple(anything, anything)
  .map(([head, body]) => pageParts(repaired(`<html><head>${head}</head><body>${body}</body></html>`)).content)

test.each([true, false])('repaired markup fits into what is around it, scripts running: %s', (scripting) => {
  fc.assert(
    fc.property(fc.oneof(fragments, documents), (content) => {
      const page = `${before}<main><article><div>${content}</div><footer>f <form><b>g</b></form></footer></article><p>h</p></main>`
      const body = bodyOf(page, scripting)
      const [main] = elementsIn(body)
      const [article, paragraph] = main ? elementsIn(main) : []
      const [, footer] = article ? elementsIn(article) : []
      expect(main && [main.tagName, elementsIn(main).length, elementsIn(body).length]).toEqual(['main', 2, 1])
      expect(footer && serialize(footer)).toBe('f <form><b>g</b></form>')
      expect(paragraph && serialize(paragraph)).toBe('h')
    }),
    { numRuns: 2_000 },
  )
})

/** The tree as browsers show it: without comments. */
function shown(stored: string): string {
  const strip = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    node.childNodes = node.childNodes.filter(({ nodeName }) => nodeName !== '#comment')
    for (const child of elementsIn(node)) {
      strip(child)
      if ('content' in child) strip((child as DefaultTreeAdapterTypes.Template).content)
    }
  }
  const body = bodyOf(before + stored)
  strip(body)
  return serialize(body)
}

it('takes time in proportion to the length of the markup', () => {
  const formatting = Array.from({ length: 20_000 }, (_, at) => `<b id="${at}">`).join('')
  const began = process.threadCpuUsage()
  repaired(`<p>${formatting}</p>${'</i>'.repeat(40_000)}`)
  expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(3000)
})

test('browsers show repaired markup as the stored one', () => {
  fc.assert(
    fc.property(markupOf(parts), (stored) => {
      expect(shown(repaired(stored))).toBe(shown(stored))
    }),
    { numRuns: 1_000 },
  )
})
