import type { Edit } from '@galley/wire'
import { applyEdits, repaired } from '@galley/wire'
import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes, Token } from 'parse5'
import { Parser } from 'parse5'

import { escapeText } from './markup.ts'

/** A stored page, prepared for a theme. */
export interface PageParts {
  /** Elements that are copied unchanged into the head of the page. */
  readonly head: readonly string[]
  readonly content: string
  /** Elements that a page of the site cannot contain, such as `base[href]`, each once. */
  readonly leftOut: readonly string[]
}

const mayBeWhole = /<(?:!doctype|\?xml|\/?(?:html|head|body|frameset))\b/i
const structural = new Set(['html', 'head', 'body', 'frameset'])

/**
 * Splits a stored page that is a complete document, so that the theme's document is the only one. The content is what its
 * body contains, or what its frameset has for readers without frames. Elements of its head that change how the content looks
 * or works are kept for the head, and the class, style, language and direction of `html` and `body` for an element around the
 * content. A fragment is returned unchanged.
 */
export function pageParts(stored: string): PageParts {
  if (!mayBeWhole.test(stored)) return fragment(stored)
  const reader = new DocumentReader()
  reader.tokenizer.write(stored, true)
  return reader.tags.length === 0 ? fragment(stored) : partsOf(stored, reader, (content) => content)
}

/** Puts something around the content, which begins with this many elements that a browser moves to the head. */
type Around = (content: string, moved: number) => string

/** The same with something around the content that the body of the stored page has, within an element for its attributes. */
export function markedParts(stored: string, around: Around): PageParts {
  const reader = new DocumentReader()
  reader.tokenizer.write(stored, true)
  if (reader.tags.length > 0) return partsOf(stored, reader, (content) => around(content, 0))
  const { head } = rootOf(reader)
  return fragment(around(stored, head?.childNodes.filter(isElement).length ?? 0))
}

function rootOf(reader: DocumentReader) {
  const html = reader.document.childNodes.find(isElement)
  const child = (name: string) => html?.childNodes.filter(isElement).find(({ tagName }) => tagName === name)
  return { html, head: child('head'), body: child('body'), frameset: child('frameset') }
}

function partsOf(stored: string, reader: DocumentReader, around: (content: string) => string): PageParts {
  const { html, head, body, frameset } = rootOf(reader)
  const edits: Edit[] = reader.tags.map(({ startOffset, endOffset }) => removal(startOffset, endOffset))
  const kept: string[] = []
  const leftOut = new Set<string>()
  for (const element of head?.childNodes ?? []) {
    const place = element.sourceCodeLocation
    if (!isElement(element) || place === undefined || place === null) continue
    edits.push(removal(place.startOffset, place.endOffset))
    const fate = fateOf(element)
    if (fate === 'kept') kept.push(stored.slice(place.startOffset, place.endOffset))
    else if (fate !== 'replaced') leftOut.add(fate)
  }
  if (frameset !== undefined) {
    const inside = pageParts(repaired(withoutFrames(frameset)))
    return { head: kept, content: wrapped(around(inside.content), [html]), leftOut: [...leftOut, 'frameset'] }
  }
  // The tags that are removed may have ended other elements.
  const content = around(repaired(applyEdits(stored, edits)))
  return { head: kept, content: wrapped(content, [html, body]), leftOut: [...leftOut] }
}

const fragment = (content: string): PageParts => ({ head: [], content, leftOut: [] })

/** The markup for readers without frames. */
const withoutFrames = ({ childNodes }: Element): string =>
  childNodes
    .filter(isElement)
    .map((child) => {
      const text = child.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
      return child.tagName === 'noframes' ? text : withoutFrames(child)
    })
    .join('')

/** An edit that removes a range. */
const removal = (start: number, end: number): Edit => ({ start, end, text: '' })

type Element = DefaultTreeAdapterTypes.Element

const isElement = (node: DefaultTreeAdapterTypes.ChildNode): node is Element => 'tagName' in node

const attribute = ({ attrs }: Element, wanted: string): string | null =>
  attrs.find(({ name }) => name === wanted)?.value ?? null

const keptElements: ReadonlySet<string> = new Set(['style', 'script', 'noscript', 'template'])
const keptRelations = /(?:^| )(?:stylesheet|preload|modulepreload|preconnect|dns-prefetch)(?: |$)/
/** Instructions of the author to crawlers and browsers, which are nowhere else in the page. */
const keptNames = /^(?:robots|[a-z]+bot(?:-[a-z]+)?|referrer|theme-color|format-detection|[a-z-]+-verification)$/
/** The theme provides title, encoding, viewport, previews and icons; the description is taken from the page. */
const replacedRelations = /(?:^| )(?:icon|apple-touch-icon|apple-touch-icon-precomposed|mask-icon|manifest)(?: |$)/
const replacedNames = /^(?:viewport|description|generator|(?:og|article|twitter|fb):.*)$/
const replacedPragmas = /^(?:content-type|x-ua-compatible|content-language)$/

/** What happens to an element of a head: left out with its name, unless it is kept or replaced by one of the theme's. */
function fateOf(element: Element): string {
  const { tagName } = element
  if (keptElements.has(tagName)) return 'kept'
  const read = (name: string): string => (attribute(element, name) ?? '').trim().toLowerCase().replace(/\s+/g, ' ')
  if (tagName === 'link') {
    const rel = read('rel')
    if (keptRelations.test(rel)) return 'kept'
    return rel === '' || replacedRelations.test(rel) ? 'replaced' : `link[rel=${rel}]`
  }
  if (tagName === 'meta') {
    const [pragma, name] = [read('http-equiv'), read('name') || read('property')]
    if (pragma !== '') {
      if (pragma === 'refresh') return 'kept'
      return replacedPragmas.test(pragma) ? 'replaced' : `meta[http-equiv=${pragma}]`
    }
    if (keptNames.test(name)) return 'kept'
    return name === '' || replacedNames.test(name) ? 'replaced' : `meta[name=${name}]`
  }
  const [first] = element.attrs
  return tagName === 'title' ? 'replaced' : `${tagName}${first === undefined ? '' : `[${first.name}]`}`
}

function wrapped(content: string, elements: readonly (Element | undefined)[]): string {
  const all = (name: string): readonly string[] =>
    elements.flatMap((element) => (element === undefined ? [] : (attribute(element, name) ?? [])))
  const values = {
    class: all('class').join(' '),
    // The inner element takes precedence.
    style: all('style').join(';'),
    lang: all('lang').at(-1) ?? all('xml:lang').at(-1) ?? '',
    dir: all('dir').at(-1) ?? '',
  }
  const attributes = Object.entries(values).filter(([, value]) => value !== '')
  const written = attributes.map(([name, value]) => ` ${name}="${escapeText(value)}"`)
  return written.length === 0 ? content : `<div${written.join('')}>${content}</div>`
}

/** Builds the tree of a page, and records every tag that a document has only once, even those that the tree omits. */
class DocumentReader extends Parser<DefaultTreeAdapterMap> {
  readonly tags: Token.Location[] = []

  constructor() {
    super({ sourceCodeLocationInfo: true })
  }

  override onDoctype(token: Token.DoctypeToken): void {
    this.#note(token.location)
    super.onDoctype(token)
  }

  override onStartTag(token: Token.TagToken): void {
    if (structural.has(token.tagName)) this.#note(token.location)
    super.onStartTag(token)
  }

  override onEndTag(token: Token.TagToken): void {
    if (structural.has(token.tagName)) this.#note(token.location)
    super.onEndTag(token)
  }

  /** An XML declaration or processing instruction, which only XHTML has. */
  override onComment(token: Token.CommentToken): void {
    if (token.data.startsWith('?')) this.#note(token.location)
    super.onComment(token)
  }

  #note(location: Token.Location | null): void {
    if (location !== null) this.tags.push({ ...location })
  }
}
