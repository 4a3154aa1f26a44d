import type { RawText, StartTag } from './html-scan.ts'

/** Elements whose tags the parser reads alike wherever they are, and their content as markup. */
const plainElements = new Set(
  [
    'html head body header footer main nav section article aside div p span a ul ol li dl dt dd',
    'h1 h2 h3 h4 h5 h6 b i em strong small cite abbr code time blockquote figure figcaption picture video audio',
  ].flatMap((names) => names.split(' ')),
)
const voidElements = new Set('meta link base img source br hr wbr'.split(' '))
const rawElements = new Set(['style', 'script', 'title'])

const doctype = /<!doctype html>/iy
const comment = /<!--(?!-?>)(?:(?!--)[^])*-->/y
const endTag = /<\/([a-z][a-z0-9]*)>/y
const startTag = /<([a-z][a-z0-9]*)((?:[ \t\n]+[a-z][a-z0-9:-]*(?:="[^"]*")?)*)[ \t\n]*(\/?)>/y
const attribute = /([a-z][a-z0-9:-]*)(?:="([^"]*)")?/g

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const otherEntity = /&(?!(?:amp|lt|gt|quot|#39);)/

/** What reads a page: see `scanHtml`. */
export interface PlainVisitor {
  startTag(tag: StartTag): void
  rawText(content: Pick<RawText, 'element' | 'start' | 'end'>): void
}

/**
 * Scans markup as `scanHtml` does, several times faster, if it is as templates usually write it: known elements, each closed
 * in order, and attributes in lower case with double quotes. Returns false where it is not: what was reported so far does not
 * count then. `placeholder` is the name of one more element, without content.
 */
export function scanPlainHtml(html: string, visitor: PlainVisitor, placeholder: string): boolean {
  // The parser changes these characters.
  if (/[\r\0\uFEFF]/.test(html)) return false
  const open: string[] = []
  const matchAt = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(html)
  }
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const end = matchAt(endTag, at)
    if (end !== null) {
      if (open.pop() !== end[1]) return false
      at += end[0].length
      continue
    }
    if (html.startsWith(`<${placeholder}>`, at)) {
      visitor.startTag({ element: placeholder, attributes: new Map(), at: () => at, path: () => [...open] })
      at += placeholder.length + 2
      continue
    }
    const start = matchAt(startTag, at)
    if (start === null) {
      const skipped = matchAt(doctype, at) ?? matchAt(comment, at)
      if (skipped === null) return false
      at += skipped[0].length
      continue
    }
    const [tag, element = '', written = '', slash] = start
    const isVoid = voidElements.has(element)
    if (slash !== '' && !isVoid) return false
    const found = readAttributes(written, at + 1 + element.length)
    if (found === null) return false
    const { attributes, offsets } = found
    const from = at
    visitor.startTag({
      ...{ element, attributes },
      at: (name) => offsets.get(name) ?? from,
      path: () => [...open],
    })
    at += tag.length
    if (isVoid) continue
    if (rawElements.has(element)) {
      const close = html.indexOf('</', at)
      const content = html.slice(at, close)
      // A comment in a script may hide its end tag.
      if (close === -1 || content.includes('<!--') || !html.startsWith(`</${element}>`, close)) return false
      if (element !== 'title')
        visitor.rawText({ element: element === 'style' ? element : 'script', start: at, end: close })
      at = close + element.length + 3
    } else if (plainElements.has(element)) open.push(element)
    else return false
  }
  return true
}

/** Null if a name is there twice, or a value has an entity that is not among the usual ones. */
function readAttributes(written: string, from: number) {
  const attributes = new Map<string, string>()
  const offsets = new Map<string, number>()
  for (const { 1: name = '', 2: value = '', index } of written.matchAll(attribute)) {
    if (attributes.has(name) || otherEntity.test(value)) return null
    const text = value.includes('&')
      ? value.replace(/&([^;]*);/g, (_, entity: string) => entities[entity] ?? '')
      : value
    attributes.set(name, text)
    offsets.set(name, from + index)
  }
  return { attributes, offsets }
}
