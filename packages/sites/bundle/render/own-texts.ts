import type { ThemeProblem } from '@galley/library/records'
import { bundlePath } from '@galley/library/records'
import type { Result } from '@galley/wire'
import { cutAtWord, ok } from '@galley/wire'

import type { PlannedPage } from '../layout.ts'
import { descriptionMaxChars } from '../layout.ts'
import type { BundleInputs, Documents } from './documents.ts'
import { createFeeds } from './feeds.ts'
import { escapeText, Markup } from './markup.ts'
import type { ListPage } from './outline.ts'

/** A generated text file of a bundle, without a stored page. */
export interface OwnText {
  readonly path: string
  /** Names everything that the text depends on; null: rendering it is faster than looking it up. */
  key(): string | null
  text(): Result<string, ThemeProblem>
}

interface OwnPage {
  readonly template: string
  readonly path: string
  readonly title: string
  /** What it lists, which describes it to search engines. */
  readonly names?: readonly string[]
  /** Whether search engines may index it. */
  readonly isIndexed?: boolean
  /** Names everything that `values` depends on. */
  readonly valuesKey?: () => unknown
  values?(): Result<object, ThemeProblem>
}

/** What the search page is made of. */
interface SearchSource {
  readonly scripts: readonly string[]
  /** The words of a page. */
  textOf(page: PlannedPage): string
}

/** Every text of a bundle except pages and styles, in the order of writing: texts come after those that they link to. */
export function ownTexts(inputs: BundleInputs, documents: Documents, search: SearchSource): readonly OwnText[] {
  const { outline, words, baseUrl } = inputs
  const { site, pages } = inputs.layout
  const { views, urlsFrom } = documents
  const page = pageMaker(inputs, documents)
  const isOfAllPosts = (list: ListPage): boolean => list.tag === null
  const titleOf = (list: ListPage): string =>
    list.tag !== null ? list.tag.name : outline.home === null ? site.name : words.posts
  const lists = outline.lists.map((list) =>
    page({
      template: isOfAllPosts(list) && outline.home === null ? 'home.html' : 'list.html',
      path: list.path,
      title: titleOf(list),
      names: titlesOf(list.posts),
      valuesKey: () => views.listKey(list),
      values() {
        const urls = urlsFrom(list.path)
        const view = views.list(list, urls)
        const items = documents.items(view.posts, urls)
        return items.ok ? ok({ list: view, pages: items.value }) : items
      },
    }),
  )

  const archiveAt = (path: string, year: string | null, posts: readonly PlannedPage[]): OwnText =>
    page({
      template: 'archive.html',
      path,
      title: year === null ? words.archive : `${words.archive}: ${year}`,
      names: titlesOf(posts),
      valuesKey: () => views.archiveKey(year),
      values: () => ok({ archive: views.archive(year, urlsFrom(path)) }),
    })
  const hasPosts = outline.posts.length > 0
  const archive = hasPosts
    ? [
        ...outline.years.map(({ path, year, posts }) => archiveAt(path, year, posts)),
        archiveAt(bundlePath.archive, null, outline.posts),
      ]
    : []

  return [
    ...(documents.hasOwnIcon
      ? []
      : [{ path: bundlePath.favicon, key: () => null, text: () => ok(faviconOf(site.name)) }]),
    ...archive,
    ...(pages.some(({ state }) => state === 'published') ? searchTexts(inputs, documents, search) : []),
    page({ template: '404.html', path: bundlePath.notFound, title: words.not_found, isIndexed: false }),
    ...lists.toReversed(),
    ...(outline.tags.length > 0
      ? [
          page({
            template: 'tags.html',
            path: bundlePath.tags,
            title: words.tags,
            names: outline.tags.map(({ name }) => name),
          }),
        ]
      : []),
    ...(baseUrl === null ? [] : forMachines(inputs, baseUrl)),
  ]
}

function searchTexts(inputs: BundleInputs, documents: Documents, search: SearchSource): readonly OwnText[] {
  const { views, urlsFrom } = documents
  const urls = urlsFrom(bundlePath.search)
  const scriptTags = [bundlePath.searchPages, ...search.scripts].map(
    (path) => `<script defer src="${escapeText(urls.to(path))}"></script>`,
  )
  return [
    {
      path: bundlePath.searchPages,
      key: () => documents.keyOf('', bundlePath.searchPages, views.searchKey(search.textOf)),
      text: () => ok(views.searchPages(urls, search.textOf)),
    },
    pageMaker(
      inputs,
      documents,
    )({
      template: 'search.html',
      path: bundlePath.search,
      title: inputs.words.search,
      isIndexed: false,
      valuesKey: () => scriptTags,
      values: () => ok({ search_scripts: new Markup(scriptTags.join('\n')) }),
    }),
  ]
}

/** Makes pages that have no stored page. */
function pageMaker({ layout }: BundleInputs, { views, urlsFrom, make, keyOf }: Documents) {
  const { publishing } = layout.site
  return ({ template, path, title, names = [], isIndexed = true, valuesKey, values }: OwnPage): OwnText => {
    const isHome = path === bundlePath.home
    const ownDescription = isHome ? publishing.description : null
    const factsOf = () => ({
      title,
      image: null,
      language: publishing.language,
      page: null,
      isHome,
      isIndexed,
      description: ownDescription ?? (cutAtWord(names.join(', '), descriptionMaxChars) || null),
    })
    return {
      path,
      key: () => keyOf(template, path, [factsOf(), valuesKey?.()]),
      text() {
        const own = values?.() ?? ok({})
        if (!own.ok) return own
        const urls = urlsFrom(path)
        const kind = template.replace(/\.html$/, '').replace('404', 'not_found')
        const view = views.ownPage({ title, kind: isHome ? 'home' : kind, description: ownDescription }, urls)
        return make({ template, urls, facts: factsOf(), values: { page: view, ...own.value } })
      },
    }
  }
}

const titlesOf = (posts: readonly PlannedPage[]): readonly string[] => posts.map(({ title }) => title)

function forMachines({ layout, outline }: BundleInputs, baseUrl: string): readonly OwnText[] {
  const feeds = createFeeds(layout, outline, baseUrl)
  const texts = [
    { path: bundlePath.atom, text: feeds.atom },
    { path: bundlePath.jsonFeed, text: feeds.jsonFeed },
    { path: bundlePath.robots, text: feeds.robots },
    ...feeds.sitemaps(),
  ]
  return texts.map(({ path, text }) => ({ path, key: () => null, text: () => ok(text()) }))
}

/** The site's initial in a square. */
function faviconOf(name: string): string {
  const initial =
    Array.from(name)
      .find((sign) => /[\p{L}\p{N}]/u.test(sign))
      ?.toUpperCase() ?? '•'
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#7c2d12"/>' +
    '<text x="32" y="34" fill="#fff" font-family="Georgia,serif" font-size="40" font-weight="700" text-anchor="middle" ' +
    `dominant-baseline="central">${escapeText(initial)}</text></svg>\n`
  )
}
