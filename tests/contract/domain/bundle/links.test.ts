import { describe, expect, it } from 'vitest'

import { describeBrokenReason } from '../../../../src/contract/domain/bundle/broken-reason.ts'
import { createLinkCheck } from '../../../../src/contract/domain/bundle/links.ts'
import { ownUrlsIn } from '../../../../src/contract/domain/bundle/own-urls.ts'
import { cssReferences, pageReferences } from '../../../../src/contract/domain/bundle/page-references.ts'

const base = 'https://media.example.org'
const file = `${base}/media/${'a'.repeat(32)}/x%20y.png`
const check = createLinkCheck({
  paths: new Set(['index.html', 'a/index.html', 'b/index.html', 'media/x.png', 'media/e.bin']),
  inertPaths: new Set(['media/e.bin']),
  baseUrl: 'https://example.org/sub/',
  publicBases: [base, 'http://localhost:8787'],
})
/** As the command line tells it. */
const brokenIn = (html: string) =>
  check.page('a/index.html', html).broken.map(({ ref, reason }) => [ref, describeBrokenReason(reason)])

describe('references of a page', () => {
  it('are found wherever a browser would follow one', () => {
    const html = `<a href=" 1 "><img src=2 srcset="3 1x, 4,5 2x, 6"><video poster="7"><source srcset="8"></video>
      <p style="background:url('9')"></p><style>a{background:url(10)}/*url(no)*/</style><svg><use xlink:href="11#x"/></svg>
      <template><img src="12"></template><noscript><img src="13"></noscript><object data="14"></object>
      <div data-src="15" data-srcset="16 100w"></div><form action="17"></form><base href="no"><p title="no" alt="no">no`
    expect(pageReferences(html)).toEqual([
      '1', '2', '3', '4,5', '6', '7', '8', '9', '10', '11#x', '12', '13', '14', '15', '16', '17',
    ]) // prettier-ignore
  })

  it('are found in style sheets', () => {
    expect(
      cssReferences(`@import "a.css";b{src:url( "c d.woff" ),url(e.woff?#f)}/* url(x) */g::after{content:"h"}`),
    ).toEqual(['a.css', 'c d.woff', 'e.woff?#f'])
  })
})

describe('link check', () => {
  it('accepts what leads into the bundle or elsewhere', () => {
    const html = `<a href="../index.html"><a href="../b/"><a href="../b"><a href="../b/index.html?x#y"><a href="#z"><a href="">
      <a href="https://example.org/sub/b/"><a href="https://other.example/x"><a href="mailto:a@b.c"><a href="javascript:x">
      <img src="../media/x.png"><img src="data:image/png;base64,AA"><img src="//cdn.example/x.png"><a href="${base}/about">`
    expect(check.page('a/index.html', html)).toEqual({ checked: 6, broken: [] })
  })

  it.each([
    ['<img src="dummy-x.png">', 'dummy-x.png', 'there is no a/dummy-x.png in the bundle'],
    ['<a href="../c/">', '../c/', 'there is no c/ in the bundle'],
    ['<img src="../media/X.png">', '../media/X.png', 'there is no media/X.png in the bundle'],
    ['<a href="/about">', '/about', 'leads out of the bundle'],
    ['<a href="../../x">', '../../x', 'leads out of the bundle'],
    ['<img src="file:///etc/passwd">', 'file:///etc/passwd', 'points at a file of one machine'],
    ['<a href="https://example.org/sub/c/">', 'https://example.org/sub/c/', 'there is no c/ in the bundle'],
    [`<img src="${file}">`, file, 'points at a file of this library that is not in the bundle'],
    [
      '<link href="http://localhost:8787/fonts/s/current.css">',
      'http://localhost:8787/fonts/s/current.css',
      'points at a file of this library that is not in the bundle',
    ],
    ['<a href="http://[">', 'http://[', 'is not an address'],
    [
      '<iframe src="../media/e.bin">',
      '../media/e.bin',
      'is kept as the download media/e.bin, since files of its type could run',
    ],
    [
      `<script type="application/json">{"a":"${file}"}</script>`,
      file,
      'points at a file of this library that is not in the bundle',
    ],
    ['<script type="application/json">{"a":"dummy-b.png"}</script>', 'dummy-b.png', 'the file was never saved'],
  ])('names %s', (html, ref, reason) => {
    expect(brokenIn(html)).toEqual([[ref, reason]])
  })

  it('names a script that mentions a file of ours', () => {
    expect(brokenIn(`<script>load("${file}")</script>`)).toEqual([
      [expect.stringContaining('script 1'), 'a script names a file of this library'],
    ])
  })

  it('does not take prose and links to the live site for references', () => {
    expect(brokenIn(`<p>dummy-x.png ${file}</p><!-- ${file} --><img alt="${file}"><a href="${base}/media/">`)).toEqual(
      [],
    )
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
