import fc from 'fast-check'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { html as markup, parse } from 'parse5'
import { describe, expect, it } from 'vitest'

import { markedParts, pageParts } from '../../../packages/sites/bundle/render/whole-document.ts'

describe('a stored page that is a whole document', () => {
  it('passes its body to the theme and the required elements to the head', () => {
    const { head, content } = pageParts(
      `<!DOCTYPE html>\n<html lang="fr"><head><meta charset="utf-8"><title>T</title><base href="/"><meta name="viewport" content="x">
       <style>body{color:red}</style><link rel="stylesheet" href="a.css"><link rel="icon" href="i.png"><script src="s.js"></script></head>
       <body class="dark &amp; wide" style="margin:0" onload="x()"><h1>A</h1>&nbsp;<p>B</body></html>\n`,
    )
    expect(head).toEqual([
      '<style>body{color:red}</style>',
      '<link rel="stylesheet" href="a.css">',
      '<script src="s.js"></script>',
    ])
    expect(content.replace(/\s+/g, ' ')).toBe(
      '<div class="dark &amp; wide" style="margin:0" lang="fr"> <h1>A</h1>&nbsp;<p>B </div>',
    )
  })

  it('keeps what its head declares to crawlers and browsers, and reports what it leaves out', () => {
    const kept = [
      '<meta name="Robots" content="noindex">',
      '<meta name=googlebot content=noindex>',
      '<meta name="referrer" content="no-referrer">',
      '<meta name="theme-color" content="#123" media="(prefers-color-scheme: dark)">',
      '<meta http-equiv="Refresh" content="9; url=a.html">',
    ]
    const dropped = `<base href="/x/"><meta http-equiv="Content-Security-Policy" content="default-src 'self'"><link rel="canonical next" href="a">
      <meta name="color-scheme" content="dark"><meta name="color-scheme" content="light"><object></object>`
    const replaced = `<meta charset="utf-8"><meta http-equiv="Content-Type" content="text/html"><meta name="viewport" content="x"><title>T</title>
      <meta property="og:title" content="T"><meta name="twitter:card" content="x"><meta name="description" content="x"><meta name="generator" content="x">
      <link rel="icon" href="i"><link rel="shortcut icon" href="i"><link rel="apple-touch-icon" href="i"><meta>`
    const parts = pageParts(`<html><head>${replaced}${kept.join('')}${dropped}<body>x`)
    expect(parts.head).toEqual(kept)
    expect(parts.leftOut).toEqual([
      'base[href]',
      'meta[http-equiv=content-security-policy]',
      'link[rel=canonical next]',
      'meta[name=color-scheme]',
    ])
  })

  it('shows what a frameset has for readers without frames', () => {
    const parts = pageParts(
      '<html><head><title>T</title></head><frameset cols="1,2"><frame src="a"><noframes><body class=b><p>x</p></body></noframes></frameset></html>',
    )
    expect(parts).toEqual({ head: [], content: '<div class="b"><p>x</p></div>', leftOut: ['frameset'] })
    expect(pageParts('<frameset><noframes><p>x</p><a href="</frameset>').content).toBe('<p>x</p>')
    expect(pageParts('<frameset><frame src=a></frameset>')).toMatchObject({ content: '', leftOut: ['frameset'] })
  })

  it('may be XHTML', () => {
    const start = `<?xml version="1.0" encoding="utf-8"?>\n<?xml-stylesheet href="a.css"?>\n`
    const doctype =
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
    const { content } = pageParts(
      `${start}${doctype}<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><title>T</title></head><body><p>x</p></body></html>`,
    )
    expect(content.replace(/\s+/g, ' ').trim()).toBe('<div lang="de"> <p>x</p></div>')
    expect(pageParts('<?xml version="1.0"?><p>x</p>').content).toBe('<p>x</p>')
  })

  it.each([
    ['<!doctype html><p>x</p>', '<p>x</p>'],
    ['<body><p>x</p>', '<p>x</p>'],
    ['<p>x</p></body></html><p>y</p>', '<p>x</p><p>y</p>'],
    ['<title>T</title><body>x<body class=b>y', '<div class="b">xy</div>'],
    ['<HTML><style>a{}</style>text', 'text'],
    ['<html dir=rtl lang=he><body>x', '<div lang="he" dir="rtl">x</div>'],
    [
      '<html class=a style=color:red lang=de><body class=b style=margin:0 lang=fr>x',
      '<div class="a b" style="color:red;margin:0" lang="fr">x</div>',
    ],
  ])('is known by any of its tags: %s', (stored, content) => {
    expect(pageParts(stored).content).toBe(content)
  })

  it.each([
    '<article>\r\n<!-- <body> --><p title="<html>">x</p><script>"</body>"</script><textarea><head></textarea>',
    '<title>T</title><style>a{}</style><p>x',
    '<header>x</header><headline>y</headline>',
  ])('is not seen in a fragment, which stays as it is: %s', (stored) => {
    expect(pageParts(stored)).toEqual({ head: [], content: stored, leftOut: [] })
  })

  const tags = ['<html lang=en>', '</html>', '<head>', '</head>', '<body class="a">', '</body>', '<!doctype html>']
  const others = ['<p>', 'text', '<style>a{}</style>', '<div>', '</div>', '<table>', '<svg>', '</svg>', '<!-- <body> -->', '<template>', '</template>', '<title>t</title>', '<meta name=x>', '<select>', '<textarea>', '</textarea>', '<script>"<body>"</script>', '<link rel=stylesheet href=x>', '<noscript>', '</noscript>'] // prettier-ignore

  it('never puts a document inside another one', () => {
    const count = (node: DefaultTreeAdapterTypes.Node): number => {
      const inside = 'content' in node ? node.content : node
      const isHtml = 'tagName' in node && node.namespaceURI === markup.NS.HTML
      const own = isHtml && ['html', 'head', 'body'].includes(node.tagName) ? 1 : 0
      return 'childNodes' in inside ? inside.childNodes.reduce((sum, child) => sum + count(child), own) : own
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tags, ...others), { maxLength: 30 }), (parts) => {
        const stored = parts.join('')
        const { head, content } = pageParts(stored)
        expect(count(parse(`<!doctype html><html><head>${head.join('')}</head><body><main>${content}`))).toBe(3)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps every word of the body', () => {
    const words = (text: string): readonly string[] => [...text.matchAll(/w\d+/g)].map(([word]) => word)
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...tags, '<p>', '<div>', '</div>', 'w1', 'w2', 'w3 '), { maxLength: 30 }),
        (parts) => {
          expect(words(pageParts(parts.join('')).content)).toEqual(words(parts.join('')))
        },
      ),
    )
  })
})

it('marks what the body of a stored page has, and how much of it was in its head', () => {
  const mark = (stored: string) => markedParts(stored, (content, moved) => `[${moved} ${content}]`).content
  expect(mark('<p>x</p>')).toBe('[0 <p>x</p>]')
  expect(mark('<style>p {}</style> <meta name="a"><p>x</p><style>q {}</style>')).toBe(
    '[2 <style>p {}</style> <meta name="a"><p>x</p><style>q {}</style>]',
  )
  expect(mark('<title>T</title><body class="a"><style>p {}</style><p>x</p></body>')).toBe(
    '<div class="a">[0 <style>p {}</style><p>x</p>]</div>',
  )
})
