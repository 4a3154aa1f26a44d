import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes, Token } from 'parse5'
import { Parser } from 'parse5'

import type { Edit } from '../../../text/edits.ts'
import { applyEdits } from '../../../text/edits.ts'
import { mended } from '../../../text/html/html-scan.ts'
import { escapeText } from './markup.ts'

/** A stored page, prepared for a theme. */
export interface PageParts {
  /** Elements that are copied unchanged into the head of the page. */
  readonly head: readonly string[]
  readonly content: string
}

const mayBeWhole = /<(?:!doctype|\/?(?:html|head|body))\b/i
const structural = new Set(['html', 'head', 'body'])

/**
 * Splits a stored page that is a complete document, so that the theme's document is the only one. The content is what its
 * body contains. Elements of its head that change how the content looks or works are kept for the head, and the class, style,
 * language and direction of `html` and `body` for an element around the content. A fragment is returned unchanged.
 */
export function pageParts(stored: string): PageParts {
  if (!mayBeWhole.test(stored)) return { head: [], content: stored }
  const reader = new DocumentReader()
  reader.tokenizer.write(stored, true)
  if (reader.tags.length === 0) return { head: [], content: stored }

  const html = reader.document.childNodes.find(isElement)
  const head = html?.childNodes.filter(isElement).find(({ tagName }) => tagName === 'head')
  const body = html?.childNodes.filter(isElement).find(({ tagName }) => tagName === 'body')
  const edits: Edit[] = reader.tags.map(({ startOffset, endOffset }) => removal(startOffset, endOffset))
  const kept: string[] = []
  for (const child of head?.childNodes ?? []) {
    const place = child.sourceCodeLocation
    if (!isElement(child) || place === undefined || place === null) continue
    edits.push(removal(place.startOffset, place.endOffset))
    if (matters(child)) kept.push(stored.slice(place.startOffset, place.endOffset))
  }
  // The tags that are removed may have ended other elements.
  return { head: kept, content: wrapped(mended(applyEdits(stored, edits)), [html, body]) }
}

/** An edit that removes a range. */
const removal = (start: number, end: number): Edit => ({ start, end, text: '' })

type Element = DefaultTreeAdapterTypes.Element

const isElement = (node: DefaultTreeAdapterTypes.ChildNode): node is Element => 'tagName' in node

const attribute = ({ attrs }: Element, wanted: string): string | null =>
  attrs.find(({ name }) => name === wanted)?.value ?? null

/** The theme itself provides title, encoding, viewport, address, previews and icons, so those are dropped. */
function matters(element: Element): boolean {
  if (element.tagName !== 'link') return ['style', 'script', 'noscript', 'template'].includes(element.tagName)
  const rel = (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/)
  return rel.includes('stylesheet') || rel.includes('preload') || rel.includes('modulepreload')
}

function wrapped(content: string, elements: readonly (Element | undefined)[]): string {
  const all = (name: string): readonly string[] =>
    elements.flatMap((element) => (element === undefined ? [] : (attribute(element, name) ?? [])))
  const values = {
    class: all('class').join(' '),
    // The inner element takes precedence.
    style: all('style').join(';'),
    lang: all('lang').at(-1) ?? '',
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

  #note(location: Token.Location | null): void {
    if (location !== null) this.tags.push({ ...location })
  }
}
