import { percentDecoded } from '../../protocol/public-url.ts'
import { dummyNames } from '../../text/references/finder.ts'
import { rewriteHtml } from '../../text/references/html.ts'
import { temporaryName, temporaryPrefix } from '../../text/references/temporary-name.ts'
import type { BrokenLink, BrokenReason, SourcePosition } from '../broken-link.ts'
import { ownUrls } from './own-urls.ts'
import type { KnownPart, PageContents, Reference } from './page-references.ts'
import { framedContents, pageContents, partContents, sheetReferences } from './page-references.ts'
import type { VerdictScope } from './verdict.ts'
import { addressOf, createJudge, createPathJudge } from './verdict.ts'

export interface LinkReport {
  /** References that should point into the bundle. */
  readonly checked: number
  readonly broken: readonly BrokenLink[]
}

/** A reference to another site. */
export interface OutsideLink extends Omit<BrokenLink, 'reason'> {
  readonly url: string
}

/** What references are checked against, and the receiver of outside links. */
export interface LinkScope extends VerdictScope {
  readonly onOutside?: (link: OutsideLink) => void
}

const notInBundle: BrokenReason = { code: 'not_in_bundle' }

/** A link to an anchor, kept until the ids of its page are known. */
interface AnchorLink extends Omit<BrokenLink, 'reason'> {
  readonly anchor: string
}

/**
 * The links of a page without broken links, for checking them again without reading the page. They depend on the page, the
 * base URL and the public bases.
 */
export interface KnownLinks {
  readonly checked: number
  /** The paths of the bundle that references name. */
  readonly named: readonly string[]
  /** Links to anchors, with the path that each names. */
  readonly anchored: readonly (AnchorLink & { readonly named: string })[]
  readonly anchors: readonly string[]
}

interface PageReport extends LinkReport {
  /** Null if the page has a broken link. */
  readonly known: KnownLinks | null
}

/** Temporary names that are left in a page. */
interface Leftovers {
  readonly served: readonly string[]
  readonly skippedScripts: readonly string[]
  readonly unknown: readonly string[]
}

/** What the check reads from a page. Depends only on the page and the public bases. */
export interface CheckedContents extends PageContents {
  readonly leftovers: Leftovers
}

/** Reports show the missing file's path, or the reference as written if it cannot name a file. */
const referenceTo = (name: string): string =>
  name.toLowerCase().includes(temporaryPrefix) ? name : temporaryName(name)

/** A reference without the differences in spelling that browsers ignore in it, or that leftovers are reported without. */
const asRead = (ref: string): string => {
  const text = ref.replace(/[\t\n\r]/g, '')
  return (percentDecoded(text) ?? text).toLowerCase()
}

/** A known part of a page, read beforehand. */
export interface CheckedPart extends KnownPart {
  readonly contents: CheckedContents
}

const noLeftovers: Leftovers = { served: [], skippedScripts: [], unknown: [] }
const hasNone = ({ served, skippedScripts, unknown }: Leftovers): boolean =>
  served.length + skippedScripts.length + unknown.length === 0

/** Reads everything from pages that is checked later. */
export function createContentsReader(publicBases: readonly string[]) {
  const own = ownUrls(publicBases)
  const unknownFiles = dummyNames(new Map())
  const leftoversIn = (html: string): Leftovers => {
    const { missing: served, skippedScripts } = rewriteHtml(html, own)
    return { served, skippedScripts, unknown: rewriteHtml(html, unknownFiles).missing }
  }
  return {
    page: (html: string): CheckedContents => ({ ...pageContents(html), leftovers: leftoversIn(html) }),
    /** The contents of markup for any page with it in the body; null if they depend on the page. */
    part(markup: string): CheckedContents | null {
      const contents = partContents(markup)
      return contents && { ...contents, leftovers: leftoversIn(markup) }
    },
    /** The same as `page`, but reads only what surrounds the part. Null if that could give other contents. */
    pageAround(html: string, part: CheckedPart): CheckedContents | null {
      const framed = framedContents(html, part)
      if (framed === null) return null
      // Labels of leftovers depend on the whole page.
      const isClean = hasNone(part.contents.leftovers) && hasNone(leftoversIn(framed.frame))
      return { ...framed.contents, leftovers: isClean ? noLeftovers : leftoversIn(html) }
    },
  }
}

/** Checks the files of a bundle one by one, then links to anchors on other pages. */
export function createLinkCheck({ onOutside, ...scope }: LinkScope) {
  const contents = createContentsReader(scope.publicBases)
  const judge = createJudge(scope)
  const judgePath = createPathJudge(scope)
  const awaited = createAwaited()
  /** Paths that lead to a file of the bundle. */
  const fine = new Set<string>()

  /** Checks the references of a file: returns the broken ones and the number checked. `from` is the base of relative ones. */
  function judgeAll(page: string, references: readonly Reference[], from: string, places: Places) {
    const broken: BrokenLink[] = []
    const named = new Set<string>()
    const anchored: (AnchorLink & { readonly named: string; readonly path: string })[] = []
    let checked = 0
    for (const reference of references) {
      const { ref, kind, at, element, further = [] } = reference
      // In style sheets and drawings, a bare `#x` refers to a part of the same document.
      if (ref.startsWith('#') && (kind !== 'link' || anchorOf(new URL(ref, from)) === null)) continue
      const verdict = judge(reference, from)
      if (verdict === 'elsewhere' && onOutside === undefined) continue
      const links = [{ at, element }, ...further].map((place) => ({
        page,
        ref,
        place: { ...places(place.at), element: place.element === 'style' ? null : place.element },
      }))
      if (verdict === 'elsewhere') {
        const url = ref === '' ? null : new URL(ref, from)
        if (url?.protocol === 'http:' || url?.protocol === 'https:')
          for (const link of links) onOutside?.({ ...link, url: url.href })
        continue
      }
      checked++
      if (verdict.code !== 'fine') {
        broken.push(...links.map((link) => ({ ...link, reason: verdict })))
        continue
      }
      named.add(verdict.named)
      const anchor = kind === 'link' && ref.includes('#') ? anchorOf(new URL(ref, from)) : null
      if (anchor !== null)
        for (const link of links) anchored.push({ ...link, anchor, named: verdict.named, path: verdict.path })
    }
    for (const { named: _named, path, ...link } of anchored) awaited.add(link, path)
    return { checked, broken, named, anchored }
  }

  return {
    contents: contents.page,
    /** Also searches JSON and other scripts, where only temporary names can be recognized. */
    page(page: string, html: string, read: CheckedContents = contents.page(html)): PageReport {
      const places = createPlaces(html)
      const { references, anchors, base } = read
      const itself = addressOf(page)
      const from = base !== null && URL.canParse(base, itself) ? new URL(base, itself).href : itself
      const { checked, broken, named, anchored } = judgeAll(page, references, from, places)
      const leftovers = leftoversIn(page, html, read.leftovers, places)
      const reported = broken.map(({ ref }) => asRead(ref))
      const further = leftovers.filter(({ ref }) => {
        const text = asRead(ref)
        return !reported.some((each) => each.includes(text))
      })
      const lost = awaited.take(page, anchors)
      const all = checked + further.length
      const isClean = broken.length + further.length === 0 && lost.every((link) => link.page !== page)
      // Anchors of the page itself are known not to be broken.
      const toOthers = anchored.flatMap(({ path, ...link }) => (path === page && link.named === page ? [] : [link]))
      const known = isClean ? { checked: all, named: [...named], anchored: toOthers, anchors } : null
      return { checked: all, broken: [...broken, ...further, ...lost], known }
    },
    /** The same report for a page with these links; null if one of them is broken now. */
    knownPage(page: string, { checked, named, anchored, anchors }: KnownLinks): LinkReport | null {
      for (const path of named) {
        if (fine.has(path)) continue
        const verdict = judgePath(path)
        if (verdict === 'elsewhere' || verdict.code !== 'fine') return null
        fine.add(path)
      }
      for (const { named: to, ...link } of anchored) {
        const verdict = judgePath(to)
        if (verdict !== 'elsewhere' && verdict.code === 'fine') awaited.add(link, verdict.path)
      }
      return { checked, broken: awaited.take(page, anchors) }
    },
    styleSheet(path: string, css: string): LinkReport {
      const { checked, broken } = judgeAll(path, sheetReferences(css), addressOf(path), createPlaces(css))
      return { checked, broken }
    },
    /** Pages to read again: they were checked before another page linked to one of their anchors. */
    awaitedPages: awaited.pages,
    anchors: (path: string, { anchors }: Pick<CheckedContents, 'anchors'>): readonly BrokenLink[] =>
      awaited.take(path, anchors),
  }
}

/** Temporary names that are left in a page, at every place. */
function leftoversIn(page: string, html: string, leftovers: Leftovers, places: Places): readonly BrokenLink[] {
  const { served, skippedScripts, unknown } = leftovers
  const found = (link: Omit<BrokenLink, 'place'>): readonly BrokenLink[] => {
    const all = placesOf(html, link.ref).map((at) => ({ ...link, place: { ...places(at), element: null } }))
    return all.length === 0 ? [link] : all
  }
  return [
    ...served.flatMap((ref) => found({ page, ref, reason: notInBundle })),
    ...skippedScripts.map((ref) => ({ page, ref, reason: { code: 'named_in_script' } as const })),
    ...unknown.map(referenceTo).flatMap((ref) => found({ page, ref, reason: { code: 'never_saved' } })),
  ]
}

/** Links to anchors, by the page that they point to. */
function createAwaited() {
  const awaited = new Map<string, AnchorLink[]>()
  const brokenAnchors = (path: string, anchors: ReadonlySet<string>, links: readonly AnchorLink[]) =>
    links.flatMap(({ anchor, ...link }): readonly BrokenLink[] =>
      anchors.has(anchor) || anchors.has(percentDecoded(anchor) ?? anchor)
        ? []
        : [{ ...link, reason: { code: 'no_anchor', path, anchor: percentDecoded(anchor) ?? anchor } }],
    )

  return {
    add(link: AnchorLink, path: string): void {
      if (!isPage(path)) return
      const links = awaited.get(path) ?? []
      links.push(link)
      awaited.set(path, links)
    },
    /** The broken ones to a page with these anchors. Most links are on the page itself, whose anchors are known. */
    take(path: string, anchors: readonly string[]): readonly BrokenLink[] {
      const waiting = awaited.get(path) ?? []
      awaited.delete(path)
      return brokenAnchors(path, new Set(anchors), waiting)
    },
    pages: (): readonly string[] => [...awaited.keys()],
  }
}

function placesOf(text: string, part: string): readonly number[] {
  const found: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found.push(at)
  return found
}

const isPage = (path: string): boolean => /\.x?html?$/.test(path)

/** The fragment of a URL without a text fragment; null if every page has it. */
function anchorOf({ hash }: URL): string | null {
  const [anchor = ''] = hash.slice(1).split(':~:')
  return anchor === '' || anchor.toLowerCase() === 'top' ? null : anchor
}

type Places = (at: number) => Pick<SourcePosition, 'line' | 'column'>

/** Lines and columns of a text, computed when the first is requested. */
function createPlaces(text: string): Places {
  let starts: readonly number[] | null = null
  return (at) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 }
  }
}
