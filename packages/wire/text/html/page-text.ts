import { html as markup } from 'parse5'

import { scanHtml } from './html-scan.ts'
import { inline, unread } from './text-elements.ts'
import type { Shell, WordsReader } from './treeless.ts'

const titleMaxChars = 300

/** Text with collapsed whitespace, limited to `maxChars`. */
export function createText(maxChars: number) {
  const parts: string[] = []
  let length = 0
  let endsBlank = true
  return {
    add(chars: string): void {
      // One character more than the limit, because a trailing blank is removed.
      if (length > maxChars || (endsBlank && chars === ' ')) return
      const text = chars.replace(/\s+/g, ' ')
      const more = endsBlank && text.startsWith(' ') ? text.slice(1) : text
      if (more === '') return
      parts.push(more)
      length += more.length
      endsBlank = more.endsWith(' ')
    },
    read: (): string =>
      parts
        .join('')
        .trimEnd()
        .slice(0, maxChars)
        .replace(/[\uD800-\uDBFF]$/, ''),
  }
}

/** The visible text of a page, for search. */
export interface PageWords {
  /** The first h1 with words, otherwise the first h2, otherwise the title element. */
  readonly title: string | null
  readonly text: string
}

export interface PageReading {
  readonly reader: WordsReader
  read(): PageWords
  /** Whether readers see such an element, unlike one in a comment, script or frame. */
  shows(tagName: string): boolean
}

/** Collects the words of a page during the scan: at most `maxChars` UTF-16 units, whitespace collapsed. */
export function createPageWords(maxChars: number): PageReading {
  const text = createText(maxChars)
  const shown = new Set<string>()
  const titles = new Map<string, string>()
  const titleText = createText(titleMaxChars)
  let titleElement: Shell | null = null
  /** The outermost open heading of each level. */
  const headings = new Map<string, { readonly element: Shell; readonly text: ReturnType<typeof createText> }>()

  function add(chars: string): void {
    text.add(chars)
    for (const heading of headings.values()) heading.text.add(chars)
  }
  function endHeading(level: string): void {
    titles.set(level, headings.get(level)?.text.read() ?? '')
    headings.delete(level)
  }

  const reader: WordsReader = {
    isUnread: (tagName) => unread.has(tagName),
    opened(element, parent) {
      const { tagName } = element
      if (tagName === 'title' && element.namespaceURI === markup.NS.HTML && !parent.isUnread) titleElement ??= element
      if (element.isUnread) return
      shown.add(tagName)
      if (!inline.has(tagName)) add(' ')
      if ((tagName === 'h1' || tagName === 'h2') && !titles.get(tagName) && !headings.has(tagName))
        headings.set(tagName, { element, text: createText(titleMaxChars) })
    },
    text(chars, parent) {
      if (parent === titleElement) titleText.add(chars)
      if (!parent.isUnread) add(chars)
    },
    closed(element) {
      if (element.isUnread) return
      if (headings.get(element.tagName)?.element === element) endHeading(element.tagName)
      if (!inline.has(element.tagName)) add(' ')
    },
  }
  return {
    reader,
    read() {
      for (const level of headings.keys()) endHeading(level)
      return { title: titles.get('h1') || titles.get('h2') || titleText.read() || null, text: text.read() }
    },
    shows: (tagName) => shown.has(tagName),
  }
}

/** The words of a page, in one linear pass that stores nothing else of it. */
export function pageText(html: string, maxChars: number): PageWords {
  const words = createPageWords(maxChars)
  scanHtml(html, null, words.reader)
  return words.read()
}
