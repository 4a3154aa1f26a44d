import { html as markup } from 'parse5'

import type { HtmlVisitor, RawText, StartTag } from './html-visitor.ts'
import type { PlainAttribute, PlainOptions, PlainToken } from './plain-tokens.ts'
import { decoded, splitPlain } from './plain-tokens.ts'
import type { Shell, WordsReader } from './treeless.ts'

/** The scanner for the markup of a frame: see `scanHtml`. */
export interface PlainVisitor {
  startTag(tag: StartTag): void
  rawText(content: Pick<RawText, 'element' | 'start' | 'end'> & Partial<Pick<RawText, 'isForeign'>>): void
}

const mapOf = (attributes: readonly PlainAttribute[]): ReadonlyMap<string, string> =>
  new Map(attributes.map(({ name, value }) => [name, decoded(value)]))

/**
 * Scans markup as `scanHtml` does, several times faster, if it is plain. Returns false, and reports nothing, where it is not.
 * `placeholder` is the name of one more element, without content. Elements need not be where the parser leaves them.
 */
export function scanPlainHtml(html: string, visitor: PlainVisitor, placeholder: string): boolean {
  const open: string[] = []
  return passPlain(html, { isWhole: false, placeholder }, (token) => {
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
  })
}

/** Scans a whole page as `scanHtml` does, if it is plain. Returns false, and reports nothing, where it is not. */
export function scanPlainPage(html: string, visitor: HtmlVisitor | null, words: WordsReader | null): boolean {
  const takeMarkup = visitor && markupReporter(visitor)
  const takeWords = words && wordsReporter(words)
  return passPlain(html, { isWhole: true }, (token) => {
    takeMarkup?.(token)
    takeWords?.(token)
  })
}

/** The tokens of longer pages would fill memory: these pages are split once to see that they are plain, and once more. */
const keptMaxChars = 512 * 1024

/** Passes the tokens to `take` once the whole page is known to be plain. Returns false, and passes none, where it is not. */
function passPlain(html: string, options: PlainOptions, take: (token: PlainToken) => void): boolean {
  if (html.length > keptMaxChars) return splitPlain(html, options, () => undefined) && splitPlain(html, options, take)
  const tokens: PlainToken[] = []
  if (!splitPlain(html, options, (token) => void tokens.push(token))) return false
  for (const token of tokens) take(token)
  return true
}

function markupReporter(visitor: HtmlVisitor): (token: PlainToken) => void {
  let attributes: readonly PlainAttribute[] = []
  let element = ''
  return (token) => {
    if (token.kind === 'start') {
      ;({ element, attributes } = token)
      for (const { name, range } of attributes) if (range !== null) visitor.attribute?.({ element, name, ...range })
    } else if (token.kind === 'raw' && (element === 'style' || element === 'script')) {
      const { start, end } = token
      visitor.rawText({ element, attributes: mapOf(attributes), start, end, isForeign: false })
    }
  }
}

function wordsReporter(words: WordsReader): (token: PlainToken) => void {
  const open: Shell[] = []
  const top = new PlainShell('#document', [], false)
  return (token) => {
    const parent = open.at(-1) ?? top
    if (token.kind === 'start') {
      const { element, attributes } = token
      const shell = new PlainShell(element, attributes, parent.isUnread || words.isUnread(element))
      words.opened(shell, parent)
      if (!token.isVoid) open.push(shell)
    } else if (token.kind === 'text') words.text(decoded(token.text), parent)
    else if (token.kind === 'end') {
      open.pop()
      words.closed(parent)
    }
  }
}

/** An element of a plain page. A class, because a page has hundreds of thousands, and readers look at few attributes. */
class PlainShell implements Shell {
  readonly namespaceURI = markup.NS.HTML
  isPlaced = true
  readonly tagName: string
  isUnread: boolean
  readonly #attributes: readonly PlainAttribute[]

  constructor(tagName: string, attributes: readonly PlainAttribute[], isUnread: boolean) {
    this.tagName = tagName
    this.isUnread = isUnread
    this.#attributes = attributes
  }
  get attrs(): Shell['attrs'] {
    return this.#attributes.map(({ name, value }) => ({ name, value: decoded(value) }))
  }
}
