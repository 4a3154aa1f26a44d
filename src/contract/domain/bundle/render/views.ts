import type { ThemeSettings } from '../../site-model.ts'
import { textDirection } from '../../text-direction.ts'
import type { Layout, PlannedPage } from '../layout.ts'
import { bundlePath } from '../paths.ts'
import type { ListPage, Outline, Tag } from './outline.ts'
import { tagsOfPage } from './outline.ts'
import type { Urls } from './urls.ts'
import { isAbsoluteUrl } from './urls.ts'
import type { Words } from './words.ts'
import { dateText, dayOf } from './words.ts'

// The data of templates. Every address in it is relative to the current page. Expensive values are computed only when a page
// reads them, so that a page of a site of thousands costs what it shows. docs/themes.md lists all of it.

/** Posts of a tag in a section, and years whose posts are on one page. */
const sectionPosts = 4
const sectionsAtMost = 6
const postsOnOneArchivePage = 200

interface ViewSource {
  readonly layout: Layout
  readonly outline: Outline
  readonly words: Words
  readonly settings: ThemeSettings
  readonly baseUrl: string | null
}

/** A page, a list of pages or a tag as another page sees it. */
function createPostViews(outline: Outline) {
  const dateTexts = new Map<string, string>()
  /** Thousands of pages show the same few dates, so they are formatted once. */
  function dateOf(moment: string, language: string): string {
    const key = `${language} ${dayOf(moment)}`
    const text = dateTexts.get(key) ?? dateText(moment, language)
    dateTexts.set(key, text)
    return text
  }
  const tagView = (tag: Tag, urls: Urls) => ({ name: tag.name, url: urls.to(tag.path), count: tag.posts.length })

  /** A page as an item of a list or the target of a link. */
  const postView = (page: PlannedPage, urls: Urls) => ({
    kind: page.type,
    title: page.title,
    url: urls.to(page.path),
    description: page.description === '' ? null : page.description,
    image: page.image === null || isAbsoluteUrl(page.image) ? page.image : urls.to(page.image),
    date: dayOf(page.published),
    date_text: dateOf(page.published, page.language),
    updated: dayOf(page.updated),
    updated_text: dateOf(page.updated, page.language),
    is_updated: dayOf(page.updated) > dayOf(page.published),
    author: page.author,
    lang: page.language,
    dir: page.dir,
    pinned: page.pinned,
    get tags() {
      return tagsOfPage(outline, page).map((tag) => tagView(tag, urls))
    },
  })
  const postViews = (posts: readonly PlannedPage[], urls: Urls) => posts.map((post) => postView(post, urls))
  return { tagView, postView, postViews }
}

type PostViews = ReturnType<typeof createPostViews>

/** The data of the site on every page. */
function createSiteViews({ layout: { site, pages }, outline, baseUrl }: ViewSource, { tagView, postViews }: PostViews) {
  const { publishing } = site
  const siteLanguage = publishing.language
  const pageByMaterial = new Map(pages.map((page) => [page.materialId, page]))
  const hasSearch = pages.some(({ state }) => state === 'published')

  function menu(urls: Urls) {
    return publishing.menu.flatMap(({ label, target }) => {
      const [path, tail] = 'material' in target ? [pageByMaterial.get(target.material)?.path, ''] : placeOf(target.url)
      if (path !== undefined) return [{ label, url: urls.to(path) + tail, current: path === urls.path && tail === '' }]
      // Unpublished materials are not in the menu.
      return 'material' in target ? [] : [{ label, url: target.url, current: false }]
    })
  }

  function siteView(urls: Urls) {
    const hasPosts = outline.posts.length > 0
    return {
      name: site.name,
      url: urls.to(bundlePath.home),
      description: publishing.description,
      lang: siteLanguage,
      dir: textDirection(siteLanguage),
      footer: publishing.footer ?? site.name,
      base_url: baseUrl,
      menu: menu(urls),
      posts_url: hasPosts && outline.home !== null ? urls.to(outline.listing) : null,
      archive_url: hasPosts ? urls.to(bundlePath.archive) : null,
      search_url: hasSearch ? urls.to(bundlePath.search) : null,
      tags_url: outline.tags.length > 0 ? urls.to(bundlePath.tags) : null,
      feed_url: baseUrl === null ? null : urls.to(bundlePath.atom),
      get tags() {
        return outline.tags.map((tag) => tagView(tag, urls))
      },
      get sections() {
        return outline.tags
          .slice(0, sectionsAtMost)
          .map((tag) => ({ ...tagView(tag, urls), posts: postViews(tag.posts.slice(0, sectionPosts), urls) }))
      },
      /** Older themes print the site itself instead of its name. */
      toString: () => site.name,
    }
  }
  return siteView
}

/** The page at an address below the site, and the query or anchor after it; no page for a complete URL. */
function placeOf(url: string): readonly [path: string | undefined, tail: string] {
  if (isAbsoluteUrl(url) || url.startsWith('//') || url.startsWith('#')) return [undefined, '']
  const [, address = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? []
  const path = address.replace(/^\/+|\/+$/g, '')
  if (path === '') return [bundlePath.home, tail]
  return [/\.[a-z0-9]+$/.test(path) ? path : `${path}/index.html`, tail]
}

export function createViews(source: ViewSource) {
  const { layout, outline, words, settings } = source
  const siteLanguage = layout.site.publishing.language
  const made = createPostViews(outline)
  const { tagView, postView, postViews } = made
  const siteView = createSiteViews(source, made)

  return {
    common: (urls: Urls) => ({ site: siteView(urls), words, settings }),

    /** A material on its own page. */
    page(page: PlannedPage, urls: Urls, { hasHeading, hasMain }: { hasHeading: boolean; hasMain: boolean }) {
      const { newer, older } = outline.neighbours.get(page) ?? { newer: null, older: null }
      return {
        ...postView(page, urls),
        kind: page === outline.home ? 'home' : page.type,
        has_heading: hasHeading,
        has_main: hasMain,
        // A spread would compute the tags immediately.
        tags: tagsOfPage(outline, page).map((tag) => tagView(tag, urls)),
        next: newer === null ? null : postView(newer, urls),
        previous: older === null ? null : postView(older, urls),
      }
    },

    /** A generated page, with the same fields. */
    ownPage: (
      about: { readonly title: string; readonly kind: string; readonly description: string | null },
      urls: Urls,
    ) => ({
      ...about,
      url: urls.to(urls.path),
      lang: siteLanguage,
      dir: textDirection(siteLanguage),
      image: null,
      has_main: false,
    }),

    list: ({ posts, number, total, newer, older, tag }: ListPage, urls: Urls) => ({
      posts: postViews(posts, urls),
      number,
      total,
      newer_url: newer === null ? null : urls.to(newer),
      older_url: older === null ? null : urls.to(older),
      tag: tag === null ? null : tagView(tag, urls),
    }),

    archive: (only: string | null, urls: Urls) => ({
      year: only,
      years: outline.years
        .filter(({ year }) => only === null || year === only)
        .map(({ year, path, posts }) => ({
          year,
          url: urls.to(path),
          count: posts.length,
          posts: only !== null || outline.posts.length <= postsOnOneArchivePage ? postViews(posts, urls) : [],
        })),
    }),

    /** A script rather than JSON: a page that is opened from a disk may not load other files. */
    searchPages(urls: Urls, textOf: (page: PlannedPage) => string): string {
      const found = layout.pages
        .filter(({ state }) => state === 'published')
        .map((page) => ({
          url: urls.to(page.path),
          title: page.title,
          description: page.description,
          tags: page.tags.join(' '),
          text: textOf(page),
        }))
      return `globalThis.galleyPages = [\n${found.map((page) => JSON.stringify(page)).join(',\n')}\n]\n`
    },
  }
}
