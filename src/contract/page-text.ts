import type { DefaultTreeAdapterTypes } from 'parse5'
import { html as markup, parse } from 'parse5'

/** Elements whose text is for machines. A template's content hangs beside its children, so it is never met. */
export const unread: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'noembed',
  'noframes',
  'title',
])

/** Elements that run within a word; every other one separates words. */
export const inline: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q ruby s samp small span strong sub sup u var wbr'.split(
    ' ',
  ),
)

const titleMaxChars = 300

const collapsed = (parts: readonly string[], maxChars: number): string =>
  parts
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxChars)
    .replace(/[\uD800-\uDBFF]$/, '')

type Node = DefaultTreeAdapterTypes.ChildNode

/**
 * What a reader sees of a page, for search: its text with whitespace collapsed, at most `maxChars` UTF-16 units, and the
 * first h1, else the first h2, else the title element as its title. Iterative, linear in the length of the page.
 */
export function pageText(html: string, maxChars: number): { readonly title: string | null; readonly text: string } {
  const text: string[] = []
  const titles = new Map<string, string>()
  /** The outermost open heading of a level: one inside it adds nothing, and would be read again and again. */
  const openHeadings = new Set<string>()
  // Nodes still to be read, and what to do when an element ends, last first.
  const ahead: (Node | (() => void))[] = parse(html).childNodes.toReversed()

  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (typeof next === 'function') next()
    else if (next.nodeName === '#text' && 'value' in next) text.push(next.value)
    else if ('childNodes' in next) {
      const { nodeName: name, childNodes } = next
      if (name === 'title' && next.namespaceURI === markup.NS.HTML && !titles.has(name)) {
        const words = childNodes.map((child) => ('value' in child ? child.value : ''))
        titles.set(name, collapsed(words, titleMaxChars))
      }
      if (unread.has(name)) continue
      const separator = inline.has(name) ? '' : ' '
      text.push(separator)
      const from = text.length
      const heads = (name === 'h1' || name === 'h2') && !titles.get(name) && !openHeadings.has(name)
      if (heads) openHeadings.add(name)
      ahead.push(() => {
        if (heads) {
          openHeadings.delete(name)
          titles.set(name, collapsed(text.slice(from), titleMaxChars))
        }
        text.push(separator)
      })
      for (const child of childNodes.toReversed()) ahead.push(child)
    }
  }
  return { title: titles.get('h1') || titles.get('h2') || titles.get('title') || null, text: collapsed(text, maxChars) }
}
