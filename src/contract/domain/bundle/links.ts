import { percentDecoded } from '../../protocol/public-url.ts'
import { dummyNames } from '../../text/references/finder.ts'
import { rewriteHtml } from '../../text/references/html.ts'
import { temporaryName, temporaryPrefix } from '../../text/references/temporary-name.ts'
import type { BrokenLink, BrokenReason, SourcePosition } from '../broken-link.ts'
import { ownUrls } from './own-urls.ts'
import type { KnownPart, PageContents, Reference } from './page-references.ts'
import { framedContents, pageContents, partContents, referenceKey, sheetReferences } from './page-references.ts'
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

/** The links of a page, for checking them again without reading it. They depend on the page, the base URL and the public bases. */
export interface KnownLinks {
  readonly checked: number
  /** What was broken, for the same report as long as it still is. */
  readonly broken: readonly BrokenReference[]
  /** The base of relative references. */
  readonly from: string
  /** Temporary names. They stay broken. */
  readonly leftovers: readonly BrokenLink[]
  /** The paths of the bundle that references name. */
  readonly named: readonly string[]
  /** Links to anchors, with the path that each names. */
  readonly anchored: readonly (AnchorLink & { readonly named: string })[]
  readonly anchors: readonly string[]
}

/** A reference and its places, in one report each. */
interface BrokenReference extends Pick<Reference, 'ref' | 'kind'> {
  readonly links: readonly BrokenLink[]
}

interface PageReport extends LinkReport {
  readonly known: KnownLinks
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
  /** Its references, which `contents` lacks then. Null if a report may need their places. */
  readonly judged: JudgedPart | null
}

/** The references of a part whose verdicts depend only on which files are in the bundle. */
export interface JudgedPart {
  readonly checked: number
  /** The paths of the bundle that they name. */
  readonly named: readonly string[]
  /** Those that another part of the page would repeat. */
  readonly keys: readonly string[]
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
    pageAround(html: string, part: Omit<CheckedPart, 'judged'>): CheckedContents | null {
      const framed = framedContents(html, part)
      if (framed === null) return null
      // Labels of leftovers depend on the whole page.
      const isClean = hasNone(part.contents.leftovers) && hasNone(leftoversIn(framed.frame))
      return { ...framed.contents, leftovers: isClean ? noLeftovers : leftoversIn(html) }
    },
  }
}

/** Checks single references, and keeps links to anchors until the anchors of their page are known. */
function createReferenceCheck({ onOutside, ...scope }: LinkScope) {
  const judge = createJudge(scope)
  const judgePath = createPathJudge(scope)
  const awaited = createAwaited()
  /** Paths that lead to a file of the bundle. */
  const fine = new Set<string>()

  /** Checks the references of a file: returns the broken ones and the number checked. `from` is the base of relative ones. */
  function judgeAll(
    page: string,
    references: readonly Reference[],
    from: string,
    places: Places,
    tellOutside = onOutside,
  ) {
    const broken: BrokenReference[] = []
    const named = new Set<string>()
    const anchored: (AnchorLink & { readonly named: string; readonly path: string })[] = []
    let checked = 0
    for (const reference of references) {
      const { ref, kind, at, element, further = [] } = reference
      // In style sheets and drawings, a bare `#x` refers to a part of the same document.
      if (ref.startsWith('#') && (kind !== 'link' || anchorOf(new URL(ref, from)) === null)) continue
      const verdict = judge(reference, from)
      if (verdict === 'elsewhere' && tellOutside === undefined) continue
      // Most references need no place, which takes as long as all else of the check.
      const links = () =>
        [{ at, element }, ...further].map((place) => ({
          page,
          ref,
          place: { ...places(place.at), element: place.element === 'style' ? null : place.element },
        }))
      if (verdict === 'elsewhere') {
        const url = ref === '' ? null : new URL(ref, from)
        if (url?.protocol === 'http:' || url?.protocol === 'https:')
          for (const link of links()) tellOutside?.({ ...link, url: url.href })
        continue
      }
      checked++
      if (verdict.code !== 'fine') {
        broken.push({ ref, kind, links: links().map((link) => ({ ...link, reason: verdict })) })
        continue
      }
      named.add(verdict.named)
      const anchor = kind === 'link' && ref.includes('#') ? anchorOf(new URL(ref, from)) : null
      if (anchor !== null)
        for (const link of links()) anchored.push({ ...link, anchor, named: verdict.named, path: verdict.path })
    }
    return { checked, broken, named, anchored }
  }

  /** Checks links to anchors as far as those are known, and keeps the others until their page is checked. */
  function judgeAnchors(page: string, anchored: ReturnType<typeof judgeAll>['anchored'], anchors: readonly string[]) {
    for (const { named: _named, path, ...link } of anchored) awaited.add(link, path)
    const lost = awaited.take(page, anchors)
    // Anchors of the page itself are known not to be broken.
    const isFound = lost.every((link) => link.page !== page)
    const toCheck = anchored.flatMap(({ path, ...link }) =>
      isFound && path === page && link.named === page ? [] : [link],
    )
    return { lost, toCheck }
  }

  /** Whether references are broken as they were. */
  const areBroken = (broken: readonly BrokenReference[], from: string): boolean =>
    broken.every((reference) => JSON.stringify(judge(reference, from)) === JSON.stringify(reference.links[0]?.reason))

  /** Whether the path leads to a file of the bundle. */
  function isFine(path: string): boolean {
    if (fine.has(path)) return true
    const verdict = judgePath(path)
    if (verdict === 'elsewhere' || verdict.code !== 'fine') return false
    fine.add(path)
    return true
  }

  return { judgeAll, judgePath, judgeAnchors, isFine, areBroken, awaited }
}

/** Checks pages whose content is known: it stays the same when the theme changes. */
function createPartCheck(
  { onOutside, publicBases }: LinkScope,
  { judgeAll, judgeAnchors, isFine }: ReturnType<typeof createReferenceCheck>,
) {
  const contents = createContentsReader(publicBases)

  return {
    /** The references of markup that a page has in its body; null if they depend on the rest of the page. */
    part(page: string, markup: string): Pick<CheckedPart, 'contents' | 'judged'> | null {
      const read = contents.part(markup)
      if (read === null || read.base !== null || !hasNone(read.leftovers))
        return read && { contents: read, judged: null }
      const { references } = read
      const { checked, broken, named, anchored } = judgeAll(
        page,
        references,
        addressOf(page),
        createPlaces(markup),
        () => undefined,
      )
      if (broken.length + anchored.length > 0) return { contents: read, judged: null }
      return {
        contents: { ...read, references: [] },
        judged: { checked, named: [...named], keys: references.map(referenceKey) },
      }
    },
    /** The same report as `page` for a page with a judged part, which is not read again; null if anything is broken. */
    pageAround(page: string, html: string, part: CheckedPart): PageReport | null {
      const { judged } = part
      if (judged === null || onOutside !== undefined || !judged.named.every(isFine)) return null
      const around = contents.pageAround(html, part)
      if (around === null || around.base !== null || !hasNone(around.leftovers)) return null
      const keys = new Set(judged.keys)
      const references = around.references.filter((reference) => !keys.has(referenceKey(reference)))
      const from = addressOf(page)
      const { checked, broken, named, anchored } = judgeAll(page, references, from, createPlaces(html))
      if (broken.length > 0) return null
      const { anchors } = around
      const { lost, toCheck } = judgeAnchors(page, anchored, anchors)
      const all = judged.checked + checked
      const names = [...new Set([...judged.named, ...named])]
      const known = { checked: all, broken: [], from, leftovers: [], named: names, anchored: toCheck, anchors }
      return { checked: all, broken: lost, known }
    },
  }
}

/** Checks the files of a bundle one by one, then links to anchors on other pages. */
export function createLinkCheck(scope: LinkScope) {
  const contents = createContentsReader(scope.publicBases)
  const references = createReferenceCheck(scope)
  const { judgeAll, judgePath, judgeAnchors, isFine, areBroken, awaited } = references

  return {
    contents: contents.page,
    /** Also searches JSON and other scripts, where only temporary names can be recognized. */
    page(page: string, html: string, read: CheckedContents = contents.page(html)): PageReport {
      const places = createPlaces(html)
      const { anchors, base } = read
      const itself = addressOf(page)
      const from = base !== null && URL.canParse(base, itself) ? new URL(base, itself).href : itself
      const { checked, broken, named, anchored } = judgeAll(page, read.references, from, places)
      const links = broken.flatMap((reference) => reference.links)
      const reported = links.map(({ ref }) => asRead(ref))
      const leftovers = leftoversIn(page, html, read.leftovers, places).filter(({ ref }) => {
        const text = asRead(ref)
        return !reported.some((each) => each.includes(text))
      })
      const { lost, toCheck } = judgeAnchors(page, anchored, anchors)
      const all = checked + leftovers.length
      const known = { checked: all, broken, from, leftovers, named: [...named], anchored: toCheck, anchors }
      return { checked: all, broken: [...links, ...leftovers, ...lost], known }
    },
    ...createPartCheck(scope, references),
    /** The same report for a page with these links; null if another link is broken now, or one no longer is. */
    knownPage(
      page: string,
      { checked, broken, from, leftovers, named, anchored, anchors }: KnownLinks,
    ): LinkReport | null {
      if (!named.every(isFine) || !areBroken(broken, from)) return null
      for (const { named: to, ...link } of anchored) {
        const verdict = judgePath(to)
        if (verdict !== 'elsewhere' && verdict.code === 'fine') awaited.add(link, verdict.path)
      }
      const links = broken.flatMap((reference) => reference.links)
      return { checked, broken: [...links, ...leftovers, ...awaited.take(page, anchors)] }
    },
    styleSheet(path: string, css: string): LinkReport {
      const { checked, broken } = judgeAll(path, sheetReferences(css), addressOf(path), createPlaces(css))
      return { checked, broken: broken.flatMap(({ links }) => links) }
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
