import type { Layout, PlannedPage } from '../layout.ts'
import type { Outline } from './outline.ts'
import { tagsOfPage } from './outline.ts'

// A text that an export made before is used again if everything that it prints is the same. Its key names what its template
// is given. What a template takes from the rest of the site, if it does, is noted while it is rendered.

/** The fields of a page that texts may print. */
export type PrintedPage = Omit<PlannedPage, 'html' | 'versionId' | 'verdict' | 'notes' | 'redirectsFrom'>

/** A short text that is equal for equal texts only. */
export type Digest = (text: string) => string

/** The printed fields of each page as one short text, made once: neighbours, lists and archives print the same pages. */
export function createPageDigests(digest: Digest): (page: PlannedPage) => string {
  const known = new Map<PlannedPage, string>()
  return (page) => {
    const before = known.get(page)
    if (before !== undefined) return before
    const {
      html: _html,
      versionId: _version,
      verdict: _verdict,
      notes: _notes,
      redirectsFrom: _from,
      ...printed
    } = page
    const made = digest(JSON.stringify(printed satisfies PrintedPage))
    known.set(page, made)
    return made
  }
}

/** What a template read of the site: all tags, the sections, the tags of a page, or how many posts a tag has. */
type Read = 'tags' | 'sections' | `page ${string}` | `count ${string}`

/** What texts have read of the site, and whether that is still the same. */
export function createReads(
  { layout: { pages }, outline }: { readonly layout: Pick<Layout, 'pages'>; readonly outline: Outline },
  digest: Digest,
  digestOf: (page: PlannedPage) => string,
) {
  const noted = new Set<string>()
  const pageAt = new Map(pages.map((page) => [page.path, page]))
  const tagAt = new Map(outline.tags.map((tag) => [tag.path, tag]))
  let isPure = true
  let [tags, sections]: [string | null, string | null] = [null, null]

  function valueOf(read: string): unknown {
    if (read === 'tags')
      return (tags ??= digest(JSON.stringify(outline.tags.map(({ name, path, posts }) => [name, path, posts.length]))))
    if (read === 'sections')
      return (sections ??= digest(
        JSON.stringify(
          sectionsOf(outline).map(({ name, path, count, posts }) => [name, path, count, posts.map(digestOf)]),
        ),
      ))
    const at = read.indexOf(' ')
    const path = read.slice(at + 1)
    if (read.slice(0, at) === 'count') return tagAt.get(path)?.posts.length ?? null
    const page = pageAt.get(path)
    return page === undefined ? null : tagsOfPage(outline, page).map((tag) => [tag.name, tag.path])
  }

  return {
    note: (read: Read): void => void noted.add(read),
    /** The text depends on more than the site, such as the time. */
    noteImpure: (): void => void (isPure = false),
    /** What was read since the last call; null if that cannot be told. */
    take(): readonly string[] | null {
      const taken = isPure ? [...noted] : null
      noted.clear()
      isPure = true
      return taken
    },
    /** Equal as long as all of it has the same value. */
    digestOf: (reads: readonly string[]): string =>
      reads.length === 0 ? '' : digest(JSON.stringify(reads.map(valueOf))),
  }
}

export type Reads = ReturnType<typeof createReads>

/** Posts of a tag in a section. */
const sectionPosts = 4
const sectionsAtMost = 6

/** The most used tags with their first posts. */
export const sectionsOf = ({ tags }: Pick<Outline, 'tags'>) =>
  tags.slice(0, sectionsAtMost).map(({ name, path, posts }) => ({
    name,
    path,
    count: posts.length,
    posts: posts.slice(0, sectionPosts),
  }))
