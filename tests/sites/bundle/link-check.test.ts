import { describe, expect, it } from 'vitest'

import { describeBrokenReason } from '../../../packages/library/records/broken-link.ts'
import { countBroken } from '../../../packages/library/records/broken-link.ts'
import { createContentsReader, createLinkCheck, createLinkCount } from '../../../packages/sites/bundle/link-check.ts'
import { ownUrlsIn } from '../../../packages/sites/bundle/own-urls.ts'
import { cssReferences, pageContents } from '../../../packages/sites/bundle/page-references.ts'

const base = 'https://media.example.org'
const file = `${base}/media/${'a'.repeat(32)}/x%20y.png`
const check = createLinkCheck({
  paths: new Set(['index.html', 'a/index.html', 'b/index.html', 'media/x.png', 'media/e.bin']),
  inertPaths: new Set(['media/e.bin']),
  baseUrl: 'https://example.org/sub/',
  publicBases: [base, 'http://localhost:8787'],
  withheld: new Set(['a/draft']),
  published: new Set(['one']),
})
const nothing = { paths: new Set<string>(), inertPaths: new Set<string>(), baseUrl: null, publicBases: [] }
/** In the format of the command line. */
const brokenIn = (html: string) =>
  check.page('a/index.html', html).broken.map(({ ref, reason }) => [ref, describeBrokenReason(reason)])
const codesIn = (html: string, page = 'a/index.html') =>
  check
    .page(page, html)
    .broken.map(({ ref, reason, place }) => [
      ref,
      reason.code,
      place && `${place.line}:${place.column} ${place.element ?? ''}`,
    ])

describe('references of a page', () => {
  it('are found wherever a browser would follow one', () => {
    const html = `<a href=" 1 "><img src=2 srcset="3 1x, 4,5 2x, 6"><video poster="7"><source srcset="8"></video>
      <p style="background:url('9')"></p><style>a{background:url(10)}/*url(no)*/</style><svg><use xlink:href="11#x"/></svg>
      <template><img src="12"></template><noscript><img src="13"></noscript><object data="14"></object>
      <div data-src="15" data-srcset="16 100w"></div><form action="17"></form>
      <iframe srcdoc="<a href='18'><img src=&quot;19&quot;><a href='#no'><iframe srcdoc='<img src=20>'>"></iframe><iframe srcdoc='<base href=&quot;sub/x&quot;><img src=21><a href=/22><a href=?23>'></iframe><base href="no"><p title="no" alt="no">no`
    expect(pageContents(html).references.map(({ ref }) => ref)).toEqual([
      '1', '2', '3', '4,5', '6', '7', '8', '9', '10', '11#x', '12', '13', '14', '15', '16', '17', '18', '19', '20', 'sub/21', '/22', 'sub/x?23',
    ]) // prettier-ignore
  })

  it('are found in the style of a drawing, whose entities browsers decode', () => {
    const html = `<p>x</p><svg><style>a{fill:url(&quot;one.png&quot;)}b{fill:url(a&amp;b.png)}<![CDATA[c{fill:url(two.png)}]]></style></svg><style>d{background:url(a&amp;b.png)}</style>`
    const { references } = pageContents(html)
    expect(references.map(({ ref, element }) => [ref, element])).toEqual([
      ['one.png', 'style'],
      ['a&b.png', 'style'],
      ['two.png', 'style'],
      ['a&amp;b.png', 'style'],
    ])
    expect(references.map(({ at }) => html.slice(at).startsWith('a&amp;b.png') || html.slice(at, at + 20))).toContain(
      true,
    )
  })

  it('are no other values of attributes that name files elsewhere', () => {
    const html = `<lottie-player background="transparent" src="animation.json"></lottie-player><x-chart data="1,2,3" src="red" poster="none" background="a/b.png"></x-chart>
      <div background="red" data="x"></div><table background="t.png"><tr><td background="d.png"></table><object data="o.pdf"></object>`
    expect(pageContents(html).references.map(({ ref }) => ref)).toEqual([
      'animation.json',
      'a/b.png',
      't.png',
      'd.png',
      'o.pdf',
    ])
  })

  it('are no words of a custom property', () => {
    const css = `a{--x:"Hello world";--y:"//elsewhere.example/a.png";--z:url(b.png)}`
    expect(cssReferences(css).map(({ ref }) => ref)).toEqual(['//elsewhere.example/a.png', 'b.png'])
  })

  it('are found in style sheets', () => {
    expect(
      cssReferences(`@import "a.css";b{src:url( "c d.woff" ),url(e.woff?#f)}/* url(x) */g::after{content:"h"}`).map(
        ({ ref }) => ref,
      ),
    ).toEqual(['a.css', 'c d.woff', 'e.woff?#f'])
  })
})

describe('a page with 150,000 broken links', () => {
  const many = (link: (at: number) => string): string => Array.from({ length: 150_000 }, (_, at) => link(at)).join('')

  it.each([
    ['to pages', (at: number) => `<a href="p${at}.html">`],
    ['to files that were never saved', (at: number) => `<img src="dummy-${at}.png">`],
    ['in scripts of JSON', (at: number) => `<script type="application/json">{"a":"dummy-${at}.png"}</script>`],
    ['to anchors of the page', (at: number) => `<a href="#a${at}">`],
  ])('%s: the first are named, all are counted', (_, link) => {
    const count = createLinkCount()
    count.add(check.page('a/index.html', many(link)))
    count.add(check.page('b/index.html', '<img src="gone.png">'))
    const report = count.read()
    expect(report.broken).toHaveLength(1001)
    expect(report.broken.at(-1)).toMatchObject({ page: 'b/index.html', ref: 'gone.png' })
    expect(countBroken(report)).toBe(150_001)
  })

  it('in each of many pages are named as far as anybody reads them', () => {
    const count = createLinkCount()
    const broken = check.page('a/index.html', '<img src="gone.png">').broken
    for (let at = 0; at < 20; at++)
      count.add({ checked: 0, broken: Array.from({ length: 2_000 }, () => broken).flat() })
    expect(count.read()).toMatchObject({ more: 30_000 })
  })
})

describe('link check', () => {
  it('accepts links into the bundle or to other sites', () => {
    const html = `<a href="../index.html"><a href="../b/"><a href="../b"><a href="../b/index.html?x#top"><a href="#z" id="z"><a href="">
      <a href="https://example.org/sub/b/"><a href="https://other.example/x"><a href="mailto:a@b.c"><a href="javascript:x">
      <img src="../media/x.png"><img src="data:image/png;base64,AA"><img src="//cdn.example/x.png"><a href="${base}/about">`
    const { known, ...report } = check.page('a/index.html', html)
    expect(report).toEqual({ checked: 7, broken: [] })
    expect(known && check.knownPage('a/index.html', known)).toEqual(report)
  })

  it.each([
    [
      '<img src="dummy-x.png">',
      'dummy-x.png',
      'the file was never part of a save; add it in the editor again, and save',
    ],
    ['<a href="../c/">', '../c/', 'there is no c/ in the export; correct the link'],
    ['<img src="../media/X.png">', '../media/X.png', 'there is no media/X.png in the export; correct the link'],
    ['<a href="../../x">', '../../x', 'points outside the export; link to a page of the site, or enter the full URL'],
    [
      '<img src="file:///etc/passwd">',
      'file:///etc/passwd',
      'links to a file on one computer; add the file to the page',
    ],
    [
      '<a href="https://example.org/sub/c/">',
      'https://example.org/sub/c/',
      'there is no c/ in the export; correct the link',
    ],
    [
      `<img src="${file}">`,
      file,
      'links to a file of this library that is not in the export; add the file to this page',
    ],
    [
      '<link href="http://localhost:8787/fonts/s/current.css">',
      'http://localhost:8787/fonts/s/current.css',
      'links to a file of this library that is not in the export; add the file to this page',
    ],
    ['<a href="http://[">', 'http://[', 'is not an address; correct it'],
    [
      '<iframe src="../media/e.bin">',
      '../media/e.bin',
      'is exported as the download media/e.bin, because files of its type could run code; use a file of another type',
    ],
    [
      `<script type="application/json">{"a":"${file}"}</script>`,
      file,
      'links to a file of this library that is not in the export; add the file to this page',
    ],
    [
      '<script type="application/json">{"a":"dummy-b.png"}</script>',
      'dummy-b.png',
      'the file was never part of a save; add it in the editor again, and save',
    ],
  ])('names %s', (html, ref, reason) => {
    expect(brokenIn(html)).toEqual([[ref, reason]])
  })

  it('reports a script with a temporary file name', () => {
    expect(brokenIn(`<script>load("${file}")</script>`)).toEqual([
      [expect.stringContaining('script 1'), expect.stringContaining('a script uses a file of this library')],
    ])
  })

  it('does not report prose and links to the live site', () => {
    expect(brokenIn(`<p>dummy-x.png ${file}</p><!-- ${file} --><img alt="${file}"><a href="${base}/media/">`)).toEqual(
      [],
    )
  })
})

describe('problems that depend on where the page is read', () => {
  it.each([
    ['<p>\n  <a href="/about">', '/about', 'root_relative', '2:6 a[href]'],
    ['<a href="C:\\x\\y.png">', 'C:\\x\\y.png', 'one_machine', '1:4 a[href]'],
    ['<img src="\\\\server\\y.png">', '\\\\server\\y.png', 'one_machine', '1:6 img[src]'],
    ['<img src="">', '', 'empty', '1:6 img[src]'],
    ['<a href="http://localhost:3000/x">', 'http://localhost:3000/x', 'private_address', '1:4 a[href]'],
    ['<a href="https://10.1.2.3/">', 'https://10.1.2.3/', 'private_address', '1:4 a[href]'],
    ['<a href="https://0x7f.1/">', 'https://0x7f.1/', 'private_address', '1:4 a[href]'],
    ['<a href="https://172.31.0.1/">', 'https://172.31.0.1/', 'private_address', '1:4 a[href]'],
    ['<a href="https://169.254.1.1/">', 'https://169.254.1.1/', 'private_address', '1:4 a[href]'],
    ['<a href="http://[::1]:80/">', 'http://[::1]:80/', 'private_address', '1:4 a[href]'],
    ['<a href="http://[fd00::1]/">', 'http://[fd00::1]/', 'private_address', '1:4 a[href]'],
    ['<a href="http://[fe80::1]/">', 'http://[fe80::1]/', 'private_address', '1:4 a[href]'],
    ['<a href="http://[::ffff:192.168.0.1]/">', 'http://[::ffff:192.168.0.1]/', 'private_address', '1:4 a[href]'],
    ['<a href="https://wiki.internal/">', 'https://wiki.internal/', 'private_address', '1:4 a[href]'],
    ['<a href="https://nas.local./">', 'https://nas.local./', 'private_address', '1:4 a[href]'],
    ['<a href="https://intranet/">', 'https://intranet/', 'private_address', '1:4 a[href]'],
    ['<img src="http://cdn.example/x.png">', 'http://cdn.example/x.png', 'mixed_content', '1:6 img[src]'],
    [
      '<style>p{}\np{background:url(http://cdn.example/x.png)}</style>',
      'http://cdn.example/x.png',
      'mixed_content',
      '2:18 ',
    ],
    ['<img data-src="http://cdn.example/x.png">', 'http://cdn.example/x.png', 'mixed_content', '1:6 img[data-src]'],
    [
      '<img data-image-src="http://localhost/x.png">',
      'http://localhost/x.png',
      'mixed_content',
      '1:6 img[data-image-src]',
    ],
    [
      '<img data-src-mobile="http://localhost/x.png">',
      'http://localhost/x.png',
      'mixed_content',
      '1:6 img[data-src-mobile]',
    ],
    [
      '<img data-flickity-lazyload="http://localhost/x.png">',
      'http://localhost/x.png',
      'mixed_content',
      '1:6 img[data-flickity-lazyload]',
    ],
    ['<img data-lazy="http://localhost/x.png">', 'http://localhost/x.png', 'mixed_content', '1:6 img[data-lazy]'],
    [
      '<img data-srcset-webp="http://cdn.example/x.webp 2x">',
      'http://cdn.example/x.webp',
      'mixed_content',
      '1:6 img[data-srcset-webp]',
    ],
    ['<meta http-equiv="Refresh" content="5; URL=../c/">', '../c/', 'no_file', '1:28 meta[content]'],
    [`<meta http-equiv="refresh" content="0;'../c/'">`, '../c/', 'no_file', '1:28 meta[content]'],
    ['<img data-src="../media/no.png">', '../media/no.png', 'no_file', '1:6 img[data-src]'],
    ['<img data-srcset="../media/no.png 2x">', '../media/no.png', 'no_file', '1:6 img[data-srcset]'],
    ['<div data-bg="url(../media/no.png)">', '../media/no.png', 'no_file', '1:6 div[data-bg]'],
    ['<video poster="../media/no.png">', '../media/no.png', 'no_file', '1:8 video[poster]'],
    ['<img srcset="../media/x.png, ../media/no.png 2x">', '../media/no.png', 'no_file', '1:6 img[srcset]'],
    ['<p style="background:url(../media/no.png)">', '../media/no.png', 'no_file', '1:4 p[style]'],
    ['<a href="galley:material/no%20such">', 'galley:material/no%20such', 'unknown_material', '1:4 a[href]'],
    ['<a href="galley:material/a%2Fdraft#x">', 'galley:material/a%2Fdraft#x', 'not_published', '1:4 a[href]'],
    [
      '<button formaction="galley:material/a%2Fdraft">',
      'galley:material/a%2Fdraft',
      'not_published',
      '1:9 button[formaction]',
    ],
    ['<q cite="galley:material/a%2Fdraft">', 'galley:material/a%2Fdraft', 'not_published', '1:4 q[cite]'],
    ['<q cite="galley:material/no">', 'galley:material/no', 'unknown_material', '1:4 q[cite]'],
    ['<img src="galley:material/one">', 'galley:material/one', 'page_not_file', '1:6 img[src]'],
    ['<a href="#no">', '#no', 'no_anchor', '1:4 a[href]'],
  ])('names %s', (html, ref, code, place) => {
    expect(codesIn(html)).toEqual([[ref, code, place]])
  })

  it('names every place of a reference, and counts the reference once', () => {
    const html =
      '<a href="no.html">1</a>\n<a href="no.html">2</a><area href="no.html">' +
      '<style>a{background:url(no.png)}b{background:url(no.png)}</style><img src="no.png">\n' +
      '<a href="#no">3</a><a href="#no">4</a><script type=application/json>["dummy-x.png", "dummy-x.png"]</script>'
    expect(codesIn(html)).toEqual([
      ['no.html', 'no_file', '1:4 a[href]'],
      ['no.html', 'no_file', '2:4 a[href]'],
      ['no.html', 'no_file', '2:30 area[href]'],
      ['no.png', 'no_file', '2:69 '],
      ['no.png', 'no_file', '2:94 '],
      ['no.png', 'no_file', '2:115 img[src]'],
      ['dummy-x.png', 'never_saved', '3:71 '],
      ['dummy-x.png', 'never_saved', '3:86 '],
      ['#no', 'no_anchor', '3:4 a[href]'],
      ['#no', 'no_anchor', '3:23 a[href]'],
    ])
    expect(check.page('a/index.html', html).checked).toBe(5)
    const css = 'a{background:url(no.png)}\nb{background:url(no.png)}'
    expect(check.styleSheet('media/a.css', css)).toMatchObject({ checked: 1, broken: { length: 2 } })
  })

  it('counts a temporary name once, however it is spelled', () => {
    const refs = [
      'dum\nmy-z.png',
      'dummy-%7Az.png',
      './DUMMY-y.png',
      'dummy&#45;w.png',
      'dummy-a%20b.png',
      'dummy-%d1%8f.png',
    ]
    const html = refs.map((ref) => `<img src="${ref}">`).join('')
    expect(codesIn(html)).toHaveLength(refs.length)
    expect(check.page('a/index.html', html).checked).toBe(refs.length)
  })

  it('names every place in a known part, as in the whole page', () => {
    const read = createContentsReader([])
    const markup = '<p><a href="no">1</a><img src="x.png"></p><a href="no">2</a>'
    const html = `<!doctype html><html><body><main><a href="no">0</a> ${markup}</main><a href="no">3</a></body></html>`
    const contents = read.part(markup)
    const around = contents && read.pageAround(html, { markup, contents })
    expect(around?.references).toEqual(read.page(html).references)
    expect(around?.references[0]?.further).toHaveLength(3)
  })

  it('ignores words in attributes of scripts, links of a local site and its http links', () => {
    const html =
      '<div data-bg="dark" data-background="blue"><a href="http://cdn.example/x"><meta http-equiv="refresh" content="5">'
    expect(codesIn(html)).toEqual([])
    const local = createLinkCheck({ ...nothing, baseUrl: 'http://192.168.1.2/', paths: new Set() })
    const reasons = local.page('i.html', '<a href="http://10.0.0.1/"><a href="http://localhost/">').broken
    expect(reasons.map(({ reason }) => reason.code)).toEqual(['private_address'])
  })

  it('resolves / to the folder of a web server if there is one', () => {
    const folder = createLinkCheck({ ...nothing, paths: new Set(['about/index.html']), isWebRoot: true })
    const { broken } = folder.page('x/y.html', '<a href="/about/"><a href="/gone">')
    expect(broken.map(({ ref, reason }) => [ref, reason.code])).toEqual([['/gone', 'root_relative']])
  })

  it('follows `..` above the root of the host to the root, as browsers do', () => {
    const html = '<a href="../"><a href="../about/"><a href="../b/about/"><img src="../../x.png"><a href="../gone/">'
    const brokenAt = (scope: Partial<Parameters<typeof createLinkCheck>[0]>, page = 'index.html') =>
      createLinkCheck({ ...nothing, paths: new Set(['index.html', 'about/index.html', 'x.png']), ...scope })
        .page(page, html)
        .broken.map(({ ref, reason }) => [ref, reason.code])
    const gone = [
      ['../b/about/', 'no_file'],
      ['../gone/', 'no_file'],
    ]
    expect(brokenAt({ baseUrl: 'https://example.org/' })).toEqual(gone)
    expect(brokenAt({ isWebRoot: true })).toEqual(gone)
    // Below a folder of a host, or if the place is unknown, the same link leaves the site.
    const leaves = ['../', '../about/', '../b/about/', '../../x.png', '../gone/'].map((ref) => [ref, 'leaves_bundle'])
    expect(brokenAt({ baseUrl: 'https://example.org/sub/' })).toEqual(leaves)
    expect(brokenAt({})).toEqual(leaves)
    expect(brokenAt({ baseUrl: 'https://example.org/' }, 'about/index.html')).toEqual(gone)
  })

  it('counts relative addresses from the base of a page', () => {
    const folder = createLinkCheck({ ...nothing, paths: new Set(['a/index.html', 'media/x.png']) })
    expect(folder.page('a/index.html', '<base href="../media/"><img src="x.png">').broken).toEqual([])
  })
})

describe('anchors', () => {
  it('are checked on their target page, before or after the linking page', () => {
    const site = createLinkCheck({ ...nothing, paths: new Set(['a/index.html', 'b/index.html', 'm.pdf']) })
    const toOther = (page: string) =>
      `<a href="../${page}/#one"><a href="../${page}/#name"><a href="../${page}#%D1%8F"><a href="../${page}/index.html#no">` +
      `<a href="../${page}/#:~:text=x"><a href="../${page}/#one:~:text=x"><a href="../m.pdf#page=2"><p id=one><a name="name"><i id="я">`
    const first = site.page('a/index.html', toOther('b'))
    expect(first.broken).toEqual([])
    const second = site.page('b/index.html', toOther('a'))
    const lost = (list: typeof second.broken) => list.map(({ page, ref, reason }) => ({ page, ref, ...reason }))
    const wrong = { code: 'no_anchor', anchor: 'no' }
    expect(lost(second.broken)).toEqual([
      { ...wrong, page: 'a/index.html', ref: '../b/index.html#no', path: 'b/index.html' },
    ])
    expect(site.awaitedPages()).toEqual(['a/index.html'])
    expect(lost(site.anchors('a/index.html', site.contents(toOther('b'))))).toEqual([
      { ...wrong, page: 'b/index.html', ref: '../a/index.html#no', path: 'a/index.html' },
    ])
  })
})

describe('addresses of our own files', () => {
  it('are found under every base and in every encoding', () => {
    const other = `http://localhost:8787/media/${'b'.repeat(32)}/z.png`
    const html = `<img src="${file}?v=1" srcset="${other} 2x"><p style="background:url(${file.replaceAll('/', '&#47;')})">`
    expect(ownUrlsIn(html, [base, 'http://localhost:8787'])).toEqual([file, other])
    expect(ownUrlsIn(html, [])).toEqual([])
    expect(ownUrlsIn(`<img src="${base}/media/${'b'.repeat(32)}/%ff.png">`, [base])).toEqual([])
  })
})
