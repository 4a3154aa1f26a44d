import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { pageParts } from '../../../../packages/sites/bundle/render/whole-document.ts'
import { parseHtml, scanHtml } from '../../../../packages/wire/text/html/html-scan.ts'
import type { HtmlVisitor, RawText, StartTag } from '../../../../packages/wire/text/html/html-visitor.ts'
import { createPageFacts } from '../../../../packages/wire/text/html/page-facts.ts'
import { createPageWords } from '../../../../packages/wire/text/html/page-text.ts'
import { scanPlainHtml, scanPlainPage } from '../../../../packages/wire/text/html/plain-scan.ts'
import type { WordsReader } from '../../../../packages/wire/text/html/treeless.ts'

const names = ['href', 'id', 'class', 'content', 'data-src']

/** What was reported, as values. */
function recorder() {
  const events: unknown[] = []
  const visitor = {
    startTag: ({ element, attributes, at, path }: StartTag) =>
      void events.push({
        element,
        attributes: [...attributes],
        at: names.map(at),
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
  parseHtml(html, whole.visitor)
  return { quick: quick.events, whole: whole.events }
}

const pieces = [
  '<main>', '</main>', '<div class="a b" id="i">', '</div>', '<p>', '</p>', '<a href="x?a=1&amp;b=%20" id="j">', '</a>',
  '<ul>', '<li>', '</li>', '</ul>', '<h1>', '</h1>', '<span hidden>', '</span>', '<img data-src="1" alt="a > b">', '<br />',
  'words &amp; more', '\n', '<!-- note <a href="2"> -->', '<galley-part>', '<b>', '</b>', '<em>', '</em>', '<dl><dt>', '</dt></dl>',
  '<style>a{b:url(c)}</style>', '<script>let a = "<p>"</script>', '<title>x <b> y</title>', '<meta name="d" content="&lt;&quot;">',
] // prettier-ignore
const rare = [
  '<body class="z">', '</body>', '</html>', '<head>', '</head>', '<svg>', '</svg>', '<table>', '<td>', '</table>', '<select>',
  '<template>', '</template>', '<textarea>', '</textarea>', '<noscript>', '</noscript>', '<plaintext>', '<DIV>', '</DIV >',
  "<a href='3'>", '<a href=4>', '<a href="5"id="k">', '<a href="&copy;">', '<a href="6" href="7">', '<p/>', '<a href="', '">',
  '<', '</', '<!', '<!-->', '-->', '<!-- -- -->', '<style>', '</style >', '<script>//<!--</script>', '</SCRIPT>', '\r\n', '\0', '&',
  '<form>', '<button>', '<iframe>', '<![CDATA[x]]>', '<?x?>', '<math>', '<frameset>', '<image>', '<x-y>', '</x-y>', '<title>',
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

it('reports the same as the parser, or gives up', () => {
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

/** Everything that is made from a page: its values, scripts, facts and words. */
function madeBy(scan: (html: string, visitor: HtmlVisitor | null, words: WordsReader | null) => unknown, html: string) {
  const events: unknown[] = []
  const visitor: HtmlVisitor = {
    attribute: ({ element, name, start, end }) => void events.push([element, name, html.slice(start, end), start]),
    rawText: ({ element, attributes, start, end, isForeign }) =>
      void events.push([element, [...attributes], html.slice(start, end), start, isForeign]),
    // Plain pages have nothing to repair.
    repair: (edit) => void events.push(edit),
  }
  const facts = createPageFacts()
  const words = [20, 5000].map(createPageWords)
  if (scan(html, { rawText: () => undefined, repair: () => undefined }, facts.reader) === false) return null
  for (const { reader } of words) scan(html, visitor, reader)
  return { events, facts: facts.read(), words: words.map(({ read }) => read()) }
}

/** The pieces of a page of words, between elements that are closed in order. */
const { article } = fc.letrec<{ article: string }>((tie) => ({
  article: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      'one two', ' ', '\n', 'R&amp;D', 'a&nbsp;b', '&copy;', '&mdash; ', '&lt;p&gt;', '&', '&euro;', '& c', '<br>', '<hr>', '<wbr>',
      '<img src="1&amp;2">', '<img src="data:x">', '<img data-src=" 3 ">', '<!-- <p> -->', '<script>"<p>"</script>', '<meta content="x">',
      '<title>T &amp; U</title>', '<style>p{a:url(4)}</style>', '<script type="application/json">{"a":"5"}</script>', '<link href="6">',
    ),
    fc
      .tuple(
        fc.constantFrom(
          ...'p p p div section h1 h2 h3 ul ol li dl dt dd a b i em span strong code blockquote figure figcaption video'.split(' '),
          ...'picture small html head body main'.split(' '),
        ),
        fc.constantFrom('', '', ' lang="de"', ' lang="not a language"', ' id="x" href="7"'),
        fc.array(tie('article'), { maxLength: 4 }),
      )
      .map(([name, given, inner]) => `<${name}${given}>${inner.join('')}</${name}>`),
  ),
})) // prettier-ignore
const documents = fc
  .tuple(
    fc.constantFrom('', '<!doctype html>\n', '<!-- x --> ', 'x'),
    fc.constantFrom('<html lang="fr">', '<html>\n'),
    fc.constantFrom('', '<head>\n<title>H</title> <meta name="a"></head>\n', '<head>x</head>', '<head><p>y</p></head>', '<head><p></p></head>', '<title>z</title>'),
    fc.array(article, { maxLength: 5 }),
    fc.constantFrom('</body>\n</html>\n', '</body>x</html>', '</body></html>y', '</body>', '</body></html><p>z</p>', '</body></html><!-- e -->'),
  )
  .map(([start, html, head, body, end]) => `${start}${html}${head}<body lang="es">${body.join('')}${end}`) // prettier-ignore
const articles = fc.array(article, { maxLength: 8 }).map((parts) => parts.join(''))

it('produces the same result as the parser for a whole page, or gives up', () => {
  let read = 0
  fc.assert(
    fc.property(fc.oneof(articles, documents, page), (html) => {
      const quick = madeBy(scanPlainPage, html)
      if (quick === null) return
      read += 1
      expect(quick).toEqual(madeBy(parseHtml, html))
    }),
    { numRuns: 30_000 },
  )
  expect(read).toBeGreaterThan(3000)
})

it('reads a long page in the same way, and reports nothing if it gives up at its end', () => {
  const padding = `<!--${'x'.repeat(600_000)}-->`
  let read = 0
  fc.assert(
    fc.property(fc.oneof(articles, documents), (html) => {
      const quick = madeBy(scanPlainPage, html)
      if (quick === null || read === 20) return
      read += 1
      const long = html + padding
      expect(madeBy(scanPlainPage, long)).toEqual(madeBy(parseHtml, long))
      const { events, visitor } = recorder()
      const attribute = (value: unknown) => void events.push(value)
      const words = createPageWords(20)
      expect(scanPlainPage(`${long}<table>`, { ...visitor, attribute }, words.reader)).toBe(false)
      expect([events, words.read()]).toEqual([[], createPageWords(20).read()])
    }),
    { numRuns: 1000 },
  )
  expect(read).toBe(20)
})

it('describes a whole document in the same way when something in it needs the parser', () => {
  const value = fc.constantFrom('', ' lang="de"', ' lang="he"', ' dir="rtl"', ' class="a"', ' style="margin:0"')
  const attributes = fc.uniqueArray(value, { maxLength: 4, selector: (written) => written.slice(0, 3) })
  fc.assert(
    fc.property(
      attributes,
      attributes,
      fc.constantFrom('<table></table>', '<button>x</button>', '&uuml;'),
      (a, b, odd) => {
        const plain = `<!doctype html><html${a.join('')}><head><title>T</title></head><body${b.join('')}><p>x</p>`
        const pages = [`${plain}</body></html>`, `${plain}${odd}</body></html>`]
        expect(pages.map((html) => scanPlainPage(html, null, null))).toEqual([true, false])
        const [quick, parsed] = pages.map((html) => {
          const facts = createPageFacts()
          scanHtml(html, { rawText: () => undefined, repair: () => undefined }, facts.reader)
          const wrapper = pageParts(html).content.match(/^<div[^>]*>/)?.[0]
          return { language: facts.read().language, wrapper }
        })
        expect(parsed).toEqual(quick)
      },
    ),
  )
})

it('takes time in proportion to the length of a page that it gives up on', () => {
  for (const hostile of [
    `<a${' x'.repeat(400_000)}`,
    `<a ${'x="'.repeat(300_000)}`,
    '<!--'.repeat(200_000),
    '<a>'.repeat(300_000),
  ]) {
    // Of this thread alone: other work on the machine does not count.
    const began = process.threadCpuUsage()
    scanPlainHtml(hostile, recorder().visitor, 'galley-part')
    scanPlainPage(hostile.slice(0, 500_000), null, createPageFacts().reader)
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(3000)
  }
})

it.each([
  ['a comment', `<p><!--${'x'.repeat(16_000_000)}--></p>`, true],
  ['a tag', `<p${' a="b"'.repeat(3_000_000)}></p>`, false],
])('reads or gives up %s however long it is', (_, html, isRead) => {
  expect(scanPlainHtml(html, recorder().visitor, 'galley-part')).toBe(isRead)
})

it.each(['default', 'magazine', 'plain'])('reads the layout of the theme %s', (theme) => {
  const file = join(import.meta.dirname, '../../../../resources/themes', theme, 'layouts/base.html')
  const markup = readFileSync(file, 'utf8').replace(/\{[{%].*?[%}]\}/g, '')
  expect(scanned(markup)?.quick.length).toBeGreaterThan(6)
})
