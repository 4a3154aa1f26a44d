import { rewriteCss } from '../../text/references/css.ts'
import type { Finder } from '../../text/references/finder.ts'
import { knownUrls } from '../../text/references/finder.ts'
import { rewriteHtml } from '../../text/references/html.ts'
import type { Layout, PlannedPage } from './layout.ts'
import { bundlePath, pageAddress, relativeUrl } from './paths.ts'
import type { Theme } from './theme.ts'
import { escapeText, fill } from './theme.ts'

export interface PageOptions {
  /** With a trailing slash; null: the bundle may lie anywhere and says nothing of its address. */
  readonly baseUrl: string | null
  /** The language of the site. */
  readonly lang: string
}

/** Makes the text files of a bundle; the same arguments give the same texts. */
export function createPages(layout: Layout, theme: Theme, { baseUrl, lang }: PageOptions) {
  const { site, pages, listing, pathByUrl, fontsCss } = layout
  const listed = pages.filter(({ state }) => state !== 'hidden')
  const finderFor = (path: string): Finder =>
    knownUrls(new Map([...pathByUrl].map(([url, target]) => [url, relativeUrl(path, target)])))
  // No page lies in a folder of stored files, so that one finder serves all pages of a depth.
  const finders = new Map<number, Finder>()
  function finderOf(path: string): Finder {
    const depth = path.split('/').length
    const finder = finders.get(depth) ?? finderFor(path)
    finders.set(depth, finder)
    return finder
  }

  return {
    /** A page around the stored HTML, which stays as it is but for its references. */
    page(page: PlannedPage, stored: string): string {
      const { text } = rewriteHtml(stored, finderOf(page.path))
      const fonts = fontsCss === null ? [] : [stylesheet(relativeUrl(page.path, bundlePath.fontsCss))]
      return fill(theme['page.html'], {
        lang: page.language,
        title: page.title,
        site: site.name,
        head: { markup: [...ownBase(stored), ...fonts, ...about(page)].join('\n') },
        home: relativeUrl(page.path, bundlePath.home),
        style: relativeUrl(page.path, bundlePath.style),
        content: { markup: text },
      })
    },

    home(): string {
      const home = baseUrl === null ? null : pageAddress(baseUrl, listing.path)
      const items = listed.map(({ path, title, published }) =>
        fill(theme['home-item.html'], {
          url: relativeUrl(listing.path, path),
          title,
          date: dayOf(published),
        }).trimEnd(),
      )
      const head = home === null ? [] : [link('canonical', home), ...openGraph(site.name, home, 'website')]
      return fill(theme['home.html'], {
        lang,
        site: site.name,
        head: { markup: head.join('\n') },
        style: relativeUrl(listing.path, bundlePath.style),
        pages: { markup: items.join('\n') },
      })
    },

    fontsCss: (stored: string): string => rewriteCss(stored, finderFor(bundlePath.fontsCss)).text,

    /** Only where the bundle's address is known: a sitemap holds absolute URLs alone. */
    sitemap(): string | null {
      if (baseUrl === null) return null
      const urls = listed.map(
        ({ path, updated }) =>
          `<url><loc>${escapeText(pageAddress(baseUrl, path))}</loc>${updated === '' ? '' : `<lastmod>${dayOf(updated)}</lastmod>`}</url>`,
      )
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        `<url><loc>${escapeText(baseUrl)}</loc></url>`,
        ...urls,
        '</urlset>\n',
      ].join('\n')
    },
  }

  /** Canonical address, description and preview card. */
  function about(page: PlannedPage): readonly string[] {
    if (baseUrl === null) return []
    const url = page.canonical ?? pageAddress(baseUrl, page.path)
    const { description: summary, image } = page
    return [
      link('canonical', url),
      ...(summary === '' ? [] : [meta('name', 'description', summary), meta('property', 'og:description', summary)]),
      ...openGraph(page.title, url, 'article'),
      ...(image === null ? [] : [meta('property', 'og:image', URL.canParse(image) ? image : baseUrl + image)]),
    ]
  }

  function openGraph(title: string, url: string, type: string): readonly string[] {
    const values = { title, type, url, site_name: site.name }
    return Object.entries(values).map(([name, value]) => meta('property', `og:${name}`, value))
  }
}

/** `YYYY-MM-DD`. */
const dayOf = (moment: string): string => moment.slice(0, 10)

const stylesheet = (url: string): string => link('stylesheet', url)
const link = (rel: string, url: string): string => `<link rel="${rel}" href="${escapeText(url)}">`
const meta = (key: string, name: string, content: string): string =>
  `<meta ${key}="${name}" content="${escapeText(content)}">`

/**
 * The first base of a page counts. Where the stored HTML brings one, ours goes before it, and means the page itself:
 * otherwise every relative address of the bundle would lead elsewhere.
 */
const ownBase = (stored: string): readonly string[] => (/<base\b/i.test(stored) ? ['<base href="index.html">'] : [])
