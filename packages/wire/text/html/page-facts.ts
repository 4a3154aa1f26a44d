import type { Token } from 'parse5'

import { createText } from './page-text.ts'
import { inline, unread } from './text-elements.ts'
import type { Shell, WordsReader } from './treeless.ts'

/** The length read of a paragraph: longer than any excerpt. */
const readChars = 400

const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Defaults for publishing settings, from the content of a page. */
export interface PageFacts {
  /**
   * Plain text: the page's meta description, otherwise the first paragraph with words, otherwise the first words that
   * are not a heading.
   */
  readonly opening: string
  /** The addresses of its first pictures as written, decoded, in order. */
  readonly pictures: readonly string[]
  /** The first `lang` attribute before any words. */
  readonly language: string | null
  /** Whether the page asks search engines to leave it out. */
  readonly isUnindexed: boolean
}

/** How many pictures to keep: the first ones may be SVG or from another site. */
const picturesAtMost = 4

/** Collects the facts of a page during the scan. */
export function createPageFacts(): { readonly reader: WordsReader; read(): PageFacts } {
  const pictures: string[] = []
  const words = createText(readChars)
  let paragraph: { readonly element: Shell; readonly text: ReturnType<typeof createText> } | null = null
  let opening = ''
  let heading: Shell | null = null
  let language: string | null = null
  let hasWords = false
  let description = ''
  let isUnindexed = false

  function add(chars: string): void {
    if (opening !== '') return
    if (heading === null) words.add(chars)
    paragraph?.text.add(chars)
  }
  function describe(attrs: readonly Token.Attribute[]): void {
    if (!hasWords) language ??= languageOf(attrs)
  }
  function readMeta(attrs: readonly Token.Attribute[]): void {
    const read = (wanted: string): string => attrs.find(({ name }) => name === wanted)?.value.trim() ?? ''
    const name = read('name').toLowerCase()
    if (name === 'description') description ||= shortened(read('content'))
    if (name === 'robots') isUnindexed ||= /(?:^|[\s,])(?:noindex|none)(?:[\s,]|$)/i.test(read('content'))
  }
  function endParagraph(): void {
    if (opening === '') opening = paragraph?.text.read() ?? ''
    paragraph = null
  }

  const reader: WordsReader = {
    isUnread: (tagName) => unread.has(tagName),
    opened(element) {
      if (element.isUnread) return
      const { tagName } = element
      describe(element.attrs)
      if (tagName === 'meta') readMeta(element.attrs)
      if (tagName === 'img' && pictures.length < picturesAtMost) {
        const source = ['src', 'data-src'].map((name) => element.attrs.find((each) => each.name === name)?.value.trim())
        const address = source.find((each) => each !== undefined && each !== '' && !each.startsWith('data:'))
        if (address !== undefined) pictures.push(address)
      }
      if (!inline.has(tagName)) add(' ')
      if (tagName === 'p' && paragraph === null) paragraph = { element, text: createText(readChars) }
      if (headings.has(tagName)) heading ??= element
    },
    adopted: describe,
    text(chars, parent) {
      if (parent.isUnread) return
      hasWords ||= /\S/.test(chars)
      add(chars)
    },
    closed(element) {
      if (element === paragraph?.element) endParagraph()
      if (element === heading) heading = null
      if (!element.isUnread && !inline.has(element.tagName)) add(' ')
    },
  }
  return {
    reader,
    read() {
      endParagraph()
      return { opening: description || opening || words.read(), pictures, language, isUnindexed }
    },
  }
}

function shortened(words: string): string {
  const text = createText(readChars)
  text.add(words)
  return text.read()
}

const languageOf = (attrs: readonly Token.Attribute[]): string | null => {
  const read = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value
  const named = (read('lang') ?? read('xml:lang') ?? '').trim()
  return /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(named) ? named : null
}
