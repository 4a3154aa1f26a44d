import { bundlePath, compare, pageAddress, pageFile } from '@galley/library/records'

import type { Layout, PlannedPage } from '../layout.ts'
import { escapeText } from './markup.ts'
import type { Outline } from './outline.ts'
import { isAbsoluteUrl } from './urls.ts'

/** Feed readers poll often and remember older entries, so a feed needs only the newest. */
const feedLength = 50

/** For each file, by the sitemap protocol. Every entry counts with its maximum length. */
const sitemapLimits = { urls: 50_000, bytes: 50 * 1024 ** 2 } as const

/** XML 1.0 cannot contain most control characters. */
// oxlint-disable-next-line no-control-regex
const xmlText = (text: string): string =>
  escapeText(text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, ''))

const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`

/** The posts of a feed, newest first. Pinning does not apply here. */
const newest = ({ posts }: Outline): readonly PlannedPage[] =>
  posts.toSorted((a, b) => compare(b.published, a.published) || compare(a.path, b.path)).slice(0, feedLength)

const sitemapText = (root: string, lines: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...lines,
    `</${root}>\n`,
  ].join('\n')

/** The file whose address identifies a post in feeds, wherever it moves. */
const feedFile = ({ path, feedPath }: PlannedPage): string => (feedPath === null ? path : pageFile(feedPath))

/** One post of an Atom feed. */
const atomEntry = (post: PlannedPage, addressOf: (path: string) => string, language: string): string =>
  [
    `<entry${post.language === language ? '' : ` xml:lang="${xmlText(post.language)}"`}>`,
    element('title', post.title),
    `<link href="${xmlText(addressOf(post.path))}"/>`,
    element('id', addressOf(feedFile(post))),
    element('published', post.published),
    element('updated', post.updated),
    ...(post.author === null ? [] : [`<author>${element('name', post.author)}</author>`]),
    ...post.tags.map((tag) => `<category term="${xmlText(tag)}"/>`),
    ...(post.description === '' ? [] : [element('summary', post.description)]),
    '</entry>',
  ].join('\n')

/** Feeds and sitemap, which need absolute URLs. */
export function createFeeds({ site, pages }: Layout, outline: Outline, baseUrl: string) {
  const addressOf = (path: string): string => pageAddress(baseUrl, path)
  const imageOf = ({ image }: PlannedPage): string | null =>
    image === null || isAbsoluteUrl(image) ? image : addressOf(image)
  const posts = newest(outline)
  const { language, description } = site.publishing

  return {
    atom(): string {
      const entries = posts.map((post) => atomEntry(post, addressOf, language))
      const updated =
        posts
          .map((post) => post.updated)
          .toSorted(compare)
          .at(-1) ?? '1970-01-01T00:00:00.000Z'
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(language)}">`,
        element('title', site.name),
        ...(description === null ? [] : [element('subtitle', description)]),
        `<link href="${xmlText(baseUrl)}"/>`,
        `<link rel="self" type="application/atom+xml" href="${xmlText(addressOf(bundlePath.atom))}"/>`,
        element('id', baseUrl),
        element('updated', updated),
        `<author>${element('name', site.name)}</author>`,
        ...entries,
        '</feed>\n',
      ].join('\n')
    },

    jsonFeed(): string {
      const feed = {
        version: 'https://jsonfeed.org/version/1.1',
        title: site.name,
        home_page_url: baseUrl,
        feed_url: addressOf(bundlePath.jsonFeed),
        ...(description !== null && { description }),
        language,
        items: posts.map((post) => {
          const image = imageOf(post)
          return {
            id: addressOf(feedFile(post)),
            url: addressOf(post.path),
            title: post.title,
            // JSON Feed requires content, so the summary is given in place of the page.
            content_text: post.description,
            ...(image !== null && { image }),
            date_published: post.published,
            date_modified: post.updated,
            ...(post.author !== null && { authors: [{ name: post.author }] }),
            ...(post.tags.length > 0 && { tags: post.tags }),
            language: post.language,
          }
        }),
      }
      return `${JSON.stringify(feed, null, 1)}\n`
    },

    /** The sitemap by path: one file, or an index and the parts that the protocol's limits ask for. */
    sitemaps(): readonly { readonly path: string; text(): string }[] {
      const url = ({ path, updatedDay }: { readonly path: string; readonly updatedDay: string | null }): string => {
        const day = updatedDay === null ? '' : element('lastmod', updatedDay)
        return `<url>${element('loc', addressOf(path))}${day}</url>`
      }
      const listed = [
        ...(outline.home === null ? [{ path: bundlePath.home, updatedDay: null }] : []),
        ...pages.filter(({ isIndexed, canonical }) => isIndexed && canonical === null),
        ...outline.tags.map(({ path }) => ({ path, updatedDay: null })),
      ]
      const perFile = Math.min(sitemapLimits.urls, Math.floor(sitemapLimits.bytes / (baseUrl.length * 5 + 300)))
      const parts = Array.from({ length: Math.ceil(listed.length / perFile) }, (_, at) => ({
        path: `sitemap-${at + 1}.xml`,
        text: () => sitemapText('urlset', listed.slice(at * perFile, (at + 1) * perFile).map(url)),
      }))
      const [only] = parts
      if (parts.length < 2) return [{ path: bundlePath.sitemap, text: () => only?.text() ?? sitemapText('urlset', []) }]
      const entries = parts.map(({ path }) => `<sitemap>${element('loc', addressOf(path))}</sitemap>`)
      return [...parts, { path: bundlePath.sitemap, text: () => sitemapText('sitemapindex', entries) }]
    },

    robots: (): string => `User-agent: *\nAllow: /\n\nSitemap: ${addressOf(bundlePath.sitemap)}\n`,
  }
}
