import { bundlePath, relativeUrl, withoutBase } from '@galley/library/records'
import type { ThemeProblem, ThemeSettings } from '@galley/library/records'
import type { Finder, LinkRewriter, Result } from '@galley/wire'
import { behindBase, createPageWords, isFixedBase, knownUrls, rewriteCss, rewriteHtml } from '@galley/wire'

import type { Layout, PlannedPage } from '../layout.ts'
import { createPageLinks } from '../page-links.ts'
import type { LinkTarget } from '../page-links.ts'
import { createDocuments } from './documents.ts'
import { withoutForbidden } from './markup.ts'
import { outlineOf } from './outline.ts'
import { ownTexts } from './own-texts.ts'
import type { Digest } from './reads.ts'
import type { Theme } from './theme.ts'
import type { Urls } from './urls.ts'
import type { PageParts } from './whole-document.ts'
import { pageParts } from './whole-document.ts'
import { wordsFor } from './words.ts'

export interface PageOptions {
  /** With a trailing slash. Null: the bundle works at any address and mentions none. */
  readonly baseUrl: string | null
  /** All assets of the theme. */
  readonly settings: ThemeSettings
  /** Paths of the scripts of the search page. */
  readonly searchScripts: readonly string[]
  readonly digest: Digest
  /** A clock that only goes forward, in milliseconds: all templates together have a time limit. */
  readonly nowMs: () => number
  /** Everything else that decides how templates are rendered: the program and its runtime. */
  readonly program: string
}

/** The addresses in a stored page, decoded. */
export interface NamedAddresses {
  /** URLs of files that this library serves or once served. */
  readonly urls: readonly string[]
  /** Addresses in a frame with its own base end with a line break and that base. */
  readonly links: readonly string[]
}

/** The parts of a stored page with rewritten references, its text, and whether it contains an `h1` and a `main`. */
export interface RewrittenPage extends PageParts {
  readonly words: string
  readonly hasHeading: boolean
  readonly hasMain: boolean
}

/**
 * Part of the cache key of everything that exports derive from a page. Raise it with every change that affects the
 * result for the same page; a test checks this.
 */
export const workForm = 15

/** How much text the search page indexes in total, and per page at most; in UTF-16 units. */
const searchReach = { all: 4_000_000, page: 2000 } as const

/**
 * How much text of each page the search page indexes. It changes in steps, because the cached results of all pages
 * depend on it: one more page must not invalidate them.
 */
function textPerPageOf(pages: number): number {
  const even = Math.floor(searchReach.all / Math.max(1, pages))
  const step = 50
  return Math.min(searchReach.page, even < 2 * step ? even : even - (even % step))
}

/** Rewrites the links of the page at `path` whose target is known. */
export function linkRewriter(
  path: string,
  targetOf: (ref: string) => LinkTarget | null,
  urlsFrom: (path: string) => Urls,
): LinkRewriter {
  const urls = urlsFrom(path)
  return (ref, isFramed, base = null) => {
    const found = targetOf(base === null ? ref : behindBase(base, ref))
    if (found === null) return null
    const { target, tail } = found
    if (base !== null) {
      const from = fileBehind(path, base)
      const link = from === null ? urls.address(target) : urlsFrom(from).to(target)
      return link && link + tail
    }
    return target === path && tail.startsWith('#') && !isFramed ? tail : urls.to(target) + tail
  }
}

/**
 * The address of a page resolved against a relative base; null if the base points outside the bundle, or is the same
 * for every page.
 */
function fileBehind(page: string, base: string): string | null {
  // The parser of URLs ends at the root, so there have to be more folders than a base may leave.
  const root = `https://bundle.invalid/${'x/'.repeat(base.length)}`
  if (isFixedBase(base) || !URL.canParse(base, root + page)) return null
  const { href } = new URL(base.replace(/[?#].*$/s, ''), root + page)
  return href.startsWith(root) ? href.slice(root.length) : null
}

/** Creates the text files of a bundle. The same arguments give the same texts. */
export function createPages(layout: Layout, theme: Theme, options: PageOptions) {
  const { baseUrl, settings, searchScripts, digest, nowMs, program } = options
  const { pages, pathByUrl } = layout
  const outline = outlineOf(layout)
  const words = wordsFor(layout.site.publishing.language, theme.manifest)
  const inputs = { layout, outline, theme, words, settings, baseUrl, digest, nowMs, program }
  const documents = createDocuments(inputs)
  const finderFor = createFinders(pathByUrl)
  const textByPage = new Map<PlannedPage, string>()
  // A page that already had an address keeps it.
  const taken = new Set(pages.map(({ path }) => path))
  const search = { scripts: searchScripts, textOf: (page: PlannedPage) => textByPage.get(page) ?? '' }
  const others = ownTexts(inputs, documents, search).filter(({ path }) => !taken.has(path))
  const targetOf = createPageLinks({ ...layout, others: others.map(({ path }) => path) }, baseUrl)
  const textPerPage = textPerPageOf(pages.length)

  return {
    /** Everything that `rewrite` depends on besides the stored page with these addresses. Equal keys give equal results. */
    rewriteKey(page: PlannedPage, { urls, links }: NamedAddresses): string {
      const find = finderFor(page.path)
      const files = urls.flatMap((url) => find(url).map(({ name, replacement }) => [name, replacement]))
      const rewriteLink = linkRewriter(page.path, targetOf, documents.urlsFrom)
      // In the form for frames, from which the other form follows.
      const pagesLinked = links.map((link) => {
        const [ref = '', base = null] = link.split('\n')
        return rewriteLink(ref, true, base)
      })
      return JSON.stringify(['rewritten', workForm, page.html, textPerPage, files, pagesLinked])
    },

    /** The stored HTML with rewritten references, repaired so that it fits into the theme, and its text. */
    rewrite(page: PlannedPage, stored: string): RewrittenPage {
      const reading = createPageWords(textPerPage)
      const rewriteLink = linkRewriter(page.path, targetOf, documents.urlsFrom)
      const { text } = rewriteHtml(withoutBase(stored), finderFor(page.path), reading.reader, rewriteLink)
      const [hasHeading, hasMain] = [reading.shows('h1'), reading.shows('main')]
      return { ...pageParts(withoutForbidden(text)), words: reading.read().text, hasHeading, hasMain }
    },

    /** Collects the words of a page that is not rendered. */
    collectWords: (page: PlannedPage, said: string): void => void textByPage.set(page, said),

    /** Names everything that `page` depends on. `rewriteKey` names the rewritten HTML. */
    pageKey: (page: PlannedPage, rewriteKey: string): string =>
      documents.keyOf('page.html', page.path, [documents.views.pageKey(page), rewriteKey]),

    /** Renders a page around its rewritten HTML. Its words are collected for the search page. */
    page(page: PlannedPage, { words: said, ...stored }: RewrittenPage): Result<string, ThemeProblem> {
      textByPage.set(page, said)
      const urls = documents.urlsFrom(page.path)
      const facts = {
        title: page.title,
        description: page.description === '' ? null : page.description,
        image: page.image,
        language: page.language,
        page,
        isHome: page === outline.home,
        isIndexed: page.isIndexed,
      }
      const values = { page: documents.views.page(page, urls, stored) }
      return documents.make({ template: 'page.html', urls, facts, values, stored })
    },

    fontsCss(stored: string): string {
      const beside = [...pathByUrl].map(([url, target]) => [url, relativeUrl(bundlePath.fontsCss, target)] as const)
      return rewriteCss(stored, knownUrls(new Map(beside))).text
    },

    /** The other texts. They come after the pages, because the search page contains the words of those. */
    others,

    /** What the texts that were rendered since the last time have read of the site; null if that cannot be told. */
    takeReads: documents.reads.take,
    /** Equal as long as what was read is the same. */
    readsKey: documents.reads.digestOf,
  }
}

/** Stored files are in folders at the top of a bundle, so the path to them depends only on the depth of the page. */
function createFinders(pathByUrl: Layout['pathByUrl']): (path: string) => Finder {
  const finders = new Map<string, Finder>()
  return (path) => {
    const up = '../'.repeat(path.split('/').length - 1)
    const known = finders.get(up)
    if (known !== undefined) return known
    const made = knownUrls(new Map([...pathByUrl].map(([url, target]) => [url, up + target])))
    finders.set(up, made)
    return made
  }
}
