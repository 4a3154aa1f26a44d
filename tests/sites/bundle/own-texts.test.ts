import { describe, expect, it } from 'vitest'

import type { PageSettings, SitePublishing } from '../../../packages/library/records/site-model-fields.ts'
import { pageDefaults, publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import type { Layout } from '../../../packages/sites/bundle/layout.ts'
import { layOut } from '../../../packages/sites/bundle/layout.ts'
import { createFeeds } from '../../../packages/sites/bundle/render/feeds.ts'
import { outlineOf } from '../../../packages/sites/bundle/render/outline.ts'
import { causeSentence } from '../../../packages/wire/cause.ts'
import { aLayoutInput, aPage, pageAround, plainPages } from './sample.ts'

const day = (number: number): string => `2025-${String(number).padStart(2, '0')}-03T10:00:00.000Z`

const aSite = (pages: readonly Partial<PageSettings>[], publishing: Partial<SitePublishing> = {}): Layout => {
  const input = aLayoutInput({
    pages: pages.map((settings, index) =>
      aPage(`${index + 1}`, { settings: { ...pageDefaults, published: day(index + 1), ...settings } }),
    ),
  })
  const site = { ...input.site, publishing: { ...publishingDefaults, ...publishing } }
  return layOut({ ...input, site })
}

const textsOf = (layout: Layout, baseUrl: string | null = null): ReadonlyMap<string, string> =>
  new Map(
    plainPages(layout, baseUrl).others.map(({ path, text }) => {
      const made = text()
      if (!made.ok) throw new Error(`${made.failure.file}: ${causeSentence(made.failure.problem)}`)
      return [path, made.value]
    }),
  )
const base = 'https://example.org/sub/'
/** Years with their numbers of posts, and titles. */
const listed = (texts: ReadonlyMap<string, string>, path: string) =>
  Array.from((texts.get(path) ?? '').matchAll(/<(?:h2|p)>(.*?)</g), ([, text]) => text)

describe('lists of posts', () => {
  const posts = Array.from({ length: 5 }, () => ({}))

  it('are split into pages that link to each other', () => {
    const texts = textsOf(aSite(posts, { postsPerPage: 2 }))
    expect([...texts.keys()].filter((path) => /^(?:index|page)/.test(path))).toEqual([
      'page/3/index.html',
      'page/2/index.html',
      'index.html',
    ])
    expect(texts.get('index.html')).toMatch(/<a href="slug-5\/index.html">.*\n.*slug-4/)
    expect(texts.get('page/3/index.html')).toContain('../../slug-1/index.html')
  })

  it('omit pages, hidden posts and the home page, and are below posts/ if a material is the home page', () => {
    const layout = aSite([{}, { type: 'page' }, { state: 'hidden' }])
    expect(textsOf(layout).get('index.html')).not.toMatch(/slug-[23]/)
    const chosen = {
      ...layout,
      listing: { path: 'posts/index.html' },
      pages: layout.pages.map((page, at) => (at === 1 ? { ...page, path: 'index.html' } : page)),
    }
    const texts = textsOf(chosen)
    expect(texts.has('index.html')).toBe(false)
    expect(texts.get('posts/index.html')).toContain('../slug-1/index.html')
  })

  it('of a tag stay in the folder that was decided for it', () => {
    const site = aSite([{ tags: ['C'] }, { tags: ['C#', 'C++'] }])
    const texts = textsOf({ ...site, site: { ...site.site, tagFolders: new Map([['c#', 'c']]) } })
    expect(texts.get('tags/c/index.html')).toContain('slug-2')
    expect(texts.get('tags/c-2/index.html')).toContain('slug-1')
    expect(texts.get('tags/c-3/index.html')).toContain('slug-2')
  })

  it('are made for each tag, in any case or script', () => {
    const texts = textsOf(
      aSite([{ tags: ['News', 'Новости'] }, { tags: ['news', '新闻'] }, { tags: ['新聞'], state: 'hidden' }]),
    )
    expect([...texts.keys()].filter((path) => path.startsWith('tags/')).toSorted()).toEqual([
      'tags/index.html',
      'tags/news/index.html',
      'tags/novosti/index.html',
      'tags/新闻/index.html',
    ])
    expect(texts.get('tags/news/index.html')).toMatch(/slug-2.*slug-1/s)
  })

  it('show a tag as most posts spell it, then as the first one did', () => {
    const site = aSite([
      { tags: ['Ideen'] },
      { tags: ['News'] },
      { tags: ['News', 'news'] },
      { tags: ['news', 'ideen'] },
      { tags: ['NEWS'], pinned: true },
    ])
    expect(outlineOf(site).tags.map(({ name }) => name)).toEqual(['News', 'Ideen'])
  })

  it('have names that Windows can create', () => {
    const paths = [...textsOf(aSite([{ tags: ['CON', 'Aux', 'Lpt1', 'Conny'] }])).keys()]
    expect(paths.filter((path) => /^tags\/./.test(path)).toSorted()).toEqual([
      'tags/aux-tag/index.html',
      'tags/con-tag/index.html',
      'tags/conny/index.html',
      'tags/index.html',
      'tags/lpt1-tag/index.html',
    ])
  })

  it('are made for each year', () => {
    const texts = textsOf(aSite([{ published: '2023-12-31T23:59:59.000Z' }, {}]))
    expect([...texts.keys()].filter((path) => path.startsWith('archive/'))).toEqual([
      'archive/2025/index.html',
      'archive/2023/index.html',
      'archive/index.html',
    ])
    expect(listed(texts, 'archive/2023/index.html')).toEqual(['2023: 1', 'Title 1'])
    expect(listed(texts, 'archive/2025/index.html')).toEqual(['2025: 1', 'Title 2'])
    expect(listed(texts, 'archive/index.html')).toEqual(['2025: 1', 'Title 2', '2023: 1', 'Title 1'])
  })

  it('are on one page of the archive if there are at most 200', () => {
    const manyTexts = (count: number) => textsOf(aSite(Array.from({ length: count }, () => ({ published: day(1) }))))
    expect(listed(manyTexts(200), 'archive/index.html')).toHaveLength(201)
    expect(listed(manyTexts(201), 'archive/index.html')).toEqual(['2025: 201'])
    expect(listed(manyTexts(201), 'archive/2025/index.html')).toHaveLength(202)
  })
})

it('pages of Galley that search engines index are described by what they list, unless the site describes its home', () => {
  const described = (publishing: Partial<SitePublishing>) => {
    const texts = textsOf(aSite([{ tags: ['News'] }, { tags: ['News', 'Sea'] }], { postsPerPage: 1, ...publishing }))
    return Object.fromEntries(
      [...texts].map(([path, text]) => [path, /<meta name="description" content="([^"]*)">/.exec(text)?.[1]]),
    )
  }
  expect(described({})).toMatchObject({
    'index.html': 'Title 2',
    'page/2/index.html': 'Title 1',
    'tags/index.html': 'News, Sea',
    'tags/sea/index.html': 'Title 2',
    'archive/index.html': 'Title 2, Title 1',
    'archive/2025/index.html': 'Title 2, Title 1',
    'search/index.html': undefined,
    '404.html': undefined,
  })
  expect(described({ description: 'All about the sea' })).toMatchObject({
    'index.html': 'All about the sea',
    'page/2/index.html': 'Title 1',
  })
})

describe('texts for machines', () => {
  const site = aSite([
    { tags: ['A & B'], author: 'Ann <x>', description: 'First\u0007 "one"' },
    { state: 'hidden' },
    { type: 'page', canonical: 'https://elsewhere.example/p' },
  ])
  const withPicture = (page: Layout['pages'][number]) =>
    page.author === null ? page : { ...page, image: 'media/x.png' }
  const layout = { ...site, pages: site.pages.map(withPicture) }
  const texts = textsOf(layout, base)

  it('are omitted while the address of the site is unknown', () => {
    const machines = ['feed.xml', 'feed.json', 'sitemap.xml', 'robots.txt']
    expect(machines.filter((path) => texts.has(path))).toEqual(machines)
    expect(machines.filter((path) => textsOf(layout).has(path))).toEqual([])
  })

  it('lists in a feed the posts that are listed, newest first', () => {
    expect(texts.get('feed.xml')).toContain(
      '<title>Title 1</title>\n<link href="https://example.org/sub/slug-1/"/>\n<id>https://example.org/sub/slug-1/</id>',
    )
    expect(texts.get('feed.xml')).toContain('<summary>First &quot;one&quot;</summary>')
    expect(texts.get('feed.xml')).toContain('<author><name>Ann &lt;x&gt;</name></author>')
    expect(texts.get('feed.xml')).not.toMatch(/slug-[23]/)
    expect(JSON.parse(texts.get('feed.json') ?? '')).toMatchObject({
      feed_url: 'https://example.org/sub/feed.json',
      items: [{ id: 'https://example.org/sub/slug-1/', image: 'https://example.org/sub/media/x.png', tags: ['A & B'] }],
    })
  })

  it('keeps the ID of an entry whose page has moved', () => {
    const moved = textsOf(aSite([{ path: 'new/place', feedPath: 'first/place' }]), base)
    expect(moved.get('feed.xml')).toContain(`<link href="${base}new/place/"/>\n<id>${base}first/place/</id>`)
    const { items } = JSON.parse(moved.get('feed.json') ?? '') as { items: readonly object[] }
    expect(items).toMatchObject([{ id: `${base}first/place/`, url: `${base}new/place/` }])
  })

  it('omit a page that asks for it from the sitemap only', () => {
    const site = aSite([{}, {}])
    const pages = site.pages.map((page, at) => ({ ...page, isIndexed: at > 0 }))
    const made = textsOf({ ...site, pages }, base)
    expect(made.get('sitemap.xml')).not.toContain(site.pages[0]?.path.replace('index.html', ''))
    expect(made.get('index.html')).toContain(site.pages[0]?.path.replace('index.html', ''))
  })

  it('omit hidden pages and those with another canonical URL from the sitemap', () => {
    const places = [...(texts.get('sitemap.xml') ?? '').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place)
    expect(places).toEqual([base, `${base}slug-1/`, `${base}tags/a-b/`])
    expect(texts.get('robots.txt')).toContain(`Sitemap: ${base}sitemap.xml`)
  })

  it('is split into parts with an index if one sitemap would be too long', () => {
    const page = layout.pages.find(({ state, canonical }) => state === 'published' && canonical === null)
    if (page === undefined) throw new Error('the site has a page')
    const pages = Array.from({ length: 50_001 }, (_, at) => ({ ...page, path: `p-${at}/index.html` }))
    const many = { ...layout, pages }
    const files = createFeeds(many, outlineOf({ ...many, pages: [] }), base).sitemaps()
    expect(files.map(({ path }) => path)).toEqual(['sitemap-1.xml', 'sitemap-2.xml', 'sitemap.xml'])
    const [first = [], second = [], index = []] = files.map(({ text }) =>
      [...text().matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place),
    )
    expect([first.length, first.length + second.length]).toEqual([50_000, 50_002])
    expect(index).toEqual([`${base}sitemap-1.xml`, `${base}sitemap-2.xml`])
  })

  it('describe a post in a form that cannot end its script', () => {
    const post = layout.pages.find(({ type, state }) => type === 'post' && state === 'published')
    if (post === undefined) throw new Error('the site has a post')
    const made = pageAround(plainPages(layout, base), { ...post, title: '</script><b>' }, '<p>x</p>')
    const html = made.ok ? made.value : ''
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? []
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'BlogPosting',
      headline: '</script><b>',
      datePublished: day(1),
      author: { name: 'Ann <x>' },
    })
    expect(html).toContain('<meta property="og:image" content="https://example.org/sub/media/x.png">')
  })

  it('exclude hidden pages, the search page and the error page from indexing', () => {
    const hidden = layout.pages.find(({ state }) => state === 'hidden')
    const made = hidden && pageAround(plainPages(layout, base), hidden, '<p>x</p>')
    const noindex = '<meta name="robots" content="noindex">'
    expect(made?.ok === true && made.value).toContain(noindex)
    for (const path of ['404.html', 'search/index.html']) expect(texts.get(path)).toContain(noindex)
    expect(texts.get('index.html')).not.toContain(noindex)
  })
})

describe('links of a bundle', () => {
  const layout = aSite([{}])

  it('name files where a disk may show them, and folders where a server will', () => {
    expect(textsOf(layout).get('tags/index.html') ?? textsOf(layout).get('index.html')).toContain('"slug-1/index.html"')
    expect(textsOf(layout, base).get('index.html')).toContain('"slug-1/"')
    const [post] = layout.pages
    const made = post && pageAround(plainPages(layout, base), post, '<p>x</p>')
    expect(made?.ok === true && made.value).toContain('<a href="../">')
  })

  it('are whole on the page of wrong addresses, which is shown at any depth', () => {
    expect(textsOf(layout, base).get('404.html')).toContain('href="https://example.org/sub/favicon.svg"')
    expect(textsOf(layout).get('404.html')).toContain('href="favicon.svg"')
  })
})

describe('snippets', () => {
  it('are at the end of the head and of the body of every page', () => {
    const layout = aSite([{}], { headSnippet: '<meta name="h">', bodySnippet: '<i>b</i>' })
    for (const [path, html] of textsOf(layout)) {
      if (!path.endsWith('.html')) continue
      expect([path, html.includes('<meta name="h">'), html.endsWith('<i>b</i>\n')]).toEqual([path, true, true])
    }
  })
})

describe('the search page', () => {
  it('contains the words of all pages except hidden ones', () => {
    const layout = aSite([{ tags: ['x'] }, { state: 'hidden' }])
    const pages = plainPages(layout)
    for (const page of layout.pages)
      pageAround(pages, page, `<h1>A</h1><p>words of ${page.materialId}</p><script>no</script>`)
    const made = pages.others.find(({ path }) => path === 'search/pages.js')?.text()
    expect(made?.ok === true && made.value).toBe(
      `globalThis.galleyPages = [\n{"url":"../slug-1/index.html","title":"Title 1","description":"","tags":"x","text":"A words of 1"}\n]\n`,
    )
  })
})
