import { describe, expect, it } from 'vitest'

import { cutAtWord } from '../../../../packages/wire/text/cut-at-word.ts'
import { scanHtml } from '../../../../packages/wire/text/html/html-scan.ts'
import type { HtmlVisitor } from '../../../../packages/wire/text/html/html-visitor.ts'
import { createPageFacts } from '../../../../packages/wire/text/html/page-facts.ts'

function factsOf(html: string) {
  const facts = createPageFacts()
  scanHtml(html, null, facts.reader)
  return facts.read()
}

describe('the facts of a page', () => {
  it.each([
    ['<h1>Title</h1><p></p><p> </p><p>First <b>para</b>graph &amp; more</p><p>Second</p>', 'First paragraph & more'],
    ['<h1>Title</h1><div>Words <h2>Inner</h2> behind</div>', 'Words behind'],
    ['<p>Open until<div>the next block', 'Open until'],
    ['<script>p()</script><style>p{}</style><p><template>no</template>Seen', 'Seen'],
    ['<h1>Only a title</h1>', ''],
    ['', ''],
    ['<html><head><meta name=Description content=" Its own &amp;\nwords "><p>First', 'Its own & words'],
    ['<meta name=description content=" "><noscript><meta name=description content=no></noscript><p>First', 'First'],
  ])('begins with its first paragraph: %s', (html, opening) => {
    expect(factsOf(html).opening).toBe(opening)
  })

  it.each([
    ['<html><head><meta name=robots content="index, NoIndex"></head>', true],
    ['<meta name=ROBOTS content=none>', true],
    ['<meta name=robots content="max-snippet:-1, noindexing"><p>x', false],
    ['<meta name=googlebot content=noindex><template><meta name=robots content=noindex></template>', false],
  ])('say whether it asks search engines to leave it out: %s', (html, isUnindexed) => {
    expect(factsOf(html).isUnindexed).toBe(isUnindexed)
  })

  it('has its pictures in order, without those that are data', () => {
    const html =
      '<img src="data:image/gif,x" data-src=" a.png "><img alt=""><svg><image href="no"/></svg><img src="b&amp;c.jpg">'
    expect(factsOf(html).pictures).toEqual(['a.png', 'b&c.jpg'])
    expect(factsOf('<img src="x">'.repeat(9)).pictures).toHaveLength(4)
  })

  const fromExport: HtmlVisitor = { rawText: () => undefined, repair: () => undefined }

  it.each([
    '<html lang="he"><body><p>טקסט</p><table><tr><td>x</table>',
    '<!doctype html><html lang="he"><head><title>T</title></head><body><p>&uuml;</p><button>x</button></body></html>',
    '<html lang=he><p>x',
    '<HTML LANG="he"><P>x',
    '<body lang=he><table></table>x',
    '<html><html lang=he><body>x',
  ])('has the language of a whole document, however it is read: %s', (html) => {
    const facts = createPageFacts()
    scanHtml(html, fromExport, facts.reader)
    expect(facts.read().language).toBe('he')
    expect(factsOf(html).language).toBe('he')
  })

  it('takes no language from a tag that browsers ignore', () => {
    const facts = createPageFacts()
    scanHtml('<template><html lang=he></template><div>x</div><html lang=he>', fromExport, facts.reader)
    expect(facts.read().language).toBe(null)
  })

  it.each([
    ['<article lang="ru-RU">да</article>', 'ru-RU'],
    ['<html lang=he><body><p>x', 'he'],
    ['<html xml:lang=he><body><p>x', 'he'],
    ['<style>a{}</style><div><article lang="ar">x', 'ar'],
    ['<p>Said <q lang="fr">bonjour</q>', null],
    ['<article lang="">x', null],
    ['<article lang="x y">x', null],
  ])('has the language in front of all words: %s', (html, language) => {
    expect(factsOf(html).language).toBe(language)
  })
})

it.each([
  ['short', 10, 'short'],
  ['One two, three four', 12, 'One two…'],
  ['日本語日本語日本語', 5, '日本語日…'],
  ['x'.repeat(20), 10, `${'x'.repeat(9)}…`],
])('%s is cut to %i as %s', (text, most, cut) => {
  expect(cutAtWord(text, most)).toBe(cut)
  expect(cut.length).toBeLessThanOrEqual(most)
})
