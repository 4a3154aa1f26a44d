import type { BrokenLink, SourcePosition } from '@galley/library/records'
import { percentDecoded } from '@galley/wire'

import type { Reference } from './page-references.ts'
import type { VerdictScope } from './verdict.ts'
import { createJudge, createPathJudge } from './verdict.ts'

/** A reference to another site. */
export interface OutsideLink extends Omit<BrokenLink, 'reason'> {
  readonly url: string
}

/** What references are checked against, and the receiver of outside links. */
export interface LinkScope extends VerdictScope {
  readonly onOutside?: (link: OutsideLink) => void
}

/** A link to an anchor, kept until the ids of its page are known. */
export interface AnchorLink extends Omit<BrokenLink, 'reason'> {
  readonly anchor: string
}

/** A reference, with one link for each of its places. */
export interface BrokenReference extends Pick<Reference, 'ref' | 'kind'> {
  readonly links: readonly BrokenLink[]
}

/** Checks single references, and keeps links to anchors until the anchors of their page are known. */
export function createReferenceCheck({ onOutside, ...scope }: LinkScope) {
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

const isPage = (path: string): boolean => /\.x?html?$/.test(path)

/** The fragment of a URL without a text fragment; null if every page has it. */
function anchorOf({ hash }: URL): string | null {
  const [anchor = ''] = hash.slice(1).split(':~:')
  return anchor === '' || anchor.toLowerCase() === 'top' ? null : anchor
}

export type Places = (at: number) => Pick<SourcePosition, 'line' | 'column'>

/** Lines and columns of a text, computed when the first is requested. */
export function createPlaces(text: string): Places {
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
