import {
  behindBase,
  decodedView,
  entities as createEntities,
  framesMax,
  harvestCss,
  plainView,
  refreshTarget,
  scanHtml,
  scanPlainHtml,
} from '@galley/wire'
import type { PlainVisitor, StartTag, View } from '@galley/wire'

import { materialOf } from './page-links.ts'

/** One address in a page or style sheet. */
export interface Reference {
  /** Decoded. */
  readonly ref: string
  /** `link`: followed by readers; `load`: loaded with the page; `lazy`: loaded by a script, if at all. */
  readonly kind: 'link' | 'load' | 'lazy'
  /** The position in the text. */
  readonly at: number
  /** The element and attribute, such as `a[href]`. */
  readonly element: string
  /** Further places of the same address; absent if there are none. */
  readonly further?: readonly Pick<Reference, 'at' | 'element'>[]
}

/** What the link check reads from a page. */
export interface PageContents {
  /** Each once, in order of appearance. */
  readonly references: readonly Reference[]
  /** The names that a fragment can refer to. */
  readonly anchors: readonly string[]
  /** The first `base`, which relative addresses of the page are resolved against. */
  readonly base: string | null
}

/** Attributes with one address of a resource that the page shows. */
const loaded = new Set(['src', 'poster', 'data', 'background'])
/** The elements on which browsers take these attributes for addresses. On others they are read by scripts, or by nothing. */
const loadedBy: Readonly<Record<string, ReadonlySet<string>>> = {
  data: new Set(['object']),
  background: new Set('body table thead tbody tfoot tr td th'.split(' ')),
}
const followed = new Set(['action', 'formaction'])
const cited = new Set(['cite', 'longdesc'])
/** Attributes with a list of images and sizes. */
const listed = new Set(['srcset', 'imagesrcset'])
/** Attributes that scripts use to load images late. */
const lazy = /^data-(?:lazy-?)?(?:(?:original-)?src|original|poster)$/
/** Such attributes that may also contain plain words, such as a colour. */
const lazyBackground = /^data-(?:lazy-?)?(?:bg|background|background-image)$/
const lazyListed = /^data-(?:lazy-?)?srcset$/
/** Parts of the names that other scripts use, such as `data-flickity-lazyload` and `data-image-src`. They have many kinds of values. */
const lazyParts = new Set('src srcset lazy lazyload image img original poster bg background'.split(' '))
const isLazyPerhaps = (name: string): boolean =>
  name.startsWith('data-') && name.length < 100 && name.split('-').some((part) => lazyParts.has(part))
const absolute = /^(?:https?:)?\/\/[^\s/]/i
/** Elements that show nothing without their `src`. */
const needsSource = new Set('img script source audio video embed track input iframe'.split(' '))
const followedRelations = /\b(?:alternate|canonical|next|prev|author|license|help|search|me|shortlink)\b/i

/** A path or a file name with an extension. Anything else in a custom attribute is likely a word. */
const looksLikeAddress = (value: string): boolean => /[\\/]|\.[a-z0-9]{2,5}(?:[?#]|$)/i.test(value)

/** Markup with known contents that a page contains in one place. */
export interface KnownPart {
  readonly markup: string
  readonly contents: PageContents
}

/** The placeholder of a known part; any element that browsers do not know works. */
const partElement = 'galley-part'
const partTag = `<${partElement}>`
/** Whether a frameset replaces the body depends on the markup before it. */
const isUnfitForParts = (html: string): boolean => /<(?:galley-part|frameset)\b/i.test(html)
/** Inside these elements, the parser reads markup as it does directly in the body. */
const plainElements = new Set('html body div main article section header footer aside nav span figure'.split(' '))

const isPlainPath = (path: readonly string[]): boolean =>
  path.includes('body') && path.every((name) => plainElements.has(name))

/**
 * The contents of markup that are the same in the body of any page. Null if elements or comments in it may stay
 * open and change how the rest of the page is parsed.
 */
export function partContents(markup: string): PageContents | null {
  // The tag would continue what a `<` at the end starts.
  if (markup.endsWith('<')) return null
  const start = '<html><body>'
  let isClosed = false
  const contents = readFast(`${start}${markup}${partTag}`, ({ element, path }) => {
    if (element === partElement) isClosed = path().join(' ') === 'html body'
    return null
  })
  const moved = contents.references.map((reference) => movedBy(reference, -start.length))
  return isClosed ? { ...contents, references: moved } : null
}

/** A page with a known part: its contents, and its markup without the part. */
interface FramedPage {
  readonly contents: PageContents
  readonly frame: string
}

/** Parses only the rest of a page with a known part. Null if the result could differ from that for the whole page. */
export function framedContents(html: string, part: KnownPart): FramedPage | null {
  const start = html.indexOf(part.markup)
  if (start < 1 || !/[\s>]/.test(html[start - 1] ?? '') || isUnfitForParts(html)) return null
  const end = start + part.markup.length
  let isRead = false
  const frame = `${html.slice(0, start)}${partTag}${html.slice(end)}`
  const contents = readFast(frame, ({ element, path }) => {
    if (element !== partElement) return null
    isRead = isPlainPath(path())
    return { part, start }
  })
  return isRead ? { contents, frame } : null
}

/**
 * Every address that a browser would follow or load from a page, its anchors and its base. Includes the content of templates
 * and of noscript, but not scripts, since their use of a text is unknown. Passes every start tag to `onTag`, some of them twice.
 */
export const pageContents = (html: string, onTag: (tag: StartTag) => void = () => undefined): PageContents =>
  readFast(html, (tag) => {
    onTag(tag)
    return null
  })

/** A known part in place of a tag. */
interface PlacedPart {
  readonly part: KnownPart
  readonly start: number
}

type PartAt = (tag: StartTag) => PlacedPart | null

function readParsed(html: string, partAt: PartAt, depth = 0): PageContents {
  const { visitor, read } = createReader(html, partAt, depth)
  scanHtml(html, visitor)
  return read()
}

/** Reads markup with the parser only if nothing faster can. */
function readFast(html: string, partAt: PartAt): PageContents {
  const { visitor, read } = createReader(html, partAt)
  return scanPlainHtml(html, visitor, partElement) ? read() : readParsed(html, partAt)
}

/** `depth`: how many frames the markup is in. */
function createReader(html: string, partAt: PartAt, depth = 0) {
  const references = createCollection()
  const anchors = new Set<string>()
  const bases: string[] = []
  /** The offset of the text after a known part from its position in `html`. */
  let shift = 0
  const add = (reference: Reference): void => references.add(shift === 0 ? reference : movedBy(reference, shift))
  const addPart = ({ part: { markup, contents }, start }: PlacedPart): void => {
    for (const reference of contents.references) add(movedBy(reference, start))
    for (const anchor of contents.anchors) anchors.add(anchor)
    if (contents.base !== null) bases.push(contents.base)
    shift += markup.length - partTag.length
  }
  const startTag = (tag: StartTag): void => {
    const placed = partAt(tag)
    if (placed !== null) return addPart(placed)
    const { element, attributes, at } = tag
    const id = attributes.get('id')
    if (id !== undefined && id !== '') anchors.add(id)
    const name = element === 'a' ? attributes.get('name') : undefined
    if (name !== undefined && name !== '') anchors.add(name)
    const href = attributes.get('href')
    if (element === 'base') return href === undefined ? undefined : void bases.push(href.trim())
    for (const [attribute, value] of attributes) {
      const isFrame = element === 'iframe' && attribute === 'srcdoc'
      const found = isFrame ? framedReferences(value, depth) : inAttribute(element, attribute, value, attributes)
      for (const { kind, ref, offset = 0 } of found)
        add({ kind, ref, at: at(attribute) + offset, element: `${element}[${attribute}]` })
    }
  }
  const rawText = ({ element, start, end, isForeign }: Parameters<PlainVisitor['rawText']>[0]): void => {
    if (element !== 'style') return
    const raw = plainView(html, start, end)
    for (const { ref, at } of referencesIn(isForeign === true ? decodedView(raw, createEntities()) : raw))
      add({ kind: 'load', ref, at, element })
  }
  return {
    visitor: { startTag, rawText },
    read: (): PageContents => ({
      references: references.read(),
      anchors: [...anchors],
      base: bases[0] ?? null,
    }),
  }
}

const movedBy = (reference: Reference, by: number): Reference => ({
  ...reference,
  at: reference.at + by,
  ...(reference.further && { further: reference.further.map((place) => ({ ...place, at: place.at + by })) }),
})

/** Equal for references that count once. */
export const referenceKey = ({ kind, ref }: Pick<Reference, 'kind' | 'ref'>): string => `${kind} ${ref}`

/** Collects references: the same address counts once, with all its places. */
function createCollection() {
  const found = new Map<string, { readonly first: Reference; readonly further: Pick<Reference, 'at' | 'element'>[] }>()
  return {
    add({ further = [], ...reference }: Reference): void {
      const key = referenceKey(reference)
      const known = found.get(key)
      if (known === undefined) found.set(key, { first: reference, further: [...further] })
      else known.further.push({ at: reference.at, element: reference.element }, ...further)
    },
    read: (): readonly Reference[] =>
      [...found.values()].map(({ first, further }) => (further.length === 0 ? first : { ...first, further })),
  }
}

/** The references of a style sheet. */
export function sheetReferences(css: string): readonly Reference[] {
  const references = createCollection()
  for (const { ref, at } of cssReferences(css)) references.add({ kind: 'load', ref, at, element: 'style' })
  return references.read()
}

type InAttribute = readonly (Pick<Reference, 'ref' | 'kind'> & { readonly offset?: number })[]

function inAttribute(
  element: string,
  name: string,
  value: string,
  attributes: ReadonlyMap<string, string>,
): InAttribute {
  const ref = value.trim()
  if (name === 'href' || name === 'xlink:href') return [{ ref, kind: hrefKind(element, attributes) }]
  if (loaded.has(name)) {
    const isRead = element.includes('-') ? looksLikeAddress(ref) : (loadedBy[name]?.has(element) ?? true)
    return !isRead || (ref === '' && !needsSource.has(element)) ? [] : [{ ref, kind: 'load' }]
  }
  if (followed.has(name)) return [{ ref, kind: 'link' }]
  // Often the name of a book, where an address belongs.
  if (cited.has(name)) return materialOf(ref) === null ? [] : [{ ref, kind: 'link' }]
  if (listed.has(name)) return sourceSet(value).map((url) => ({ ref: url, kind: 'load' }))
  if (lazyListed.test(name)) return sourceSet(value).map((url) => ({ ref: url, kind: 'lazy' }))
  if (name === 'style') return cssReferences(value).map((found) => ({ ref: found.ref, kind: 'load' }))
  if (lazy.test(name)) return ref === '' ? [] : [{ ref, kind: 'lazy' }]
  if (lazyBackground.test(name)) return backgroundReferences(ref)
  if (isLazyPerhaps(name) && absolute.test(ref)) return sourceSet(value).map((url) => ({ ref: url, kind: 'lazy' }))
  if (element === 'meta' && name === 'content' && /^\s*refresh\s*$/i.test(attributes.get('http-equiv') ?? '')) {
    const target = refreshTarget(value)
    return target === null ? [] : [{ ref: value.slice(target.start, target.end), kind: 'link' }]
  }
  return []
}

/** The addresses in the page of a frame, and in its frames, as the page around it resolves them. */
function framedReferences(srcdoc: string, depth: number): InAttribute {
  if (depth === framesMax) return []
  const { references, base } = readParsed(srcdoc, () => null, depth + 1)
  // Positions in the frame are not positions in the page.
  return references
    .filter(({ ref }) => !ref.startsWith('#'))
    .map(({ ref, kind }) => ({ ref: base === null ? ref : behindBase(base, ref), kind }))
}

function hrefKind(element: string, attributes: ReadonlyMap<string, string>): Reference['kind'] {
  if (element === 'a' || element === 'area') return 'link'
  return element === 'link' && followedRelations.test(attributes.get('rel') ?? '') ? 'link' : 'load'
}

/** The value is an address, or CSS with an address. */
function backgroundReferences(value: string): InAttribute {
  if (/\burl\(/i.test(value)) return cssReferences(value).map(({ ref }) => ({ ref, kind: 'lazy' }))
  return looksLikeAddress(value) ? [{ ref: value, kind: 'lazy' }] : []
}

/** Every address in a style sheet, decoded, and its position. */
export const cssReferences = (css: string): readonly Pick<Reference, 'ref' | 'at'>[] => referencesIn(plainView(css))

function referencesIn(css: View): readonly Pick<Reference, 'ref' | 'at'>[] {
  const found: Pick<Reference, 'ref' | 'at'>[] = []
  harvestCss(css, {
    visit(views) {
      const [view] = views
      if (view === undefined) return
      // A string of a custom property is a word, unless it can be nothing else.
      if (views.every(({ kind: place }) => place !== 'address') && !/^\s*(?:https?:)?\/\//i.test(view.text)) return
      // The range may still contain the white space, quote and parenthesis after the address.
      const ref = view.text.replace(/^[\s"']+|[\s"')]+$/g, '')
      if (ref !== '') found.push({ ref, at: view.rawStart(0) })
    },
  })
  return found
}

/** The addresses of a srcset (HTML, "parse a srcset attribute"). They may contain commas, but not end with one. */
function sourceSet(value: string): readonly string[] {
  const urls: string[] = []
  const candidate = /[\s,]*(\S+)/y
  for (let match = candidate.exec(value); match !== null; match = candidate.exec(value)) {
    const [, run = ''] = match
    const url = run.replace(/,+$/, '')
    if (url !== '') urls.push(url)
    if (run !== url) continue
    const comma = value.indexOf(',', candidate.lastIndex)
    if (comma === -1) break
    candidate.lastIndex = comma
  }
  return urls
}
