import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'

// Forms of references and of pages. Later work adds its own: each is photographed in a review and in its export.

/** One form: a page as an editor saves it, and what is expected of it. */
export interface Form {
  readonly html: string
  /** Files of its own, beside those of the stock that it names. */
  readonly files?: Readonly<Record<string, Buffer>>
  /** A colour that must be on both photographs, so that two blank pages do not count as equal. */
  readonly shows?: keyof typeof colours
  /** Whether a web font has to be loaded. */
  readonly font?: true
  /** Why the review cannot look like the export. */
  readonly differs?: string
  /** Why it may or may not, from run to run. */
  readonly mayDiffer?: string
  /** What the frame of the window says. Nothing, if absent. */
  readonly says?: string
}

/** Red is a stored picture, green a stored drawing, blue a part of one. */
export const colours = { red: [224, 0, 0], green: [0, 160, 0], blue: [0, 0, 224] } as const

/** A picture of one colour, 40 by 40 pixels. */
function picture(colour: keyof typeof colours): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    crc.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, crc])
  }
  const header = Buffer.from([0, 0, 0, 40, 0, 0, 0, 40, 8, 2, 0, 0, 0])
  const row = Buffer.from([0, ...Array.from({ length: 40 }, () => colours[colour]).flat()])
  const rows = deflateSync(Buffer.concat(Array.from({ length: 40 }, () => row)))
  const start = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** A second of silence. */
function silence(): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + 8000, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(8000, 40)
  return Buffer.concat([head, Buffer.alloc(8000, 128)])
}

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 10 10"><defs><symbol id="icon" viewBox="0 0 10 10">' +
  '<path fill="#0000e0" d="M0 0h10v10H0z"/></symbol><mask id="half"><path fill="#fff" d="M0 0h40v20H0z"/></mask>' +
  '<filter id="flood"><feFlood flood-color="#0000e0"/></filter></defs><path fill="#00a000" d="M0 0h10v10H0z"/><view id="corner" viewBox="0 0 2 2"/></svg>'

const font = readFileSync(new URL('../../../resources/demo/inter-latin.woff2', import.meta.url))
const red = picture('red')

/** Files that forms name, by name. A form is saved with those that its page and its own files mention. */
const stock: Readonly<Record<string, Buffer>> = {
  'r.png': red,
  'blue.png': picture('blue'),
  's.svg': Buffer.from(drawing),
  'f.woff2': font,
  'a.wav': silence(),
  't.vtt': Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nWords'),
  'x.pdf': Buffer.from('%PDF-1.4\n%%EOF'),
  'main.css': Buffer.from('.m { width: 60px; height: 60px; background: #0000e0 }'),
  'dead.css': Buffer.from('.m { width: 60px; height: 60px; background: #0000e0 url(dummy-gone.png) }'),
}

const box = (style: string, content = ''): string => `<div style="width:60px;height:60px;${style}">${content}</div>`
const face = (src: string, more = ''): string =>
  `<style>@font-face{font-family:Mine;src:${src};${more}}p{font:40px Mine,monospace}</style><p>Harbour 123</p>`
const named = (file: string): Pick<Form, 'html' | 'files' | 'shows'> => ({
  html: `<img src="dummy-${encodeURIComponent(file)}" alt="">`,
  files: { [file]: red },
  shows: 'red',
})
const whole = (head: string, body: string, attributes = ''): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>Whole</title>${head}</head><body ${attributes}>${body}</body></html>`
const policy = (value: string): string => `<meta http-equiv="Content-Security-Policy" content="${value}">`
const image = '<img src="dummy-r.png" alt="">'
const marked = (html: string): string => `<article data-vrstk-article="1">${html}</article>`
const drawnBy = (tag: string): Pick<Form, 'html' | 'shows'> => ({ html: tag, shows: 'green' })
/** Plain gives unmarked fragments a padding and a width, and the body of a document an element of its own. */
const framed = 'the theme puts pages without the mark of an article into a frame of its own'

const references: Readonly<Record<string, Form>> = {
  img: { html: image, shows: 'red' },
  'img-query': { html: '<img src="dummy-r.png?v=4.7.0">', shows: 'red' },
  'img-fragment': { html: '<img src="dummy-r.png#x">', shows: 'red' },
  'img-query-fragment': { html: '<img src="dummy-r.png?a=1&amp;b=2#x">', shows: 'red' },
  'svg-view': drawnBy('<img src="dummy-s.svg#corner" width=60>'),
  'svg-query-view': drawnBy('<img src="dummy-s.svg?v=1#corner" width=60>'),
  'svg-use': {
    html: '<svg width=60 height=60><use href="dummy-s.svg#icon" width=60 height=60 /></svg>',
    shows: 'blue',
  },
  'svg-use-xlink-query': {
    html: '<svg width=60 height=60><use xlink:href="dummy-s.svg?v=2#icon" width=60 height=60 /></svg>',
    shows: 'blue',
  },
  'svg-image': {
    html: '<svg width=60 height=60><image href="dummy-r.png?v=1" width=60 height=60 /></svg>',
    shows: 'red',
  },
  'svg-inline': {
    html: '<svg width=60 height=60><defs><g id=i><path fill="#0000e0" d="M0 0h40v40H0z"/></g></defs><use href="#i"/></svg>',
    shows: 'blue',
  },
  'svg-feimage': {
    html: '<svg width=60 height=60><filter id=f x=0 y=0 width=1 height=1><feImage href="dummy-r.png"/></filter><path filter="url(#f)" d="M0 0h40v40H0z"/></svg>',
  },
  object: drawnBy('<object data="dummy-s.svg" type="image/svg+xml">Instead</object>'),
  'object-query': drawnBy('<object data="dummy-s.svg?v=1#corner">Instead</object>'),
  'object-picture': { html: '<object data="dummy-r.png" width=60 height=60></object>', shows: 'red' },
  'object-fallback': {
    html: `<object data="dummy-none.png" type="image/png">${image}</object>`,
    shows: 'red',
    says: '1 file isn’t shown: none.png.',
  },
  embed: drawnBy('<embed src="dummy-s.svg?e" type="image/svg+xml" width=60 height=60>'),
  iframe: drawnBy('<iframe src="dummy-s.svg?i" width=80 height=80 style="border:0"></iframe>'),
  'iframe-sandbox': drawnBy('<iframe sandbox src="dummy-s.svg" width=80 height=80 style="border:0"></iframe>'),
  'iframe-srcdoc': {
    html: `<iframe width=80 height=80 srcdoc="<body style='margin:0'><img src='dummy-r.png?v=1'>"></iframe>`,
    shows: 'red',
  },
  'iframe-srcdoc-policy': {
    html: `<iframe width=80 height=80 srcdoc="<meta http-equiv='Content-Security-Policy' content='img-src http: https:'><img src='dummy-r.png'>"></iframe>`,
    shows: 'red',
  },
  srcset: { html: '<img srcset="dummy-r.png?w=40 1x, dummy-blue.png 2x" src="dummy-blue.png">', shows: 'red' },
  sizes: {
    html: '<img sizes="(min-width: 600px) 40px, 100vw" srcset="dummy-r.png 40w, dummy-blue.png 800w" width=60>',
    shows: 'red',
  },
  picture: {
    html: '<picture><source media="(max-width: 600px)" srcset="dummy-blue.png"><source type="image/png" srcset="dummy-r.png#x"><img src="dummy-blue.png"></picture>',
    shows: 'red',
  },
  'css-unquoted': { html: box('background:url(dummy-r.png?x#y)'), shows: 'red' },
  'css-quoted': { html: box(`background:url('dummy-r.png?v=1')`), shows: 'red' },
  'css-escaped': {
    html: '<style>.e{width:60px;height:60px;background:u\\72l(dummy-\\72.png)}</style><div class=e></div>',
    shows: 'red',
  },
  'css-image-set': {
    html: `<style>.e{width:60px;height:60px;background:image-set("dummy-r.png?v=1" 1x,"dummy-blue.png" 2x)}</style><div class=e></div>`,
    shows: 'red',
  },
  'css-variable': { html: box('--p:url(dummy-r.png?v=1);background:var(--p)'), shows: 'red' },
  'css-mask-picture': { html: box('background:#0000e0;mask:url(dummy-r.png) 0 0/30px 60px no-repeat'), shows: 'blue' },
  'css-mask-drawing': {
    html: box('background:#0000e0;mask:url(dummy-s.svg?v=1#half)'),
    shows: 'blue',
    mayDiffer: 'Chromium forgets the mask where styles are computed again, as Playwright may have it do',
  },
  'css-filter-drawing': { html: box('background:#e00000;filter:url(dummy-s.svg#flood)'), shows: 'blue' },
  'css-list-style': { html: '<ul style="list-style-image:url(dummy-r.png)"><li>One<li>Two</ul>', shows: 'red' },
  'css-content': { html: '<style>.c::after{content:url(dummy-r.png?v=2)}</style><p class=c>After</p>', shows: 'red' },
  'css-border-image': { html: box('border:12px solid;border-image:url(dummy-r.png) 10'), shows: 'red' },
  'css-cursor': { html: box('background:#0000e0;cursor:url(dummy-r.png),auto'), shows: 'blue' },
  'css-shape': {
    html: '<style>.s{float:left;width:60px;height:60px;shape-outside:url(dummy-r.png);background:url(dummy-r.png)}</style><div class=s></div><p>Words around it',
    shows: 'red',
  },
  'css-import': { html: '<style>@import url(dummy-main.css?v=1);</style><div class=m></div>', shows: 'blue' },
  'css-link': { html: '<link rel="stylesheet" href="dummy-main.css?v=9"><div class=m></div>', shows: 'blue' },
  'css-link-gone': {
    html: '<link rel="stylesheet" href="dummy-dead.css"><div class=m></div>',
    shows: 'blue',
    says: '1 file isn’t shown: gone.png.',
  },
  'css-link-media': {
    html: '<link rel="stylesheet" media="(min-width: 300px)" href="dummy-main.css"><div class=m></div>',
    shows: 'blue',
  },
  'data-urls': {
    html: `<link rel=stylesheet href="data:text/css,p{color:%230000e0;font-size:60px;font-weight:900}"><img src="data:image/png;base64,${red.toString('base64')}"><p>█`,
    shows: 'red',
  },
  'font-iefix': { html: face(`url("dummy-f.woff2?#iefix") format("woff2")`), font: true },
  'font-version': { html: face('url(dummy-f.woff2?v=4.7.0)'), font: true },
  'font-fragment': { html: face('url(dummy-f.woff2#webfont) format("woff2")'), font: true },
  'font-list': {
    html: face('local("None such"),url(dummy-none.eot?#iefix) format("embedded-opentype"),url(dummy-f.woff2?x)'),
    font: true,
    says: '1 file isn’t shown: none.eot.',
  },
  'font-range': { html: face('url(dummy-f.woff2?r)', 'unicode-range:U+30-39'), font: true },
  'font-variable': {
    html: face('url(dummy-f.woff2?v) tech(variations)', 'font-weight:100 900').replace('40px', '850 40px'),
    font: true,
  },
  video: { html: '<video controls width=200 height=120 poster="dummy-r.png?v=1"></video>', shows: 'red' },
  audio: { html: '<audio controls src="dummy-a.wav?v=1"></audio>' },
  track: {
    html: '<video controls width=200 height=120 poster="dummy-r.png"><track default src="dummy-t.vtt?v=1"></video>',
    shows: 'red',
  },
  'background-attribute': {
    html: '<table background="dummy-r.png?v=1" width=90 height=90><tr><td>Cell</table>',
    shows: 'red',
  },
  'input-image': { html: '<input type=image src="dummy-r.png?v=1" alt="Send">', shows: 'red' },
  'image-map': {
    html: '<img src="dummy-r.png#m" usemap="#m" alt=""><map name=m><area href="#top" coords="0,0,9,9"></map>',
    shows: 'red',
  },
  lazy: {
    html: '<div style="height:200px"></div><img loading=lazy decoding=async src="dummy-r.png?v=1">',
    shows: 'red',
  },
  base: { html: `<base href="https://elsewhere.example/blog/">${image}`, shows: 'red' },
  'name-not-latin': named('фото гавани.png'),
  'name-signs': named('50% of (all) #1, a&b.png'),
  'name-decomposed': named('fja\u030Ard.png'),
  'name-cjk': named('写真 一.png'),
  missing: { html: `${image}<img src="dummy-none.png" alt="">`, shows: 'red', says: '1 file isn’t shown: none.png.' },
  relative: {
    html: `${image}<img src="pictures/none.png" alt="">`,
    shows: 'red',
    says: '1 file isn’t shown: none.png.',
  },
  pdf: {
    html: `${image}<object data="dummy-x.pdf" width=90 height=90>Instead</object>`,
    shows: 'red',
    differs: 'a browser opens its viewer of PDF files',
    says: '1 file isn’t shown: x.pdf.',
  },
  elsewhere: {
    html: `${image}<img src="http://127.0.0.1:9/far.png" alt=""><p style="background:url(//127.0.0.1:9/near.png?x)">Text`,
    shows: 'red',
    says: '2 files aren’t shown: far.png and near.png.',
  },
}

const pages: Readonly<Record<string, Form>> = {
  // Only in a head, before everything else, does a policy count.
  'policy-schemes': {
    html: `${policy("default-src https: http: data: 'unsafe-inline'")}${marked(image)}`,
    shows: 'red',
  },
  'policy-self': { html: `${policy("img-src 'self'")}${marked(image)}`, shows: 'red' },
  'policy-none': { html: `${policy("default-src 'none'")}${marked(image + box('background:#0000e0'))}`, shows: 'red' },
  'policy-entities': {
    html: `${policy('img-src https:').replace('Security', 'Se&#99;urity')}${marked(image)}`,
    shows: 'red',
  },
  'policy-document': {
    html: whole(policy('default-src https: http:'), image, 'style="margin:0"'),
    shows: 'red',
    differs: framed,
  },
  'script-picture': {
    html: `<img data-src="dummy-r.png" width=60 height=60><script>for(const it of document.querySelectorAll('[data-src]'))it.src=it.dataset.src</script>`,
    differs: 'a script loads its picture',
    says: '1 file isn’t shown: r.png. Scripts of this page are off in a review.',
  },
  'script-picture-noscript': {
    html: `<img data-src="dummy-r.png" width=60 height=60><noscript>${image}</noscript>`,
    shows: 'red',
    differs: 'a browser with scripts shows nothing of a noscript',
  },
  'script-handler': {
    html: `${image}<p onclick="alert(1)">Press`,
    shows: 'red',
    says: 'Scripts of this page are off in a review.',
  },
  'script-data': { html: `${image}<script type="application/ld+json">{"a":1}</script>`, shows: 'red' },
  document: {
    html: whole(
      '<style>body{background:#0000e0;margin:0}</style><link rel=stylesheet href="dummy-main.css">',
      `<div class=m></div><p>Text`,
    ),
    shows: 'blue',
    differs: framed,
  },
  fragment: { html: `<h1>Unmarked</h1>${image}<table border=1><tr><td>Cell</table>`, shows: 'red', differs: framed },
  'old-doctype': {
    html: `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">${marked(`<table><tr><td>${image}</table><p style="width:100px;padding:20px;border:9px solid #0000e0">Box`)}`,
    shows: 'red',
  },
  quotes: { html: '<p lang=de>Er sagte <q>ja</q>.<p>They said <q>yes</q>.' },
  rtl: { html: '<div lang=ar dir=rtl><h1>الميناء القديم</h1><p>نص قصير. <b>Latin</b></div>' },
  'rtl-language': { html: '<p lang=he>נמל ישן<ul><li>אחת</ul>' },
  cjk: {
    html: '<p>港の週末 「市場」<p lang=zh>港口的周末<p lang=ja style="writing-mode:vertical-rl;height:90px">縦書きの文',
  },
  thai: { html: '<p lang=th style="width:90px">ไก่ขาวที่ท่าเรือ' },
  table: { html: '<table border=1><caption>Prices</caption><tr><th>Fish<td>9<tr><th>Bread<td>11</table>' },
  'layout-vw': {
    html: `<div style="position:relative;height:200px">${box('position:absolute;left:10vw;top:5vw;background:#0000e0')}</div>`,
    shows: 'blue',
  },
  fixed: {
    html: `<div style="position:fixed;right:0;bottom:0;background:#0000e0;width:50vw;height:40px"></div><p>Text`,
    shows: 'blue',
  },
  sticky: { html: `<div style="position:sticky;top:0;background:#0000e0;height:40px"></div><p>Text`, shows: 'blue' },
  'dark-colours': { html: '<style>:root{color-scheme:dark}</style><p>Light on dark <input value=x>' },
  'dark-query': {
    html: '<style>@media(prefers-color-scheme:dark){p{color:#e00000}}@media(prefers-color-scheme:light){p{color:#0000e0;font:900 60px monospace}}</style><p>██',
    shows: 'blue',
  },
  'body-background': {
    html: '<style>body{background:#00a000 url(dummy-r.png?v=1) no-repeat 0 0;margin:0}</style><p>Text',
    shows: 'green',
  },
  long: { html: `${'<p>A line of a long page.</p>'.repeat(80)}${image}` },
  template: {
    html: `<template><img src="dummy-none.png"></template>${image}`,
    shows: 'red',
    says: '1 file isn’t shown: none.png.',
  },
  'shadow-root': {
    html: `<div><template shadowrootmode=open><style>p{color:#0000e0;font:900 60px monospace}</style><p>██</p><img src="dummy-r.png?v=1"><slot></slot></template>Slotted</div>`,
    shows: 'red',
  },
  details: {
    html: `<details open><summary>More</summary>${image}</details><details><summary>Closed</summary>Hidden</details>`,
    shows: 'red',
  },
  dialog: { html: `<dialog open>${image}</dialog>`, shows: 'red' },
  'custom-element': {
    html: `<x-card background="transparent" src="none at all" data="some words">${image}</x-card>`,
    shows: 'red',
  },
  figure: { html: `<figure>${image}<figcaption>Caption</figcaption></figure>`, shows: 'red' },
  form: {
    html: '<form><label>Name <input></label><select><option>One</select><textarea>Text</textarea><progress value=.5></progress></form>',
  },
  math: { html: '<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>' },
  animation: {
    html: `<style>@keyframes x{to{transform:translateX(90px)}}div{animation:x 1ms forwards}</style>${box('background:#0000e0')}`,
    shows: 'blue',
  },
  container: {
    html: `<style>.o{container-type:inline-size}@container(min-width:200px){.i{background:#0000e0;width:60px;height:60px}}</style><div class=o><div class=i></div></div>`,
    shows: 'blue',
  },
  noframes: { html: '<p>Before<iframe width=80 height=80></iframe>After' },
  unclosed: { html: `<div><b>Bold ${image}<p>More`, shows: 'red' },
}

const isBare = ({ html }: Form): boolean => /^<!doctype|^<h1>Unmarked|data-vrstk-article/i.test(html)

/** All forms by name. References and fragments have the mark of an article, which themes leave alone. */
export const forms: Readonly<Record<string, Form>> = Object.fromEntries(
  Object.entries({ ...references, ...pages }).map(([name, form]) => [
    name,
    isBare(form) ? form : { ...form, html: marked(form.html) },
  ]),
)

/** The files that a form is saved with. */
export function filesOf({ html, files = {} }: Form): Readonly<Record<string, Buffer>> {
  const texts = [html.replaceAll('\\72', 'r')]
  const found: Record<string, Buffer> = { ...files }
  for (const text of texts)
    for (const [name, bytes] of Object.entries(stock))
      if (found[name] === undefined && text.includes(`dummy-${name}`)) {
        found[name] = bytes
        if (name.endsWith('.css')) texts.push(bytes.toString())
      }
  return found
}
