import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes, Token } from 'parse5'
import { Parser } from 'parse5'

import type { Edit } from '../../../text/edits.ts'
import { applyEdits } from '../../../text/edits.ts'
import { escapeText } from './markup.ts'

/** A stored page as it goes into a theme. */
export interface PageParts {
  /** Elements that go into the head of the page as they are. */
  readonly head: readonly string[]
  readonly content: string
}

const mayBeWhole = /<(?:!doctype|\/?(?:html|head|body))\b/i
const structural = new Set(['html', 'head', 'body'])

/**
 * Takes a stored page apart that is a document of its own, so that the theme's document is the only one: what stands in
 * its body is the content, what of its head changes how the content looks or works goes into the head, and the body's
 * own attributes of its look go to an element around the content. A fragment comes back as the same string.
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
  return { head: kept, content: wrapped(applyEdits(stored, edits), body) }
}

/** An edit that leaves a range out. */
const removal = (start: number, end: number): Edit => ({ start, end, text: '' })

type Element = DefaultTreeAdapterTypes.Element

const isElement = (node: DefaultTreeAdapterTypes.ChildNode): node is Element => 'tagName' in node

const attribute = ({ attrs }: Element, wanted: string): string | null =>
  attrs.find(({ name }) => name === wanted)?.value ?? null

/** What the theme says itself (title, encoding, viewport, address, previews, icons) stays behind. */
function matters(element: Element): boolean {
  if (element.tagName !== 'link') return ['style', 'script', 'noscript', 'template'].includes(element.tagName)
  const rel = (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/)
  return rel.includes('stylesheet') || rel.includes('preload') || rel.includes('modulepreload')
}

const lookAttributes = ['class', 'style', 'lang', 'dir']

function wrapped(content: string, body: Element | undefined): string {
  const attributes = lookAttributes.flatMap((name) => {
    const value = body === undefined ? null : attribute(body, name)
    return value === null ? [] : [` ${name}="${escapeText(value)}"`]
  })
  return attributes.length === 0 ? content : `<div${attributes.join('')}>${content}</div>`
}

/** Builds the tree of a page, and notes every tag that a document has once, also those that a tree leaves out. */
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
