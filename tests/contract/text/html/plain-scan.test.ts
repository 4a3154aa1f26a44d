import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import type { RawText, StartTag } from '../../../../src/contract/text/html/html-scan.ts'
import { scanHtml } from '../../../../src/contract/text/html/html-scan.ts'
import { scanPlainHtml } from '../../../../src/contract/text/html/plain-scan.ts'

const names = ['href', 'id', 'class', 'content', 'data-src']

/** What was reported, as values. */
function recorder() {
  const events: unknown[] = []
  const visitor = {
    startTag: ({ element, attributes, at, path }: StartTag) =>
      void events.push({
        ...{ element, attributes: [...attributes], at: names.map(at) },
        // Where this decides whether a part may be left out.
        path: element === 'galley-part' ? path() : null,
      }),
    rawText: ({ element, start, end }: Pick<RawText, 'element' | 'start' | 'end'>) =>
      void (element === 'style' && events.push({ element, start, end })),
  }
  return { events, visitor }
}

/** What both scans report, or null where the quick one gives up. */
function scanned(html: string) {
  const [quick, whole] = [recorder(), recorder()]
  if (!scanPlainHtml(html, quick.visitor, 'galley-part')) return null
  scanHtml(html, whole.visitor)
  return { quick: quick.events, whole: whole.events }
}

const pieces = [
  ...['<main>', '</main>', '<div class="a b" id="i">', '</div>', '<p>', '</p>', '<a href="x?a=1&amp;b=%20" id="j">', '</a>'],
  ...['<ul>', '<li>', '</li>', '</ul>', '<h1>', '</h1>', '<span hidden>', '</span>', '<img data-src="1" alt="a > b">', '<br />'],
  ...['words &amp; more', '\n', '<!-- note <a href="2"> -->', '<galley-part>', '<b>', '</b>', '<em>', '</em>', '<dl><dt>', '</dt></dl>'],
  ...['<style>a{b:url(c)}</style>', '<script>let a = "<p>"</script>', '<title>x <b> y</title>', '<meta name="d" content="&lt;&quot;">'],
] // prettier-ignore
const rare = [
  ...['<body class="z">', '</body>', '</html>', '<head>', '</head>', '<svg>', '</svg>', '<table>', '<td>', '</table>', '<select>'],
  ...['<template>', '</template>', '<textarea>', '</textarea>', '<noscript>', '</noscript>', '<plaintext>', '<DIV>', '</DIV >'],
  ...["<a href='3'>", '<a href=4>', '<a href="5"id="k">', '<a href="&copy;">', '<a href="6" href="7">', '<p/>', '<a href="', '">'],
  ...['<', '</', '<!', '<!-->', '-->', '<!-- -- -->', '<style>', '</style >', '<script>//<!--</script>', '</SCRIPT>', '\r\n', '\0', '&'],
  ...['<form>', '<button>', '<iframe>', '<![CDATA[x]]>', '<?x?>', '<math>', '<frameset>', '<image>', '<x-y>', '</x-y>', '<title>'],
] // prettier-ignore
const piece = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...pieces) }, fc.constantFrom(...rare))

/** Markup in which tags are closed in order, with anything else in between. */
const nested = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    piece,
    fc
      .tuple(
        fc.constantFrom('div', 'p', 'a', 'b', 'li', 'h1', 'h2', 'span', 'main', 'body', 'head'),
        fc.array(tie('node'), { maxLength: 4 }),
      )
      .map(([name, inner]) => `<${name}>${inner.join('')}</${name}>`),
  ),
})).node
const start = fc.constantFrom('', '<body>', '<!doctype html>\n<html lang="en"><head><title>x</title></head><body>')
const page = fc.tuple(start, fc.array(nested, { maxLength: 6 })).map(([head, parts]) => head + parts.join(''))

it('reports what the parser reports, or gives up', () => {
  let read = 0
  fc.assert(
    fc.property(page, (html) => {
      const found = scanned(html)
      if (found === null) return
      read += 1
      const plain = (events: readonly unknown[]) => events.map((event) => ({ ...(event as object), path: null }))
      expect(plain(found.quick)).toEqual(plain(found.whole))
    }),
    { numRuns: 20_000 },
  )
  expect(read).toBeGreaterThan(5000)
})

it('knows where a placeholder is, or that it is in no plain place', () => {
  const plain = new Set(['html', 'body', 'div', 'main', 'span'])
  const isPlain = (path: readonly string[]): boolean => path.includes('body') && path.every((name) => plain.has(name))
  let known = 0
  fc.assert(
    fc.property(page, (html) => {
      const pathsIn = (events: readonly unknown[]) =>
        (events as readonly { readonly path: readonly string[] | null }[]).flatMap(({ path }) => (path ? [path] : []))
      const found = html.split('<galley-part>').length === 2 ? scanned(html) : null
      if (found === null) return
      const [quick = []] = pathsIn(found.quick)
      if (!isPlain(quick)) return
      known += 1
      expect(pathsIn(found.whole).map(isPlain)).toEqual([true])
    }),
    { numRuns: 40_000 },
  )
  expect(known).toBeGreaterThan(100)
})

it('takes time in proportion to the length of what it gives up', () => {
  for (const hostile of [
    `<a${' x'.repeat(400_000)}`,
    `<a ${'x="'.repeat(300_000)}`,
    '<!--'.repeat(200_000),
    '<a>'.repeat(300_000),
  ]) {
    const began = performance.now()
    scanPlainHtml(hostile, recorder().visitor, 'galley-part')
    expect(performance.now() - began).toBeLessThan(3000)
  }
})

it.each(['default', 'magazine', 'plain'])('reads the layout of the theme %s', (theme) => {
  const file = join(import.meta.dirname, '../../../../resources/themes', theme, 'layouts/base.html')
  const markup = readFileSync(file, 'utf8').replace(/\{[{%].*?[%}]\}/g, '')
  expect(scanned(markup)?.quick.length).toBeGreaterThan(6)
})
