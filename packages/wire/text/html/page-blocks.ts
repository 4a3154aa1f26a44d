import { scanHtml } from './html-scan.ts'
import { createText } from './page-text.ts'
import { inline, unread } from './text-elements.ts'

/**
 * The texts of a page as readers see them: one for each heading, paragraph, cell and the like, in the order of the source, whitespace
 * collapsed, without those that have no letters. At most `maxChars` UTF-16 units of each.
 */
export function pageBlocks(html: string, maxChars: number): readonly string[] {
  const blocks: string[] = []
  let text = createText(maxChars)
  function end(): void {
    const block = text.read()
    if (/[\p{L}\p{N}]/u.test(block)) blocks.push(block)
    text = createText(maxChars)
  }
  scanHtml(html, null, {
    isUnread: (tagName) => unread.has(tagName),
    opened(element) {
      if (!element.isUnread && !inline.has(element.tagName)) end()
    },
    text(chars, parent) {
      if (!parent.isUnread) text.add(chars)
    },
    closed(element) {
      if (!element.isUnread && !inline.has(element.tagName)) end()
    },
  })
  end()
  return blocks
}
