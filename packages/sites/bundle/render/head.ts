import { bundlePath, isRasterImage } from '@galley/library/records'
import { cutAtWord } from '@galley/wire'

import type { Layout } from '../layout.ts'
import { descriptionMaxChars } from '../layout.ts'
import { linkTag, metaTag, scriptJson } from './markup.ts'
import type { PrintedPage } from './reads.ts'
import type { Urls } from './urls.ts'
import { isAbsoluteUrl } from './urls.ts'

/** The metadata in the head of a page. */
export interface PageFacts {
  readonly title: string
  readonly description: string | null
  /** A path of the bundle or an absolute URL. */
  readonly image: string | null
  readonly language: string
  /** The material of the page; null for lists and other generated pages. */
  readonly page: PrintedPage | null
  readonly isHome: boolean
  /** Whether search engines may index it. */
  readonly isIndexed: boolean
}

/**
 * Description, author, canonical URL, feeds, preview card and structured data. All after the author require the page's own
 * URL.
 */
export function headOf(site: Layout['site'], facts: PageFacts, urls: Urls): readonly string[] {
  const { title, description, page, isHome, isIndexed } = facts
  const url = page?.canonical ?? urls.address(urls.path)
  const image = pictureOf(facts, urls)
  const lines: string[] = []
  const summary = description ?? (page === null ? null : wordless(site, title))
  if (summary !== null) lines.push(metaTag('name', 'description', summary))
  if (page !== null && page.author !== null) lines.push(metaTag('name', 'author', page.author))
  // A page that has its own robots tag keeps it.
  if (!isIndexed && page?.state !== 'published') lines.push(metaTag('name', 'robots', 'noindex'))
  if (url === null) return lines
  if (isIndexed) lines.push(linkTag('canonical', url))
  lines.push(
    linkTag('alternate', urls.to(bundlePath.atom), ' type="application/atom+xml"'),
    linkTag('alternate', urls.to(bundlePath.jsonFeed), ' type="application/feed+json"'),
  )
  if (!isIndexed) return lines
  const isPost = page?.type === 'post'
  const card: Readonly<Record<string, string | null>> = {
    title,
    type: isPost ? 'article' : 'website',
    url,
    site_name: site.name,
    description,
    image,
  }
  for (const [name, value] of Object.entries(card)) {
    if (value !== null) lines.push(metaTag('property', `og:${name}`, value))
  }
  if (isPost) {
    lines.push(metaTag('property', 'article:published_time', page.published))
    lines.push(metaTag('property', 'article:modified_time', page.updated))
  }
  if (page !== null || isHome) {
    const data = structuredData(site, facts, url, image)
    lines.push(`<script type="application/ld+json">${scriptJson(data)}</script>`)
  }
  return lines
}

/**
 * What search engines show for a page without text: its title and the description of the site. Preview cards show the
 * title anyway.
 */
const wordless = ({ name, publishing }: Layout['site'], title: string): string =>
  cutAtWord(`${title} · ${publishing.description ?? name}`, descriptionMaxChars)

/** The image of a preview card. Social networks do not show SVG. */
function pictureOf({ image }: PageFacts, urls: Urls): string | null {
  if (image === null || isAbsoluteUrl(image)) return image
  return isRasterImage(image) ? urls.address(image) : null
}

/** Structured data for search engines (schema.org). */
function structuredData(site: Layout['site'], facts: PageFacts, url: string, image: string | null): object {
  const { title, description, language, page, isHome } = facts
  const common = {
    '@context': 'https://schema.org',
    url,
    ...(description !== null && { description }),
    inLanguage: language,
  }
  if (page === null || isHome) return { '@type': 'WebSite', name: site.name, ...common }
  if (page.type === 'page') return { '@type': 'WebPage', name: title, ...common, dateModified: page.updated }
  return {
    '@type': 'BlogPosting',
    headline: title,
    ...common,
    mainEntityOfPage: url,
    datePublished: page.published,
    dateModified: page.updated,
    ...(page.author !== null && { author: { '@type': 'Person', name: page.author } }),
    ...(image !== null && { image }),
    ...(page.tags.length > 0 && { keywords: page.tags.join(', ') }),
  }
}
