import type { ThemeSettings } from '@galley/library/records'
import { bundlePath, textDirection } from '@galley/library/records'
import { percentDecoded } from '@galley/wire'

import type { Layout, PlannedPage } from '../layout.ts'
import type { ListPage, Outline } from './outline.ts'
import { tagsOfPage } from './outline.ts'
import type { Digest, PrintedPage, Reads } from './reads.ts'
import { sectionsOf } from './reads.ts'
import type { Urls } from './urls.ts'
import { isAbsoluteUrl } from './urls.ts'
import type { Words } from './words.ts'
import { dateText } from './words.ts'

// The data of templates. Every address in it is relative to the current page. Expensive values are computed only when a page
// reads them, so that a page of a site of thousands costs what it shows. docs/themes.md lists all of it.

/** Years whose posts are on one page. */
const postsOnOneArchivePage = 200

interface ViewSource {
  readonly layout: Layout
  readonly outline: Outline
  readonly words: Words
  readonly settings: ThemeSettings
  readonly baseUrl: string | null
  readonly reads: Reads
  readonly digest: Digest
  /** The digest of what can be printed of a page. */
  readonly digestOf: (page: PlannedPage) => string
}

/** A page, a list of pages or a tag as another page sees it. */
function createPostViews({ outline, reads }: Pick<ViewSource, 'outline' | 'reads'>) {
  const dateTexts = new Map<string, string>()
  /** Thousands of pages show the same few dates, so they are formatted once. */
  function dateOf(day: string, language: string): string {
    const key = `${language} ${day}`
    const text = dateTexts.get(key) ?? dateText(day, language)
    dateTexts.set(key, text)
    return text
  }
  const tagView = ({ name, path, count }: CountedTag, urls: Urls) => ({ name, url: urls.to(path), count })
  const tagViews = (page: PlannedPage, urls: Urls) =>
    tagsOfPage(outline, page).map(({ name, path, posts }) => ({
      name,
      url: urls.to(path),
      // One more post with a tag changes only texts that count.
      get count() {
        reads.note(`count ${path}`)
        return posts.length
      },
    }))

  /** The fields of a page that are computed at once. */
  const fieldsOf = (page: PrintedPage, urls: Urls) => ({
    kind: page.type,
    title: page.title,
    url: urls.to(page.path),
    description: page.description === '' ? null : page.description,
    image: page.image === null || isAbsoluteUrl(page.image) ? page.image : urls.to(page.image),
    date: page.publishedDay,
    date_text: dateOf(page.publishedDay, page.language),
    updated: page.updatedDay,
    updated_text: dateOf(page.updatedDay, page.language),
    is_updated: page.isUpdated,
    author: page.author,
    lang: page.language,
    dir: page.dir,
    pinned: page.pinned,
  })
  /** A page as an item of a list or the target of a link. */
  const postView = (page: PlannedPage, urls: Urls) => ({
    ...fieldsOf(page, urls),
    get tags() {
      reads.note(`page ${page.path}`)
      return tagViews(page, urls)
    },
  })
  const postViews = (posts: readonly PlannedPage[], urls: Urls) => posts.map((post) => postView(post, urls))
  return { tagView, tagViews, fieldsOf, postView, postViews }
}

type PostViews = ReturnType<typeof createPostViews>

/** `tail`: what follows the path, or a complete URL if there is none. */
interface MenuLink {
  readonly label: string
  readonly path: string | null
  readonly tail: string
}

interface CountedTag {
  readonly name: string
  readonly path: string
  readonly count: number
}

/** The data of the site on every page. `key` names all of it but the tags and sections, which few themes print everywhere. */
function createSiteViews(
  { layout: { site, pages }, outline, baseUrl, reads }: ViewSource,
  { tagView, postViews }: PostViews,
) {
  const { publishing } = site
  const pageByMaterial = new Map(pages.map((page) => [page.materialId, page]))
  const hasPosts = outline.posts.length > 0
  const facts = {
    name: site.name,
    description: publishing.description,
    language: publishing.language,
    footer: publishing.footer ?? site.name,
    baseUrl,
    menu: publishing.menu.flatMap(({ label, target }): readonly MenuLink[] => {
      const [path, tail] = 'material' in target ? [pageByMaterial.get(target.material)?.path, ''] : placeOf(target.url)
      if (path !== undefined) return [{ label, path, tail }]
      // Unpublished materials are not in the menu.
      return 'material' in target ? [] : [{ label, path: null, tail: target.url }]
    }),
    posts: hasPosts && outline.home !== null ? outline.listing : null,
    archive: hasPosts ? bundlePath.archive : null,
    search: pages.some(({ state }) => state === 'published') ? bundlePath.search : null,
    tags: outline.tags.length > 0 ? bundlePath.tags : null,
    feed: baseUrl === null ? null : bundlePath.atom,
  }

  function siteView(urls: Urls) {
    const to = (path: string | null): string | null => (path === null ? null : urls.to(path))
    return {
      name: facts.name,
      url: urls.to(bundlePath.home),
      description: facts.description,
      lang: facts.language,
      dir: textDirection(facts.language),
      footer: facts.footer,
      base_url: facts.baseUrl,
      menu: facts.menu.map(({ label, path, tail }) =>
        path === null
          ? { label, url: tail, current: false }
          : { label, url: urls.to(path) + tail, current: path === urls.path && tail === '' },
      ),
      posts_url: to(facts.posts),
      archive_url: to(facts.archive),
      search_url: to(facts.search),
      tags_url: to(facts.tags),
      feed_url: to(facts.feed),
      get tags() {
        reads.note('tags')
        return outline.tags.map(({ name, path, posts }) => tagView({ name, path, count: posts.length }, urls))
      },
      get sections() {
        reads.note('sections')
        return sectionsOf(outline).map(({ posts, ...tag }) => ({
          ...tagView(tag, urls),
          posts: postViews(posts, urls),
        }))
      },
      /** Older themes print the site itself instead of its name. */
      toString: () => facts.name,
    }
  }
  return { siteView, key: JSON.stringify(facts) }
}

/** The page at an address below the site, and the query or anchor after it; no page for a complete URL. */
function placeOf(url: string): readonly [path: string | undefined, tail: string] {
  if (isAbsoluteUrl(url) || url.startsWith('//') || url.startsWith('#')) return [undefined, '']
  const [, address = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? []
  const path = (percentDecoded(address) ?? address).normalize('NFC').replace(/^\/+|\/+$/g, '')
  if (path === '') return [bundlePath.home, tail]
  return [/\.[a-z0-9]+$/.test(path) ? path : `${path}/index.html`, tail]
}

/** The views of a bundle, each beside the key that names everything it shows but what `reads` notes. */
export function createViews(source: ViewSource) {
  const { layout, outline, words, settings, digestOf } = source
  const siteLanguage = layout.site.publishing.language
  const made = createPostViews(source)
  const { tagView, tagViews, fieldsOf, postView, postViews } = made
  const { siteView, key: siteKey } = createSiteViews(source, made)
  const neighboursOf = (page: PlannedPage) => outline.neighbours.get(page) ?? { newer: null, older: null }
  const countedTag = ({ tag }: ListPage): CountedTag | null =>
    tag === null ? null : { name: tag.name, path: tag.path, count: tag.posts.length }

  return {
    siteKey,
    common: (urls: Urls) => ({ site: siteView(urls), words, settings }),

    /** A material on its own page. */
    page(page: PlannedPage, urls: Urls, { hasHeading, hasMain }: { hasHeading: boolean; hasMain: boolean }) {
      const { newer, older } = neighboursOf(page)
      return {
        ...fieldsOf(page, urls),
        tags: tagViews(page, urls),
        kind: page === outline.home ? 'home' : page.type,
        has_heading: hasHeading,
        has_main: hasMain,
        next: newer === null ? null : postView(newer, urls),
        previous: older === null ? null : postView(older, urls),
      }
    },

    /** Without what the stored page has. */
    pageKey(page: PlannedPage): readonly unknown[] {
      const { newer, older } = neighboursOf(page)
      const tags = tagsOfPage(outline, page).map(({ name, path }) => [name, path])
      return [digestOf(page), page === outline.home, tags, newer && digestOf(newer), older && digestOf(older)]
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

    list(list: ListPage, urls: Urls) {
      const { posts, number, total, newer, older } = list
      const tag = countedTag(list)
      return {
        posts: postViews(posts, urls),
        number,
        total,
        newer_url: newer === null ? null : urls.to(newer),
        older_url: older === null ? null : urls.to(older),
        tag: tag === null ? null : tagView(tag, urls),
      }
    },

    listKey: (list: ListPage): object => ({ ...list, posts: list.posts.map(digestOf), tag: countedTag(list) }),

    ...createArchiveViews(source, made),
    ...createSearchViews(source),
  }
}

function createArchiveViews({ outline, digestOf }: ViewSource, { postViews }: PostViews) {
  const yearsOf = (only: string | null) =>
    outline.years
      .filter(({ year }) => only === null || year === only)
      .map(({ year, path, posts }) => ({
        year,
        path,
        count: posts.length,
        posts: only !== null || outline.posts.length <= postsOnOneArchivePage ? posts : [],
      }))

  return {
    archive: (only: string | null, urls: Urls) => ({
      year: only,
      years: yearsOf(only).map(({ year, path, count, posts }) => ({
        year,
        url: urls.to(path),
        count,
        posts: postViews(posts, urls),
      })),
    }),

    archiveKey: (only: string | null): readonly unknown[] => [
      only,
      yearsOf(only).map((year) => ({ ...year, posts: year.posts.map(digestOf) })),
    ],
  }
}

function createSearchViews({ layout, digest, digestOf }: ViewSource) {
  const isFound = ({ state }: PlannedPage): boolean => state === 'published'

  return {
    /** A script rather than JSON: a page that is opened from a disk may not load other files. */
    searchPages(urls: Urls, textOf: (page: PlannedPage) => string): string {
      const found = layout.pages.filter(isFound).map((page) => ({
        url: urls.to(page.path),
        title: page.title,
        description: page.description,
        tags: page.tags.join(' '),
        text: textOf(page),
      }))
      return `globalThis.galleyPages = [\n${found.map((page) => JSON.stringify(page)).join(',\n')}\n]\n`
    },

    searchKey: (textOf: (page: PlannedPage) => string): readonly unknown[] =>
      layout.pages.filter(isFound).map((page) => [digestOf(page), digest(textOf(page))]),
  }
}
