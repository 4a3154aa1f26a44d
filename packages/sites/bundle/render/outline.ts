import { bundlePath, comparableTag, compare, tagFoldersOf } from '@galley/library/records'

import type { Layout, PlannedPage } from '../layout.ts'

/** One page of a list of posts. */
export interface ListPage {
  readonly path: string
  readonly number: number
  readonly total: number
  readonly posts: readonly PlannedPage[]
  readonly newer: string | null
  readonly older: string | null
  readonly tag: Tag | null
}

export interface Tag {
  readonly name: string
  readonly path: string
  readonly posts: readonly PlannedPage[]
}

interface Year {
  readonly year: string
  readonly path: string
  readonly posts: readonly PlannedPage[]
}

/** The generated pages of a bundle (lists, tags, years), and the order of posts. */
export interface Outline {
  /** Of the home page: a list, or the material chosen for it. */
  readonly home: PlannedPage | null
  readonly posts: readonly PlannedPage[]
  /** Where the list of all posts begins. */
  readonly listing: string
  readonly lists: readonly ListPage[]
  /** The most used first. */
  readonly tags: readonly Tag[]
  readonly tagByKey: ReadonlyMap<string, Tag>
  readonly years: readonly Year[]
  readonly neighbours: ReadonlyMap<
    PlannedPage,
    { readonly newer: PlannedPage | null; readonly older: PlannedPage | null }
  >
}

/** `posts` are in the order of the layout: pinned ones first, then by date. */
export function outlineOf({ site, pages, listing }: Pick<Layout, 'site' | 'pages' | 'listing'>): Outline {
  const home = pages.find(({ path }) => path === bundlePath.home) ?? null
  const posts = pages.filter((page) => page.type === 'post' && page.state === 'published' && page !== home)
  const perPage = Math.max(1, site.publishing.postsPerPage)
  const tags = tagsOf(posts, site.tagFolders)
  const lists = [
    ...(home === null || posts.length > 0 ? listPages(posts, perPage, listing.path, '', null) : []),
    ...tags.flatMap((tag) => listPages(tag.posts, perPage, tag.path, tag.path.replace(/index\.html$/, ''), tag)),
  ]
  const byDate = posts.toSorted((a, b) => compare(b.published, a.published) || compare(a.path, b.path))
  const neighbours = new Map(
    byDate.map((page, at) => [page, { newer: byDate[at - 1] ?? null, older: byDate[at + 1] ?? null }] as const),
  )
  const tagByKey = new Map(tags.map((tag) => [comparableTag(tag.name), tag]))
  return { home, posts, listing: listing.path, lists, tags, tagByKey, years: yearsOf(byDate), neighbours }
}

function listPages(
  posts: readonly PlannedPage[],
  perPage: number,
  first: string,
  folder: string,
  tag: Tag | null,
): readonly ListPage[] {
  const total = Math.max(1, Math.ceil(posts.length / perPage))
  const pathOf = (number: number): string => (number === 1 ? first : `${folder}page/${number}/index.html`)
  return Array.from({ length: total }, (_, index) => ({
    path: pathOf(index + 1),
    number: index + 1,
    total,
    posts: posts.slice(index * perPage, (index + 1) * perPage),
    newer: index === 0 ? null : pathOf(index),
    older: index + 1 === total ? null : pathOf(index + 2),
    tag,
  }))
}

function tagsOf(posts: readonly PlannedPage[], decided: ReadonlyMap<string, string>): readonly Tag[] {
  const found = new Map<string, { readonly spellings: Map<string, PlannedPage[]>; readonly posts: PlannedPage[] }>()
  for (const post of posts) {
    for (const [key, name] of new Map(post.tags.toReversed().map((each) => [comparableTag(each), each.trim()]))) {
      if (key === '') continue
      const tag = found.get(key) ?? { spellings: new Map<string, PlannedPage[]>(), posts: [] }
      tag.posts.push(post)
      const alike = tag.spellings.get(name)
      if (alike === undefined) tag.spellings.set(name, [post])
      else alike.push(post)
      found.set(key, tag)
    }
  }
  const folders = tagFoldersOf(found.keys(), decided)
  const tags = [...found].map(([key, { spellings, posts: tagged }]) => ({
    name: usualSpelling(spellings),
    path: `tags/${folders.get(key) ?? ''}/index.html`,
    posts: tagged,
  }))
  return tags.toSorted((a, b) => b.posts.length - a.posts.length || compare(a.name, b.name))
}

/** The spelling that most posts have, otherwise that of the first post. */
function usualSpelling(spellings: ReadonlyMap<string, readonly PlannedPage[]>): string {
  const first = (posts: readonly PlannedPage[]): string =>
    posts.map(({ published }) => published).toSorted(compare)[0] ?? ''
  const [[name] = ['']] = [...spellings].toSorted(
    ([a, one], [b, other]) => other.length - one.length || compare(first(one), first(other)) || compare(a, b),
  )
  return name
}

function yearsOf(byDate: readonly PlannedPage[]): readonly Year[] {
  const years = new Map<string, PlannedPage[]>()
  for (const post of byDate) {
    const year = /^\d{4}/.exec(post.publishedDay)?.[0]
    if (year === undefined) continue
    const posts = years.get(year)
    if (posts === undefined) years.set(year, [post])
    else posts.push(post)
  }
  return [...years].map(([year, posts]) => ({ year, path: `archive/${year}/index.html`, posts }))
}

/** The tags of a page that have a list, in its own order. */
export const tagsOfPage = ({ tagByKey }: Outline, page: PlannedPage): readonly Tag[] => {
  const keys = new Set(page.tags.map(comparableTag))
  return [...keys].flatMap((key) => tagByKey.get(key) ?? [])
}
