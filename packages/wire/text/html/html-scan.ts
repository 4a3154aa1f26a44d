import { html as markup, Parser, Token, TokenizerMode } from 'parse5'

import type { Edit } from '../edits.ts'
import { applyEdits } from '../edits.ts'
import type { HtmlVisitor, RawText } from './html-visitor.ts'
import { scanPlainPage } from './plain-scan.ts'
import type { LastToken } from './repair.ts'
import { gap, isStray, repairedEnd } from './repair.ts'
import type { Shells, WordsReader } from './treeless.ts'
import { treeless } from './treeless.ts'

/**
 * Scans a page once, in order. Reports the ranges of attribute values and of the contents of style and script elements to
 * `visitor`, and text to `words`.
 */
export function scanHtml(html: string, visitor: HtmlVisitor | null, words: WordsReader | null = null): void {
  if (visitor?.startTag === undefined && scanPlainPage(html, visitor, words)) return
  parseHtml(html, visitor, words)
}

/** The same with the parser, however plain the page is. */
export function parseHtml(html: string, visitor: HtmlVisitor | null, words: WordsReader | null = null): void {
  new Scanner(html, visitor, words, visitor?.repair !== undefined).tokenizer.write(html, true)
}

/** Repairs markup so that it fits into the body of a document; see `HtmlVisitor`. */
export function repaired(html: string): string {
  const edits: Edit[] = []
  scanHtml(html, { rawText: () => undefined, repair: (edit) => void edits.push(edit) })
  return applyEdits(html, edits)
}

/** The content of an element that is reported, or scanned on its own, when it ends. */
interface Content extends Omit<RawText, 'element' | 'end'> {
  readonly element: RawText['element'] | 'noscript'
}

const hasContent = (name: string): name is Content['element'] =>
  name === 'style' || name === 'script' || name === 'noscript'

/** The visitor for a part of the markup that begins at `offset`. */
const movedBy = (offset: number, visitor: HtmlVisitor): HtmlVisitor => {
  const moved = <Range extends { readonly start: number; readonly end: number }>(range: Range): Range => ({
    ...range,
    start: range.start + offset,
    end: range.end + offset,
  })
  return {
    attribute: (value) => visitor.attribute?.(moved(value)),
    rawText: (content) => visitor.rawText(moved(content)),
    repair: (edit) => visitor.repair?.(moved(edit)),
  }
}

/**
 * Uses the parser without a tree: it reports every start tag, including those that a tree would drop, such as a `td` outside
 * a table, and recognizes style and script content. Skips duplicate attributes, which browsers ignore. The content of
 * noscript is parsed as markup: among the rest, or for repairs on its own, since browsers with scripting see a text there.
 */
class Scanner extends Parser<Shells> {
  readonly #html: string
  readonly #visitor: HtmlVisitor | null
  #content: Content | null = null
  #last: LastToken = { start: 0, end: 0, isComment: false }
  #isAtEnd = false
  /** In the head, the parser ends a noscript at its first word, although browsers with scripting do not show it. */
  #isInNoscript = false

  constructor(html: string, visitor: HtmlVisitor | null, words: WordsReader | null, scriptingEnabled: boolean) {
    const reader = (): WordsReader | null => (this.#isInNoscript ? null : words)
    super({ sourceCodeLocationInfo: visitor !== null, scriptingEnabled, treeAdapter: treeless(reader) })
    this.#html = html
    this.#visitor = visitor
    // Outside a body, the parser reads a noscript or frameset differently than at the place where the markup is
    // inserted.
    if (visitor?.repair) super.onStartTag(bodyTag())
  }

  override onStartTag(token: Token.TagToken): void {
    if (token.tagName === 'noscript') this.#isInNoscript = true
    const { location } = token
    if (location === null) return super.onStartTag(token)
    this.#endContent(location.startOffset)
    this.#note(location)
    const element = token.tagName
    if (this.#visitor?.attribute)
      for (const { name } of token.attrs) {
        const at = location.attrs?.[name]
        const value = at === undefined ? null : attributeValue(this.#html, at.startOffset + name.length)
        if (value !== null) this.#visitor.attribute({ element, name, ...value })
      }
    if (!hasContent(element) && !this.#visitor?.startTag) return super.onStartTag(token)
    // The parser renames attributes of SVG elements, so they are copied before. It determines the content type, which is
    // read after.
    const attributes = new Map(token.attrs.map(({ name, value }) => [name, value]))
    const at = (name: string): number => location.attrs?.[name]?.startOffset ?? location.startOffset
    this.#visitor?.startTag?.({ element, attributes, at, path: () => this.#path() })
    super.onStartTag(token)
    const kind = this.#contentOf(token)
    if (kind !== null) this.#content = { ...kind, attributes, start: location.endOffset }
  }

  override onEndTag(token: Token.TagToken): void {
    const { location, tagName } = token
    this.#endContent(location?.startOffset)
    this.#note(location)
    if (location !== null && this.#visitor?.repair && isStray(tagName, this))
      this.#visitor.repair({ start: location.startOffset, end: location.endOffset, text: gap })
    super.onEndTag(token)
    if (token.tagName === 'noscript') this.#isInNoscript = false
  }

  /** A comment inside the style of an SVG splits it. */
  override onComment(token: Token.CommentToken): void {
    const content = this.#content
    this.#endContent(token.location?.startOffset)
    this.#note(token.location, true)
    if (content !== null && token.location !== null) this.#content = { ...content, start: token.location.endOffset }
    super.onComment(token)
  }

  /** The parser would look for the place of the text in a tree, word by word. */
  override _insertCharacters(token: Token.CharacterToken): void {
    if (this._shouldFosterParentOnInsertion()) return super._insertCharacters(token)
    this.treeAdapter.insertText(this.openElements.currentTmplContentOrNode, token.chars)
  }

  override onEof(token: Token.EOFToken): void {
    if (this.#content?.element !== 'noscript') this.#endContent(this.#html.length)
    // The parser calls this again for each open element of some kinds.
    const mended = this.#visitor?.repair && !this.#isAtEnd ? repairedEnd(this.#html, this.#last, this) : null
    this.#isAtEnd = true
    if (mended !== null) this.#visitor?.repair?.(mended)
    super.onEof(token)
  }

  #note(location: Token.Location | null, isComment = false): void {
    if (location !== null) this.#last = { start: location.startOffset, end: location.endOffset, isComment }
  }

  #endContent(end: number | undefined): void {
    const content = this.#content
    this.#content = null
    if (content === null || end === undefined || this.#visitor === null) return
    const { element, start } = content
    if (element !== 'noscript') return this.#visitor.rawText({ ...content, element, end })
    const part = this.#html.slice(start, end)
    new Scanner(part, movedBy(start, this.#visitor), null, false).tokenizer.write(part, true)
  }

  #path(): readonly string[] {
    const { items, stackTop } = this.openElements
    return items.slice(0, stackTop + 1).map((item) => item.tagName)
  }

  #contentOf({ tagName, selfClosing }: Token.TagToken): Pick<Content, 'element' | 'isForeign'> | null {
    if (!hasContent(tagName)) return null
    const mode = tagName === 'script' ? TokenizerMode.SCRIPT_DATA : TokenizerMode.RAWTEXT
    if (this.tokenizer.state === mode) return { element: tagName, isForeign: false }
    if (tagName === 'noscript') return null
    const { current } = this.openElements
    const isOpen = current?.tagName === tagName && !selfClosing
    return isOpen && current.namespaceURI === markup.NS.SVG ? { element: tagName, isForeign: true } : null
  }
}

/** A tag that is not in the markup. */
const bodyTag = (): Token.TagToken => ({
  type: Token.TokenType.START_TAG,
  tagName: 'body',
  tagID: markup.TAG_ID.BODY,
  attrs: [],
  location: null,
  selfClosing: false,
  ackSelfClosing: false,
})

const equals = /[ \t\r\n\f]*=[ \t\r\n\f]*/y
const unquoted = /[^ \t\r\n\f>]*/y

/** The value after the attribute name that ends at `at` (HTML 13.2.5.33 to .38), or null if it has none. */
function attributeValue(html: string, at: number): { readonly start: number; readonly end: number } | null {
  equals.lastIndex = at
  if (!equals.test(html)) return null
  const start = equals.lastIndex
  const quote = html[start]
  if (quote === '"' || quote === "'") return { start: start + 1, end: html.indexOf(quote, start + 1) }
  unquoted.lastIndex = start
  unquoted.test(html)
  return { start, end: unquoted.lastIndex }
}
