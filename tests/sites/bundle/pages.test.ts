import { describe, expect, it } from 'vitest'

import { pageDefaults } from '../../../packages/library/records/site-model-fields.ts'
import { usableBaseUrl } from '../../../packages/sites/bundle/base-url.ts'
import { layOut } from '../../../packages/sites/bundle/layout.ts'
import { causeSentence } from '../../../packages/wire/cause.ts'
import { scanHtml } from '../../../packages/wire/text/html/html-scan.ts'
import { createPageFacts } from '../../../packages/wire/text/html/page-facts.ts'
import { aLayoutInput, aPage, mediaFile, pageAround, plainPages, shaOf } from './sample.ts'

const hero = mediaFile('hero image.png', 'ab')
const heroPath = `media/${shaOf('ab').slice(0, 32)}-hero-image.png`
const fonts = {
  css: shaOf('ff'),
  cssUrls: ['https://media.example.org/fonts/site/s1/vms_fonts.css'],
  files: [{ ...mediaFile('Inter.woff2', 'ef'), url: 'https://media.example.org/fonts/site/s1/Inter.woff2' }],
}
const layout = layOut(aLayoutInput({ pages: [aPage('1', { title: 'A "good" <page>', media: [hero] })], fonts }))

const render = (html: string, baseUrl: string | null = null) => {
  const found = createPageFacts()
  scanHtml(html, null, found.reader)
  const [page] = layOut(
    aLayoutInput({
      pages: [aPage('1', { title: 'A "good" <page>', media: [hero] })],
      facts: new Map([[shaOf('aa'), { ...found.read(), leftOut: [] }]]),
      fonts,
    }),
  ).pages
  if (page === undefined) throw new Error('the layout has a page')
  const made = pageAround(plainPages(layout, baseUrl), page, html)
  if (!made.ok) throw new Error(causeSentence(made.failure.problem))
  return made.value
}

describe('page HTML', () => {
  it('contains the stored HTML unchanged except for its references', () => {
    const before = `<article>\r\n<!-- ${hero.url} --><script>let a = "</b>"</script>`
    const stored = (url: string) =>
      `${before}<img src="${url}" alt=x><p style='background:url(${url})'>{{title}} $& ${hero.url}</p>` +
      `<script type="application/json" data-vrstk-article-payload="">{"a":"${url}"}</script></article>`
    expect(render(stored(hero.url))).toContain(`<main>${stored(`../${heroPath}`)}</main>`)
    const unscripted = (url: string): string => `<p><noscript>${stored(url)}</noscript><a>b`
    expect(render(unscripted(hero.url))).toContain(`<main>${unscripted(`../${heroPath}`)}</a></main>`)
  })

  it.each([
    ['an open comment', '<p>x <!-- y <b>z', '<p>x <!---->'],
    ['open elements', '<section><p>x<b>y', '<section><p>x<b>y</b></p></section>'],
    ['an unfinished tag', '<p>x</p><a href="galley:material/1', '<p>x</p>'],
    ['end tags of elements that it did not open', '<p>x</p></div></main><p>y', '<p>x</p><!----><!----><p>y'],
    ['a script without its end', '<p>x</p><script>y()', '<p>x</p><!---->'],
    [
      'what only the tags of a document end',
      '<html><svg></head><body><noframes><div>',
      '<svg><noframes><div><!----></div>',
    ],
    ['a style that a document leaves open', '<html><body><p>x<style>a{}', '<p>x<style>a{}</style>'],
  ])('repairs %s, so that the theme around it stays whole', (_, stored, shown) => {
    expect(render(stored)).toContain(`<main>${shown}</main>`)
  })

  it.each([
    ['<main><h1>A</h1></main>', true],
    ['<html><body><MAIN><H1>A', true],
    ['<!-- <main><h1>A</h1></main> --><p>x', false],
    ['<script>const a = "<main><h1>A</h1>"</script>', false],
    ['<iframe srcdoc="<main><h1>A</h1></main>"></iframe>', false],
    ['<template><main><h1>A</h1></main></template>', false],
  ])('knows whether readers see a heading and a main part of its own: %s', (stored, isThere) => {
    const [page] = layout.pages
    if (page === undefined) throw new Error('the layout has a page')
    const { hasHeading, hasMain } = plainPages(layout).rewrite(page, stored)
    expect([hasHeading, hasMain]).toEqual([isThere, isThere])
  })

  it('escapes titles and links home, style and fonts relatively', () => {
    const html = render('<p>x</p>')
    expect(html).toContain('<title>A &quot;good&quot; &lt;page&gt;</title>')
    expect(html).toContain('<a href="../index.html">My &lt;Site&gt;</a>')
    expect(html).toContain('href="../theme/style-0.css"')
    expect(html).toContain('<link rel="stylesheet" href="../fonts/fonts.css">')
    expect(html).not.toMatch(/canonical|og:|https?:|feed|ld\+json/)
  })

  it('contains its address only if it has one', () => {
    const html = render(`<p>Some "text"</p><img src="${hero.url}">`, 'https://example.org/sub/')
    expect(html).toContain('<link rel="canonical" href="https://example.org/sub/slug-1/">')
    expect(html).toContain('<meta property="og:title" content="A &quot;good&quot; &lt;page&gt;">')
    expect(html).toContain(`<meta property="og:image" content="https://example.org/sub/${heroPath}">`)
    expect(html).toContain('<meta name="description" content="Some &quot;text&quot;">')
  })

  it('keeps what a whole document declares to search engines', () => {
    const html = render(
      '<html><head><meta name="description" content="Own"><meta name=robots content="noindex, nofollow"></head><body><p>x',
      'https://x.example/',
    )
    expect(html.match(/<meta name="?(?:description|robots).*?>/g)).toEqual([
      '<meta name="description" content="Own">',
      '<meta name=robots content="noindex, nofollow">',
    ])
    expect(html).not.toContain('canonical')
  })

  it('contains no characters that HTML forbids', () => {
    const page = aPage('1', { title: 'A\u0001B\u000B\u{1FFFE}', settings: { ...pageDefaults, author: 'C\u0085' } })
    const odd = layOut(aLayoutInput({ pages: [page] }))
    const [planned] = odd.pages
    if (planned === undefined) throw new Error('the layout has a page')
    const made = pageAround(plainPages(odd), planned, '<p id="\u0002x">\u0000D\uFDD0E\f\t\u{1F600}</p>')
    expect(made.ok && made.value).toContain('<title>AB</title>')
    expect(made.ok && made.value).toContain('content="C"')
    expect(made.ok && made.value).toContain('<main><p id="x">DE\f\t\u{1F600}</p></main>')
    const home = plainPages(odd)
      .others.find(({ path }) => path === 'index.html')
      ?.text()
    expect(home?.ok && home.value).toContain('>AB</a>')
  })

  it('describes a page without any text by its title and the site', () => {
    const described = '<meta name="description" content="A &quot;good&quot; &lt;page&gt; · '
    expect(render(`<img src="${hero.url}">`)).toContain(`${described}My &lt;Site&gt;">`)
    expect(render('<p>Words</p>')).toContain('<meta name="description" content="Words">')
  })

  it('uses the language of the stored page', () => {
    expect(render('<article lang="ru-RU">да</article>')).toContain('<html lang="ru-RU">')
    expect(render('<article data-lang="ru">')).toContain('<html lang="en">')
  })

  it('leads to every file that Galley makes by its address below the root', () => {
    const links = ['search/', 'search', 'archive/', 'feed.xml', 'feed.json', 'sitemap.xml', 'robots.txt', '404.html']
    const page = (root: string) => links.map((link) => `<a href="${root}${link}">`).join('')
    const relative = ['search/', 'search/', 'archive/', ...links.slice(3)]
      .map((link) => `<a href="../${link}">`)
      .join('')
    expect(render(page('/'), 'https://example.org/sub/')).toContain(relative)
    expect(render(page('https://example.org/sub/'), 'https://example.org/sub/')).toContain(relative)
    // Without the address of the site there are no feeds.
    expect(render('<a href="/search/"><a href="/feed.xml">')).toContain(
      '<a href="../search/index.html"><a href="/feed.xml">',
    )
  })

  it('prevents a stored base from changing relative addresses', () => {
    // An anchor of the page leads to the address at which it is shown.
    expect(render('<base href="https://evil.example/">', 'https://example.org/')).toMatch(/<base href="\.\/">.*evil/s)
    expect(render('<base href="https://evil.example/">')).toMatch(/<head>.*<base href="index.html">.*evil/s)
    expect(render('<p>')).not.toContain('<base')
  })

  it('points fonts CSS at the files beside it', () => {
    const css = plainPages(layout).fontsCss(
      `@font-face{src:url(${fonts.files[0]?.url}?#iefix),url('https://elsewhere.example/x.woff')}`,
    )
    expect(css).toBe(
      `@font-face{src:url(${shaOf('ef').slice(0, 32)}-inter.woff2?#iefix),url('https://elsewhere.example/x.woff')}`,
    )
  })
})

describe('what is kept of a page between exports', () => {
  it.each([1, 2600, 10_100, 60_000])('stays when a page is added to %i', (count) => {
    const pages = Array.from({ length: count + 1 }, (_, at) => aPage(String(at)))
    const keyAmong = (all: readonly ReturnType<typeof aPage>[]): string => {
      const layout = layOut(aLayoutInput({ pages: all }))
      const first = layout.pages.find(({ materialId }) => materialId === '0')
      if (first === undefined) throw new Error('no first page')
      return plainPages(layout).rewriteKey(first, { urls: [], links: [] })
    }
    expect(keyAmong(pages)).toBe(keyAmong(pages.slice(0, count)))
  })
})

describe('base URL', () => {
  it.each([
    ['https://example.org', 'https://example.org/'],
    ['http://localhost:8080/a/b', 'http://localhost:8080/a/b/'],
    ['https://пример.рф/', 'https://xn--e1afmkfd.xn--p1ai/'],
    ['ftp://example.org', null],
    ['example.org', null],
    ['https://u@example.org', null],
    ['https://:p@example.org', null],
    ['https://example.org/?q', null],
    ['https://example.org/#x', null],
    ['https://example.org/?', null],
    ['https://example.org/#', null],
  ])('%s is used as %s', (given, used) => {
    expect(usableBaseUrl(given)).toBe(used)
  })
})
