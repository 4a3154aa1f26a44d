import type { Edit } from '../edits.ts'

// What a scan of HTML reports, by the parser or without it.

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
  /**
   * Receives edits after which the markup neither ends elements of the document around it nor takes any in. The
   * markup is read as part of that document's body, with or without scripts.
   */
  repair?(edit: Edit): void
}
