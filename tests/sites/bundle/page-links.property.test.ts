import fc from 'fast-check'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'

import { createPageLinks } from '../../../packages/sites/bundle/page-links.ts'
import { linkRewriter } from '../../../packages/sites/bundle/render/pages.ts'
import { urlsFrom } from '../../../packages/sites/bundle/render/urls.ts'
import type { MaterialId } from '../../../packages/wire/ids.ts'
import { knownUrls } from '../../../packages/wire/text/references/finder.ts'
import { rewriteHtml } from '../../../packages/wire/text/references/html.ts'

// The form of a link is not checked: the browser's URL parser resolves it from the location of the bundle, and the result
// must be the intended page.

interface LinkedPage {
  readonly materialId: MaterialId
  readonly path: string
  readonly redirectsFrom: readonly string[]
}

const segment = fc.constantFrom('a', 'b', 'about', 'blog', '2026', 'x-1')
const address = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))
const materialId = fc.oneof(fc.stringMatching(/^[a-z0-9]{1,6}$/), fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }))
  .filter((id) => id.isWellFormed()) // prettier-ignore

const site = fc
  .record({
    ids: fc.uniqueArray(materialId, { minLength: 2, maxLength: 6 }),
    addresses: fc.uniqueArray(address, { minLength: 12, maxLength: 12 }),
    baseUrl: fc.constantFrom(null, 'https://example.org/', 'https://example.org/sub/', 'https://example.org:8443/a/b/'),
    hasHome: fc.boolean(),
  })
  .map(({ ids, addresses, baseUrl, hasHome }) => ({
    baseUrl,
    pages: ids.map((id, at): LinkedPage => ({
      materialId: id,
      path: hasHome && at === 0 ? 'index.html' : `${addresses[at * 2] ?? ''}/index.html`,
      redirectsFrom: [addresses[at * 2 + 1] ?? ''],
    })),
  }))

const tail = fc.constantFrom('', '#part', '?q=1', '?a=b&c="d"#é f', "#'x'")
const entity = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;').replaceAll('<', '&lt;')

/** Every way in which an author may write a page of the site. */
function spellings({ materialId: id, path, redirectsFrom }: LinkedPage, baseUrl: string | null): readonly string[] {
  const places = [path.replace(/\/?index\.html$/, ''), ...redirectsFrom]
  const forms = places.flatMap((place) =>
    place === '' ? ['', 'index.html'] : [place, `${place}/`, `${place}/index.html`],
  )
  const own = baseUrl === null ? [] : forms.flatMap((form) => [baseUrl + form, `http:${baseUrl.slice(6)}${form}`])
  const below = baseUrl === null ? [] : forms.map((form) => new URL(baseUrl).pathname + form)
  return [`galley:material/${encodeURIComponent(id)}`, ...own, ...below, ...forms.map((form) => `/${form}`)]
}

/** The file a browser gets for a URL, from a disk or from a web server. */
function fileAt(url: string, root: string): string {
  const { origin, pathname, protocol } = new URL(url)
  const whole = protocol === 'file:' ? `file://${pathname}` : origin + pathname
  if (!whole.startsWith(root)) return `outside: ${url}`
  const path = whole.slice(root.length)
  return protocol === 'file:' || !(path === '' || path.endsWith('/')) ? path : `${path}index.html`
}

const written = (html: string): string => {
  const [link] = parseFragment(html).childNodes as DefaultTreeAdapterTypes.Element[]
  return link?.attrs.find(({ name }) => name === 'href')?.value ?? 'no link'
}

const rewritten = ({ pages, baseUrl }: { pages: readonly LinkedPage[]; baseUrl: string | null }, from: string) => {
  const redirects = pages.flatMap(({ path, redirectsFrom }) =>
    redirectsFrom.map((earlier) => ({ from: `${earlier}/index.html`, to: path })),
  )
  const links = createPageLinks({ pages, redirects, queries: [], others: [] }, baseUrl)
  const rewriteLink = linkRewriter(from, links, (path) => urlsFrom(path, baseUrl))
  return (html: string) => rewriteHtml(html, knownUrls(new Map()), null, rewriteLink).text
}

describe('links between pages of a site', () => {
  it('point to the intended page, in every spelling, from every page, on a disk and on a server', () => {
    fc.assert(
      fc.property(site, tail, fc.nat(), fc.nat(), fc.nat(), (given, behind, one, other, spelling) => {
        const { pages, baseUrl } = given
        const [from, to] = [pages[one % pages.length], pages[other % pages.length]]
        if (from === undefined || to === undefined) return
        const spelled = spellings(to, baseUrl)
        const ref = (spelled[spelling % spelled.length] ?? '') + behind
        // `/a` may mean the site's own path and a page `a` below it: then the host counts, as it does for a browser.
        const base = baseUrl === null ? '/' : new URL(baseUrl).pathname
        const places = pages.flatMap(({ path, redirectsFrom }) => [path, ...redirectsFrom])
        fc.pre(base === '/' || !places.some((place) => `/${place}/`.startsWith(base)))
        const root = baseUrl ?? 'file:///disk/bundle/'
        const itself = baseUrl === null ? root + from.path : root + from.path.replace(/index\.html$/, '')
        const link = written(rewritten(given, from.path)(`<a title=x href="${entity(ref)}">x</a>`))
        expect([link, fileAt(new URL(link, itself).href, root)]).toEqual([link, to.path])
        const meant = new URL(`https://any.example/${behind}`)
        const { search, hash } = new URL(link, itself)
        expect([decodeURI(search), decodeURI(hash)]).toEqual([decodeURI(meant.search), decodeURI(meant.hash)])
      }),
      { numRuns: 3_000 },
    )
  })

  it('are the only thing that changes', () => {
    const pages = [{ materialId: 'm', path: 'a/index.html', redirectsFrom: [] }]
    const render = rewritten({ pages, baseUrl: 'https://example.org/' }, 'b/index.html')
    const kept =
      '<p title="/a">/a galley:material/m</p><img src="/a"><link rel="canonical" href="https://example.org/a/">' +
      '<a href="/b">x</a><a href="galley:material/n">x</a><a href="//example.net/a">x</a><a href="a/">x</a><a name="/a"></a>'
    expect(render(kept)).toBe(kept)
    expect(
      render('<A HREF=/a#x>1</A><area href=" /a "><svg><a xlink:href="/a/"/></svg><form action="/a?x=1&y=2"></form>'),
    ).toBe(
      '<A HREF=../a/#x>1</A><area href="../a/"><svg><a xlink:href="../a/"/></svg><form action="../a/?x=1&amp;y=2"></form>',
    )
  })

  it.each([
    (ref: string) => `<button formaction="${ref}">x</button><input type=submit formaction=${ref}>`,
    (ref: string) => `<iframe src="${ref}"></iframe><embed src=${ref}><object data="${ref}"></object>`,
    (ref: string) =>
      `<blockquote cite="${ref}">x</blockquote><q cite=${ref}>x</q><ins cite="${ref}">x</ins><del cite=${ref}>x</del>`,
    (ref: string) => `<meta HTTP-EQUIV=refresh content="5; URL='${ref}'"><meta http-equiv=refresh content='0;${ref}'>`,
    (ref: string) => `<img longdesc="${ref}" alt=x>`,
  ])('are rewritten wherever browsers follow one: %s', (markup) => {
    const pages = [{ materialId: 'm', path: 'a/index.html', redirectsFrom: [] }]
    const render = rewritten({ pages, baseUrl: 'https://example.org/' }, 'b/index.html')
    expect(render(markup('galley:material/m#x'))).toBe(markup('../a/#x'))
    expect(render(markup('https://example.org/a'))).toBe(markup('../a/'))
    expect(render(markup('https://example.net/a'))).toBe(markup('https://example.net/a'))
    const framed = (ref: string) =>
      `<iframe srcdoc="${markup(ref).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`
    expect(render(framed('galley:material/m'))).toBe(framed('../a/'))
  })

  it('stay absolute in a link element, unless they name a material', () => {
    const pages = [{ materialId: 'm', path: 'a/index.html', redirectsFrom: [] }]
    const render = rewritten({ pages, baseUrl: 'https://example.org/' }, 'b/index.html')
    expect(render('<link rel=next href="galley:material/m"><link rel=canonical href="https://example.org/a/">')).toBe(
      '<link rel=next href="../a/"><link rel=canonical href="https://example.org/a/">',
    )
    expect(render('<meta name=description content="galley:material/m; url=/a">')).toBe(
      '<meta name=description content="galley:material/m; url=/a">',
    )
  })

  it('are rewritten in the page of a frame too', () => {
    const pages = [{ materialId: 'm', path: 'a/index.html', redirectsFrom: [] }]
    const render = rewritten({ pages, baseUrl: 'https://example.org/' }, 'b/index.html')
    const framed = (quoted: string, bare: string) =>
      `<iframe srcdoc="&#60;p title='/a'>/a &lt;a href=&quot;${quoted}&quot;>1&lt;/a>&lt;a href=${bare}>&lt;a href=#x>"></iframe>`
    expect(render(framed('/a?x=1&amp;amp;y=2', 'galley:material/m#z'))).toBe(framed('../a/?x=1&amp;amp;y=2', '../a/#z'))
    const based = '<iframe srcdoc="<base href=https://example.net/><a href=/a>1</a>"></iframe>'
    expect(render(based)).toBe(based)
  })

  it('are rewritten in a frame in a frame, and behind the base of a frame', () => {
    const pages = [{ materialId: 'm', path: 'a/index.html', redirectsFrom: [] }]
    const options = { pages, baseUrl: 'https://example.org/' }
    const render = rewritten(options, 'b/index.html')
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    const frame = (markup: string) => `<iframe srcdoc="${escaped(markup)}"></iframe>`
    const link = (ref: string) => `<a href="${escaped(ref)}">1</a>`
    const nested = (ref: string, depth: number): string => (depth === 0 ? link(ref) : frame(nested(ref, depth - 1)))
    for (const depth of [1, 2, 3, 4]) expect(render(nested('/a?x=1&y=2', depth))).toBe(nested('../a/?x=1&y=2', depth))
    expect(render(nested('/a', 5))).toBe(nested('/a', 5))
    const based = (base: string, ref: string) => frame(`<base href="${base}">${link(ref)}`)
    for (const [base, ref, expected] of [
      ['https://example.org/x/', '../a#z', 'https://example.org/a/#z'],
      ['https://example.org/x/', 'b', 'b'],
      ['https://example.net/', 'galley:material/m', 'https://example.org/a/'],
      ['/x/', 'galley:material/m', 'https://example.org/a/'],
      ['deep/er/', 'galley:material/m', '../../../a/'],
      ['../c/', 'https://example.org/a/', '../a/'],
      ['../../c/', 'galley:material/m', 'https://example.org/a/'],
    ] as const)
      expect(render(based(base, ref)), `${base} ${ref}`).toBe(based(base, expected))
    expect(rewritten({ ...options, baseUrl: null }, 'b/index.html')(based('/x/', 'galley:material/m'))).toBe(
      based('/x/', 'galley:material/m'),
    )
    const file = 'https://media.example/media/f.png'
    const shown = (src: string) => `<img src="${src}">${frame(`<img src="${src}">`)}`
    const find = knownUrls(new Map([[file, '../media/f.png']]))
    const kept = frame(`<base href="c/"><img src="${file}">`)
    expect(rewriteHtml(shown(file) + kept, find, null, () => null).text).toBe(shown('../media/f.png') + kept)
    const inner = frame(`<base href="c/">${frame(link('galley:material/m'))}`)
    expect(render(inner)).toBe(frame(`<base href="c/">${frame(link('../../a/'))}`))
  })
})
