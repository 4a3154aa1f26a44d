import type { BrokenLink, BrokenReason, LinkReport } from '@galley/library/records'
import { dummyNames, percentDecoded, rewriteHtml, temporaryName, temporaryPrefix } from '@galley/wire'

import { ownUrls } from './own-urls.ts'
import type { KnownPart, PageContents } from './page-references.ts'
import { framedContents, pageContents, partContents, referenceKey, sheetReferences } from './page-references.ts'
import type { AnchorLink, BrokenReference, LinkScope, Places } from './reference-check.ts'
import { createPlaces, createReferenceCheck } from './reference-check.ts'
import { addressOf } from './verdict.ts'

/** How many broken references a report names: of one file, and in all. More would fill the memory. */
const namedOfFile = 1_000
const namedInAll = 10_000

/** Adds up the reports of files. Further broken references than it names are counted. */
export function createLinkCount() {
  const broken: BrokenLink[] = []
  let [checked, all] = [0, 0]
  return {
    add(report: Pick<LinkReport, 'checked' | 'broken'>): void {
      checked += report.checked
      all += report.broken.length
      const room = Math.min(namedOfFile, namedInAll - broken.length)
      for (const link of report.broken.slice(0, room)) broken.push(link)
    },
    read: (): LinkReport => ({ checked, broken, ...(all > broken.length && { more: all - broken.length }) }),
  }
}

const notInBundle: BrokenReason = { code: 'not_in_bundle' }

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

/** A reference in one spelling, for comparing it with a leftover: decoded, in lower case, and without line breaks. */
const asRead = (ref: string): string => {
  const text = ref.replace(/[\t\n\r]/g, '')
  return (percentDecoded(text) ?? text).toLowerCase()
}

/** A known part of a page, read beforehand. */
export interface CheckedPart extends KnownPart {
  readonly contents: CheckedContents
  /** Its references; `contents` then has none. Null if a report may need their places. */
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
      const isReported = withinAny(links.map(({ ref }) => asRead(ref)))
      const leftovers = leftoversIn(page, html, read.leftovers, places).filter(({ ref }) => !isReported(asRead(ref)))
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

/** Whether a text is one of these, or a part of one. A page may have so many that only the first are looked for in all. */
function withinAny(texts: readonly string[]): (text: string) => boolean {
  const whole = new Set(texts)
  const all = texts.join('\n')
  let searches = 0
  return (text) => whole.has(text) || (searches++ < namedOfFile && all.includes(text))
}

/** Temporary names that are left in a page, at every place. The places are looked for as far as they are named. */
function leftoversIn(page: string, html: string, leftovers: Leftovers, places: Places): readonly BrokenLink[] {
  const { served, skippedScripts, unknown } = leftovers
  let searches = 0
  const found = (link: Omit<BrokenLink, 'place'>): readonly BrokenLink[] => {
    if (searches++ >= namedOfFile) return [link]
    const all = placesOf(html, link.ref).map((at) => ({ ...link, place: { ...places(at), element: null } }))
    return all.length === 0 ? [link] : all
  }
  return [
    ...served.flatMap((ref) => found({ page, ref, reason: notInBundle })),
    ...skippedScripts.map((ref) => ({ page, ref, reason: { code: 'named_in_script' } as const })),
    ...unknown.map(referenceTo).flatMap((ref) => found({ page, ref, reason: { code: 'never_saved' } })),
  ]
}

function placesOf(text: string, part: string): readonly number[] {
  const found: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found.push(at)
  return found
}
