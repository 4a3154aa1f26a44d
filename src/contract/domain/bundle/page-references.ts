import type { DefaultTreeAdapterTypes } from 'parse5'
import { parse } from 'parse5'

import { rewriteCss } from '../../text/references/css.ts'

/** Attributes that hold one address. */
const addressed = new Set(
  'href src poster data action formaction background data-src data-original-src data-poster'.split(' '),
)
/** Attributes that hold a list of images with sizes. */
const listed = new Set(['srcset', 'imagesrcset', 'data-srcset'])

/**
 * Every address that a browser would follow or load from a page, decoded, each once, in order of appearance. Content of
 * templates and of noscript counts; scripts do not, since what they do with a text is not known.
 */
export function pageReferences(html: string): readonly string[] {
  const references = new Set<string>()
  const ahead: DefaultTreeAdapterTypes.ChildNode[] = parse(html, { scriptingEnabled: false }).childNodes.toReversed()
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (!('attrs' in next)) continue
    for (const { name, value } of next.attrs) {
      if (addressed.has(name) && next.nodeName !== 'base') references.add(value.trim())
      else if (listed.has(name)) sourceSet(value).forEach((url) => references.add(url))
      else if (name === 'style') cssReferences(value).forEach((url) => references.add(url))
    }
    if (next.nodeName === 'style') {
      const css = next.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
      cssReferences(css).forEach((url) => references.add(url))
    }
    const { childNodes } = 'content' in next ? next.content : next
    for (const child of childNodes.toReversed()) ahead.push(child)
  }
  return [...references]
}

/** Every address in a style sheet, decoded. */
export function cssReferences(css: string): readonly string[] {
  const everything = (text: string) => [{ start: 0, end: text.length, name: text, replacement: null }]
  // The range of a place may still hold the blanks, quote and parenthesis that close it.
  return rewriteCss(css, everything).missing.map((place) => place.replace(/^[\s"']+|[\s"')]+$/g, ''))
}

/** The addresses of a srcset (HTML, "parse a srcset attribute"): they may hold commas, but not end with one. */
function sourceSet(value: string): readonly string[] {
  const urls: string[] = []
  const candidate = /[\s,]*(\S+)/y
  for (let match = candidate.exec(value); match !== null; match = candidate.exec(value)) {
    const [, run = ''] = match
    const url = run.replace(/,+$/, '')
    if (url !== '') urls.push(url)
    if (run !== url) continue
    const comma = value.indexOf(',', candidate.lastIndex)
    if (comma === -1) break
    candidate.lastIndex = comma
  }
  return urls
}
