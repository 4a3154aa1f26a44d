import { describe, expect, it } from 'vitest'

import { unshownIn } from '../../../src/main/review/unshown.ts'

const origin = 'galley-review://k'
const names = new Map([
  [`${origin}/file-1.png`, 'hero.png'],
  [`${origin}/file-2.pdf`, 'plan.pdf'],
  [`${origin}/file-3.svg`, 'map.svg'],
  [`${origin}/file-4.html`, 'frame.html'],
])

const read = (html: string, sheets: readonly string[] = []) =>
  unshownIn({ html, sheets, origin, names, missing: [], isMissing: (ref) => ref.startsWith('dummy-') })

/** The names by reason. */
const unshown = (html: string, sheets?: readonly string[]) =>
  Object.fromEntries(read(html, sheets).unshown.map(({ why, names }) => [why, names]))

describe('what a review does not show', () => {
  it('names nothing that is shown, or that loads nothing', () => {
    const shown = [
      `<img src="${origin}/file-1.png?v=4.7.0#x">`,
      `<iframe src="${origin}/file-3.svg"></iframe><object data="${origin}/file-3.svg#a"></object>`,
      '<img src="data:image/gif;base64,R0"><svg><use href="#a"/></svg><a href="https://a.example/">x</a>',
      '<link rel="preconnect" href="https://a.example/"><link rel="icon" href="/favicon.ico"><form action="/send"></form>',
      '<x-card src="anything at all" data="words" background="transparent"></x-card><p background="x">',
      '<iframe src="about:blank"></iframe><iframe src="javascript:0"></iframe><img src="">',
    ]
    for (const html of shown) expect(unshown(html), html).toEqual({})
  })

  it('names files on other sites, by any reference, also behind a base and in style sheets', () => {
    const far = 'https://a.example/x.png'
    for (const html of [
      `<img src="${far}">`,
      `<img srcset="${far} 2x">`,
      `<p style="background:url(${far})">`,
      `<style>p{background:url('${far}')}</style>`,
      `<link rel="stylesheet" href="${far}">`,
      `<iframe src="${far}"></iframe>`,
      `<iframe srcdoc="<img src='${far}'>"></iframe>`,
      '<base href="https://a.example/"><img src="x.png">',
    ])
      expect(unshown(html), html).toEqual({ elsewhere: [far] })
    expect(unshown('', [`p{background:url(${far})}`])).toEqual({ elsewhere: [far] })
  })

  it('names addresses without a file, once, and not those that are reported already', () => {
    expect(unshown('<img src="/a.png"><img src="/a.png"><img src="b c.png"><img src="dummy-x.png">')).toEqual({
      missing: ['/a.png', 'b c.png'],
    })
  })

  it('names what a frame does not show, and what only a script would load', () => {
    expect(unshown(`<object data="${origin}/file-2.pdf#page=2"></object>`)).toEqual({ kind: ['plan.pdf'] })
    expect(unshown(`<iframe src="${origin}/file-4.html"></iframe>`)).toEqual({ kind: ['frame.html'] })
    expect(unshown('<iframe src="data:text/html,<p>x"></iframe>')).toEqual({ kind: ['data:text/html'] })
    expect(unshown(`<img data-src="${origin}/file-1.png">`)).toEqual({ script: ['hero.png'] })
    const once = `<img data-src="${origin}/file-1.png"><noscript><img src="${origin}/file-1.png"></noscript>`
    expect(unshown(once)).toEqual({})
  })

  it('knows scripts from data', () => {
    for (const html of ['<script>1</script>', '<script type="module" src="a.js"></script>', '<p onclick="x()">'])
      expect(read(html).hasScripts, html).toBe(true)
    for (const html of [
      '<script type="application/ld+json">{}</script>',
      '<p once="x" onwards>',
      '<noscript>x</noscript>',
    ])
      expect(read(html).hasScripts, html).toBe(false)
  })

  it('counts all names and passes on the first ones', () => {
    const html = Array.from({ length: 300 }, (_, at) => `<img src="/${at}.png">`).join('')
    const [group] = read(html).unshown
    expect([group?.count, group?.names.length]).toEqual([300, 100])
  })
})
