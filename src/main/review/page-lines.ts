import { inline, unread } from '@galley/wire'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { parse } from 'parse5'

/**
 * The visible text of a page for comparison: a line for each run of text not separated by a block, with collapsed
 * whitespace, without empty lines. Iterative and linear.
 */
export function pageLines(html: string): readonly string[] {
  const lines: string[] = []
  let line: string[] = []
  const endLine = (): void => {
    const text = line.join('').replace(/\s+/g, ' ').trim()
    if (text !== '') lines.push(text)
    line = []
  }
  // A stack of nodes to read and ends of blocks.
  const ahead: (DefaultTreeAdapterTypes.ChildNode | typeof endLine)[] = parse(html).childNodes.toReversed()
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (typeof next === 'function') next()
    else if (next.nodeName === '#text' && 'value' in next) line.push(next.value)
    else if ('childNodes' in next && !unread.has(next.nodeName)) {
      if (!inline.has(next.nodeName)) {
        endLine()
        ahead.push(endLine)
      }
      for (const child of next.childNodes.toReversed()) ahead.push(child)
    }
  }
  endLine()
  return lines
}

/** The source of a page with a line break between adjacent tags; otherwise unchanged. */
export const markupLines = (html: string): string => html.replace(/>(?=<[a-z/!])/gi, '>\n')
