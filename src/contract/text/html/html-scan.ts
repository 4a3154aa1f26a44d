import type { Token } from 'parse5'
import { html as markup, Parser, TokenizerMode } from 'parse5'

import type { Shells, WordsReader } from './treeless.ts'
import { treeless } from './treeless.ts'

/** An attribute value as written, without its quotes: `[start, end)` of the page. */
interface AttributeValue {
  /** The name of its element, in lower case. */
  readonly element: string
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The content of a style or script element: `[start, end)` of the page. */
export interface RawText {
  readonly element: 'style' | 'script'
  readonly attributes: ReadonlyMap<string, string>
  readonly start: number
  readonly end: number
  /** Inside SVG the content is ordinary text with entities. */
  readonly isForeign: boolean
}

/** A start tag with its attributes, decoded. */
export interface StartTag {
  readonly element: string
  readonly attributes: ReadonlyMap<string, string>
  /** The offset of an attribute in the page. */
  at(name: string): number
  /** The names of the elements that are open before this tag, the outermost first. */
  path(): readonly string[]
}

export interface HtmlVisitor {
  startTag?(tag: StartTag): void
  attribute?(value: AttributeValue): void
  rawText(content: RawText): void
}

/**
 * Scans a page once, in order. Reports the ranges of attribute values and of the contents of style and script elements to
 * `visitor`, and text to `words`.
 */
export function scanHtml(html: string, visitor: HtmlVisitor | null, words: WordsReader | null = null): void {
  new Scanner(html, visitor, words).tokenizer.write(html, true)
}

/**
 * Uses the parser without a tree: it reports every start tag, including those that a tree would drop, such as a `td` outside
 * a table, and recognizes style and script content. Skips duplicate attributes, which browsers ignore. Without scripting,
 * the content of noscript is parsed as markup.
 */
class Scanner extends Parser<Shells> {
  readonly #html: string
  readonly #visitor: HtmlVisitor | null
  #content: Omit<RawText, 'end'> | null = null
  /** In the head, the parser leaves a noscript at its first word, but browsers with scripting show nothing of it. */
  #isInNoscript = false

  constructor(html: string, visitor: HtmlVisitor | null, words: WordsReader | null) {
    const reader = (): WordsReader | null => (this.#isInNoscript ? null : words)
    super({ sourceCodeLocationInfo: visitor !== null, scriptingEnabled: false, treeAdapter: treeless(reader) })
    this.#html = html
    this.#visitor = visitor
  }

  override onStartTag(token: Token.TagToken): void {
    if (token.tagName === 'noscript') this.#isInNoscript = true
    const { location } = token
    if (location === null) return super.onStartTag(token)
    this.#endContent(location.startOffset)
    const element = token.tagName
    if (this.#visitor?.attribute)
      for (const { name } of token.attrs) {
        const at = location.attrs?.[name]
        const value = at === undefined ? null : attributeValue(this.#html, at.startOffset + name.length)
        if (value !== null) this.#visitor.attribute({ element, name, ...value })
      }
    if (element !== 'style' && element !== 'script' && !this.#visitor?.startTag) return super.onStartTag(token)
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
    this.#endContent(token.location?.startOffset)
    super.onEndTag(token)
    if (token.tagName === 'noscript') this.#isInNoscript = false
  }

  /** A comment inside the style of an SVG splits it. */
  override onComment(token: Token.CommentToken): void {
    const content = this.#content
    this.#endContent(token.location?.startOffset)
    if (content !== null && token.location !== null) this.#content = { ...content, start: token.location.endOffset }
    super.onComment(token)
  }

  /** The parser would look for the place of the text in a tree, word by word. */
  override _insertCharacters(token: Token.CharacterToken): void {
    if (this._shouldFosterParentOnInsertion()) return super._insertCharacters(token)
    this.treeAdapter.insertText(this.openElements.currentTmplContentOrNode, token.chars)
  }

  override onEof(token: Token.EOFToken): void {
    this.#endContent(this.#html.length)
    super.onEof(token)
  }

  #endContent(end: number | undefined): void {
    if (this.#content !== null && end !== undefined) this.#visitor?.rawText({ ...this.#content, end })
    this.#content = null
  }

  #path(): readonly string[] {
    const { items, stackTop } = this.openElements
    return items.slice(0, stackTop + 1).map((item) => item.tagName)
  }

  #contentOf({ tagName, selfClosing }: Token.TagToken): Pick<RawText, 'element' | 'isForeign'> | null {
    if (tagName !== 'style' && tagName !== 'script') return null
    const mode = tagName === 'style' ? TokenizerMode.RAWTEXT : TokenizerMode.SCRIPT_DATA
    if (this.tokenizer.state === mode) return { element: tagName, isForeign: false }
    const { current } = this.openElements
    const isOpen = current?.tagName === tagName && !selfClosing
    return isOpen && current.namespaceURI === markup.NS.SVG ? { element: tagName, isForeign: true } : null
  }
}

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
