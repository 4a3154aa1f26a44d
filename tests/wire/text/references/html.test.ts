import { describe, expect, it } from 'vitest'

import { dummyNames, knownUrls } from '../../../../packages/wire/text/references/finder.ts'
import { rewriteHtml } from '../../../../packages/wire/text/references/html.ts'

const a = 'https://cdn.test/a'
const names = new Map([
  ['a.png', a],
  ['a.mp4', 'https://cdn.test/mp4'],
  ['a b.png', 'https://cdn.test/ab'],
  ['R&D.png', 'https://cdn.test/rd'],
  ['q&copy.png', 'https://cdn.test/copy'],
  ['100%.png', 'https://cdn.test/100'],
  ['a%20c.png', 'https://cdn.test/literal'],
  ['a c.png', 'https://cdn.test/ac'],
  [`"'.png`, 'https://cdn.test/quotes'],
  ['б/Й.png', 'https://cdn.test/j'],
  ['e&=.png', 'https://cdn.test/equals'],
])
const find = dummyNames(names)
const rewritten = (html: string): string => rewriteHtml(html, find).text
const json = (text: string, attributes = 'type="application/json"'): string => `<script ${attributes}>${text}</script>`

describe('rewriteHtml replaces', () => {
  it.each([
    ['double quotes', '<img src="dummy-a.png">', `<img src="${a}">`],
    ['single quotes', "<img src='dummy-a.png'>", `<img src='${a}'>`],
    ['no quotes', '<img src=dummy-a.png>', `<img src=${a}>`],
    ['blanks around the equals sign', '<img src \n=\r\n "dummy-a.png">', `<img src \n=\r\n "${a}">`],
    ['upper-case names', '<IMG SRC="dummy-a.png">', `<IMG SRC="${a}">`],
    ['any attribute', '<i data-x="dummy-a.png" title="see dummy-a.png">', `<i data-x="${a}" title="see ${a}">`],
    ['srcset', '<img srcset="dummy-a.png 1x,dummy-a.png 2x">', `<img srcset="${a} 1x,${a} 2x">`],
    ['a query', '<img src="dummy-a.png?v=1&amp;w">', `<img src="${a}?v=1&amp;w">`],
    ['the same folder', '<img src="./dummy-a.png"><a href=././dummy-a.png>', `<img src="${a}"><a href=${a}>`],
    ['the same folder, encoded', '<img src="%2e/dummy-a.png">', `<img src="${a}">`],
    [
      'the same folder in srcset',
      '<img srcset="./dummy-a.png 1x, ./dummy-a.png 2x">',
      `<img srcset="${a} 1x, ${a} 2x">`,
    ],
    ['the same folder in CSS', '<style>a{b:url(./dummy-a.png)}</style>', `<style>a{b:url(${a})}</style>`],
    ['the same folder in JSON', json('{"u":".\\/dummy-a.png"}'), json(`{"u":"${a}"}`)],
    ['a line break inside, which browsers take out', '<img src="dummy-\na.p\tng">', `<img src="${a}">`],
    ['a line break in the head', '<img src="\n dum\r\nmy-a.png\n">', `<img src="\n ${a}\n">`],
    ['a line break as an entity', '<img src="dum&#10;my-a&NewLine;.png">', `<img src="${a}">`],
    [
      'a line break between two',
      '<img srcset="dummy-a.png\n1x,\ndummy-a.mp4 2x">',
      `<img srcset="${a}\n1x,\nhttps://cdn.test/mp4 2x">`,
    ],
    ['entities', '<img src="dummy-R&amp;D.png">', '<img src="https://cdn.test/rd">'],
    ['a bare ampersand', '<img src="dummy-R&D.png">', '<img src="https://cdn.test/rd">'],
    ['what looks like an entity and is not', '<img src="dummy-q&copy.png">', '<img src="https://cdn.test/copy">'],
    ['numbered entities', '<img src="dummy&#45;a&#x2E;png">', `<img src="${a}">`],
    ['quotes by entity', '<img src="dummy-&quot;&apos;.png">', '<img src="https://cdn.test/quotes">'],
    ['percent', '<img src="dummy-a%20b.png">', '<img src="https://cdn.test/ab">'],
    [
      'a percent sign in the name',
      '<img src="dummy-100%25.png"><img src="dummy-100%.png">',
      '<img src="https://cdn.test/100"><img src="https://cdn.test/100">',
    ],
    ['percent, every sign', '<img src="%64ummy%2Da%2Epng">', `<img src="${a}">`],
    ['percent, partly, in lower case', '<img src="dummy-%d0%b1/Й.png">', '<img src="https://cdn.test/j">'],
    ['percent in entities', '<img src="dummy-a&#37;20b.png">', '<img src="https://cdn.test/ab">'],
    ['the literal name before the encoded one', '<img src="dummy-a%20c.png">', '<img src="https://cdn.test/literal">'],
    ['JSON in an attribute', `<i data-x='{"u":"dummy-\\u0431\\/Й.png"}'>`, `<i data-x='{"u":"https://cdn.test/j"}'>`],
    [
      'a page in an attribute',
      '<iframe srcdoc="&lt;img src=&quot;dummy-R&amp;amp;D.png&quot;>">',
      '<iframe srcdoc="&lt;img src=&quot;https://cdn.test/rd&quot;>">',
    ],
    [
      'style attributes',
      `<i style="background:url(&quot;dummy-R&amp;D.png&quot;)">`,
      '<i style="background:url(&quot;https://cdn.test/rd&quot;)">',
    ],
    ['style elements', '<style>a{b:url(dummy-a.png)}</style>', `<style>a{b:url(${a})}</style>`],
    ['unclosed style', '<style>a{b:url(dummy-a.png)}', `<style>a{b:url(${a})}`],
    [
      'style of an SVG, with entities',
      '<svg><style>a{b:url(&quot;dummy-R&amp;D.png&quot;)}<!-- url(dummy-a.png) -->a{b:url(dummy-a.png)}</style></svg>',
      `<svg><style>a{b:url(&quot;https://cdn.test/rd&quot;)}<!-- url(dummy-a.png) -->a{b:url(${a})}</style></svg>`,
    ],
    [
      'SVG attributes',
      '<svg viewBox="0 0 1 1"><image xlink:href="dummy-a.png"/><use href=dummy-a.png></use></svg>',
      `<svg viewBox="0 0 1 1"><image xlink:href="${a}"/><use href=${a}></use></svg>`,
    ],
    ['templates', '<template><img src="dummy-a.png"></template>', `<template><img src="${a}"></template>`],
    [
      'noscript',
      '<head><noscript><img src="dummy-a.png"></noscript></head>',
      `<head><noscript><img src="${a}"></noscript></head>`,
    ],
    [
      'tags the tree drops',
      '<p><td data-x="dummy-a.png"></p><frame src="dummy-a.png">',
      `<p><td data-x="${a}"></p><frame src="${a}">`,
    ],
    ['body attributes given twice', '<body><body background="dummy-a.png">', `<body><body background="${a}">`],
    ['behind a byte order mark', '\uFEFF<img src="dummy-a.png">', `\uFEFF<img src="${a}">`],
    [
      'behind CRLF, NUL and halves of pairs',
      '<p>\r\n\r\0\uD800</p>😀<img\r\nsrc="dummy-a.png">',
      `<p>\r\n\r\0\uD800</p>😀<img\r\nsrc="${a}">`,
    ],
    [
      'names with odd signs',
      '<i a\0b="dummy-a.png" =x="dummy-a.png" É="dummy-a.png">',
      `<i a\0b="${a}" =x="${a}" É="${a}">`,
    ],
    [
      'a tag across parser buffers',
      `${' '.repeat(70_000)}<img src="dummy-a.png">${'é'.repeat(70_000)}<img src="dummy-a.png">`,
      `${' '.repeat(70_000)}<img src="${a}">${'é'.repeat(70_000)}<img src="${a}">`,
    ],
    ['JSON values', json('{"u":"dummy-a.png","l":["dummy-a.png"]}'), json(`{"u":"${a}","l":["${a}"]}`)],
    ['JSON escapes', json('{"u":"dummy-\\u0431\\/\\u0419.png"}'), json('{"u":"https://cdn.test/j"}')],
    ['markup in JSON', json('["<img src=\\"dummy-R&amp;D.png\\">"]'), json('["<img src=\\"https://cdn.test/rd\\">"]')],
    [
      'JSON by other types',
      json('["dummy-a.png"]', 'type="application/ld+json; charset=utf-8"'),
      json(`["${a}"]`, 'type="application/ld+json; charset=utf-8"'),
    ],
    [
      'import maps',
      json('{"imports":{"x":"dummy-a.png"}}', 'type=importmap'),
      json(`{"imports":{"x":"${a}"}}`, 'type=importmap'),
    ],
    [
      "the editor's payload",
      json('["dummy-a.png"]', 'data-vrstk-article-payload=""'),
      json(`["${a}"]`, 'data-vrstk-article-payload=""'),
    ],
    ['JSON that is slightly off', json('{"u":"dummy-a.png",}'), json(`{"u":"${a}",}`)],
  ])('%s', (_, html, expected) => {
    expect(rewritten(html)).toBe(expected)
  })
})

describe('rewriteHtml does not change', () => {
  it.each([
    ['text', '<p>dummy-a.png</p>'],
    ['comments', '<!-- <img src="dummy-a.png"> -->'],
    ['alt', '<img alt="dummy-a.png">'],
    ['titles and text areas', '<title>dummy-a.png</title><textarea><img src="dummy-a.png"></textarea>'],
    ['JSON keys', json('{"dummy-a.png" : 1}')],
    ['JSON comments and bare words', json('dummy-a.png')],
    ['the second of two equal attributes', '<img src="x" src="dummy-a.png">'],
    ['content strings', '<style>a{content:"dummy-a.png"}</style><i style="content:&quot;dummy-a.png&quot;">'],
    ['style that is no style', '<select><style>a{b:url(dummy-a.png)}</style></select>'],
    ['a longer name', '<img src="dummy-a.mp4.jpg">'],
    [
      'an address that goes on',
      '<img src="dummy-a.png@2x.png"><img src="dummy-a.png (1).png"><a href="dummy-a.png;x">',
    ],
    ['a candidate that goes on', '<img srcset="dummy-a.png+x.png 1x, dummy-a.png,x.png 2x">'],
    ['an address in CSS that goes on', `<i style="background:url('dummy-a.png (1).png')">`],
    ['a longer name in other text', `<i data-x="dummy-a.png@2x.png">${json('["dummy-a.png@2x.png"]')}`],
    ['a name that goes on encoded', '<img src="dummy-a.png%20x"><img src="dummy-a.png&#46;jpg">'],
    ['an entity that is none', '<img src="dummy-e&amp=.png">'],
    ['a sign encoded in too many bytes', '<img src="dummy-a%c0%aepng">'],
    ['entities in a style element, where there are none', '<style>a{b:url("dummy-R&amp;D.png")}</style>'],
    ['other addresses', '<img src="https://x.test/dummy-a.png"><img src="/dummy-a.png">'],
    ['doctypes', '<!DOCTYPE html SYSTEM "dummy-a.png">'],
    ['end tags', '<p></p src="dummy-a.png">'],
    ['tags that never end', '<img src="dummy-a.png"'],
    ['attributes without a value', '<i dummy-a.png>'],
    ['CDATA', '<svg><![CDATA[ <img src="dummy-a.png"> ]]></svg>'],
  ])('%s', (_, html) => {
    expect(rewritten(html)).toBe(html)
  })

  it('a page without references, which it does not even parse', () => {
    const html = '<p>nothing & 100% nothing</p>'
    expect(rewriteHtml(html, find)).toEqual({ text: html, missing: [], skippedScripts: [] })
  })
})

describe('rewriteHtml reports', () => {
  it('files that are not there, once each, and no words', () => {
    const html =
      '<i class="dummy-text" src="dummy-x.png" srcset="dummy-x.png, dummy-y%20z.png 2x"><style>a{b:url(dummy-q.png)}</style>'
    expect(rewriteHtml(html, find).missing).toEqual(['x.png', 'y z.png', 'q.png'])
  })

  it('no file that another reading finds', () => {
    expect(rewriteHtml('<img src="dummy-a%20b.png">', find).missing).toEqual([])
  })

  it.each([
    ['another case', '<img src="DUMMY-A.PNG">', 'DUMMY-A.PNG'],
    ['another case of the head', '<img src="Dummy-a.png">', 'Dummy-a.png'],
    ['the root of the site', '<img src="/dummy-a.png">', '/dummy-a.png'],
    ['the folder above', '<style>a{b:url("../dummy-a.png")}</style>', '../dummy-a.png'],
    ['a folder below', json('{"u":"img/dummy-a%20b.png"}'), 'img/dummy-a b.png'],
    ['a folder in srcset', '<img srcset="x.png 1x,/i/dummy-a.png 2x">', '/i/dummy-a.png'],
    ['a folder in a script', '<i data-x="see=/dummy-a.png?v">', '/dummy-a.png'],
    ['a line break inside', '<img src="dummy-n\no.png">', 'no.png'],
    ['two files, parted by a line break', '<i data-x="dummy-x.png\ny.png">', 'x.png'],
  ])('what leads to no file by %s', (_, html, name) => {
    expect(rewriteHtml(html, find)).toEqual({ text: html, missing: [name], skippedScripts: [] })
  })

  it.each([
    '<img src="https://x.test/i/dummy-a.png">',
    '<img src="//x.test/dummy-a.png">',
    `<img src="https://x.test/${'long/'.repeat(60)}dummy-a.png">`,
    '<i class="Dummy-Text" data-x="DUMMY-">',
  ])('nothing of %s', (html) => {
    expect(rewriteHtml(html, find)).toEqual({ text: html, missing: [], skippedScripts: [] })
  })

  it('reports a file once, in the most specific reading', () => {
    expect(rewriteHtml(`<i data-x='"dummy-x.b\\u0031.png"'>`, find).missing).toEqual(['x.b1.png'])
  })

  it('scripts it may not touch', () => {
    const html = '<style></style><script>x()</script><script type="module">\n  load("dummy-a.png")\n</script>'
    expect(rewriteHtml(html, find)).toEqual({
      text: html,
      missing: [],
      skippedScripts: ['script 2: load("dummy-a.png")'],
    })
  })
})

it('points known URLs elsewhere', () => {
  const known = knownUrls(new Map([['https://cdn.test/m/a%20b.png', '../m/1.png']]))
  const html = '<img src="https://cdn.test/m/a%20b.png?x" srcset="https:&#47;/cdn.test/m/a%20b.png 2x">'
  expect(rewriteHtml(html + json('["https:\\/\\/cdn.test\\/m\\/a%20b.png"]'), known).text).toBe(
    `<img src="../m/1.png?x" srcset="../m/1.png 2x">${json('["../m/1.png"]')}`,
  )
})
