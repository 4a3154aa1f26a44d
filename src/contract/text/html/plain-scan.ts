import { html as markup } from 'parse5'

import type { HtmlVisitor, RawText, StartTag } from './html-visitor.ts'
import type { PlainAttribute, PlainToken } from './plain-tokens.ts'
import { plainTokens } from './plain-tokens.ts'
import type { Shell, WordsReader } from './treeless.ts'

/** What reads the markup of a frame: see `scanHtml`. */
export interface PlainVisitor {
  startTag(tag: StartTag): void
  rawText(content: Pick<RawText, 'element' | 'start' | 'end'>): void
}

const mapOf = (attributes: readonly PlainAttribute[]): ReadonlyMap<string, string> =>
  new Map(attributes.map(({ name, value }) => [name, value]))

/**
 * Scans markup as `scanHtml` does, several times faster, if it is plain. Returns false, and reports nothing, where it is not.
 * `placeholder` is the name of one more element, without content. Elements need not be where the parser leaves them.
 */
export function scanPlainHtml(html: string, visitor: PlainVisitor, placeholder: string): boolean {
  const tokens = plainTokens(html, { isWhole: false, placeholder })
  if (tokens === null) return false
  const open: string[] = []
  for (const token of tokens) {
    if (token.kind === 'end') open.pop()
    else if (token.kind === 'raw') {
      const element = open.at(-1)
      if (element === 'style' || element === 'script') visitor.rawText({ element, start: token.start, end: token.end })
    } else if (token.kind === 'start') {
      const { element, attributes } = token
      const at = (name: string): number => attributes.find((each) => each.name === name)?.at ?? token.at
      visitor.startTag({ element, attributes: mapOf(attributes), at, path: () => [...open] })
      if (!token.isVoid) open.push(element)
    }
  }
  return true
}

/** Longer pages would fill memory with their tokens. */
const wholeMaxChars = 512 * 1024

/** Scans a whole page as `scanHtml` does, if it is plain. Returns false, and reports nothing, where it is not. */
export function scanPlainPage(html: string, visitor: HtmlVisitor | null, words: WordsReader | null): boolean {
  const tokens = html.length > wholeMaxChars ? null : plainTokens(html, { isWhole: true })
  if (tokens === null) return false
  if (visitor !== null) reportMarkup(tokens, visitor)
  if (words !== null) reportWords(tokens, words)
  return true
}

function reportMarkup(tokens: readonly PlainToken[], visitor: HtmlVisitor): void {
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'start') continue
    const { element, attributes } = token
    for (const { name, range } of attributes) if (range !== null) visitor.attribute?.({ element, name, ...range })
    const content = tokens[at + 1]
    if (content?.kind !== 'raw' || (element !== 'style' && element !== 'script')) continue
    const { start, end } = content
    visitor.rawText({ element, attributes: mapOf(attributes), start, end, isForeign: false })
  }
}

function reportWords(tokens: readonly PlainToken[], words: WordsReader): void {
  const open: Shell[] = []
  const top = shellOf('#document', [])
  for (const token of tokens) {
    const parent = open.at(-1) ?? top
    if (token.kind === 'start') {
      const { element, attributes } = token
      const shell = { ...shellOf(element, attributes), isUnread: parent.isUnread || words.isUnread(element) }
      words.opened(shell, parent)
      if (!token.isVoid) open.push(shell)
    } else if (token.kind === 'text') words.text(token.text, parent)
    else if (token.kind === 'end') {
      open.pop()
      words.closed(parent)
    }
  }
}

const shellOf = (tagName: string, attributes: readonly PlainAttribute[]): Shell => ({
  tagName,
  namespaceURI: markup.NS.HTML,
  isPlaced: true,
  isUnread: false,
  attrs: attributes.map(({ name, value }) => ({ name, value })),
})
