/** An attribute. `at`: the start of its name; `[start, end)`: its value as written, null without one. */
export interface PlainAttribute {
  readonly name: string
  /** As written; '' if it has none. See `decoded`. */
  readonly value: string
  readonly at: number
  readonly range: { readonly start: number; readonly end: number } | null
}

/** One piece of markup, in the order of the page. The raw text of a `style` or `script` comes between its tags. */
export type PlainToken =
  | {
      readonly kind: 'start'
      readonly element: string
      readonly attributes: readonly PlainAttribute[]
      readonly at: number
      readonly isVoid: boolean
    }
  | { readonly kind: 'end'; readonly element: string }
  | { readonly kind: 'raw'; readonly start: number; readonly end: number }
  | { readonly kind: 'text'; readonly text: string }

/** Elements that only begin and end where their tags are, and do not end a paragraph. */
const phrasing = new Set('span a b i em strong small cite abbr code time picture video audio'.split(' '))
const headings = new Set('h1 h2 h3 h4 h5 h6'.split(' '))
/** Elements that end an open paragraph. */
const blocks = new Set([
  ...'html head body header footer main nav section article aside div p ul ol li dl dt dd'.split(' '),
  ...'blockquote figure figcaption'.split(' '),
  ...headings,
])
const headVoids = new Set('meta link base'.split(' '))
const voidElements = new Set([...headVoids, ...'img source br hr wbr'.split(' ')])
const rawElements = new Set(['style', 'script', 'title'])

const doctype = /<!doctype html>/iy
const commentStart = /<!--(?!-?>)/y
const startTag = /<([a-z][a-z0-9]*)/y
const attribute = /[ \t\n]+([a-z][a-z0-9:-]*)(?:="([^"]*)")?/y
const startTagEnd = /[ \t\n]*(\/?)>/y

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const entities: ReadonlyMap<string, string> = new Map([
  ...(['amp&', 'lt<', 'gt>', 'quot"', "#39'", 'nbsp\u00A0', 'shy\u00AD', 'mdash—', 'ndash–', 'hellip…'] as const),
  ...(['laquo«', 'raquo»', 'ldquo“', 'rdquo”', 'lsquo‘', 'rsquo’', 'bull•', 'middot·', 'copy©', 'times×'] as const),
].map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const)) // prettier-ignore
const otherEntity = new RegExp(`&(?!(?:${[...entities.keys()].join('|')});)`)
const hasOtherEntity = (text: string): boolean => text.includes('&') && otherEntity.test(text)

/** A text or value of a plain page without its entities, which are all among the usual ones. */
export const decoded = (text: string): string =>
  text.includes('&') ? text.replace(/&([^;]*);/g, (_, name: string) => entities.get(name) ?? '') : text

/** Only hostile pages have more elements in each other. */
const depthMax = 200

/** The nesting that the parser does not change, for pages whose text is read. */
function createNesting() {
  const open: string[] = []
  /** Open elements that end when an element of their kind begins. */
  const count = { p: 0, a: 0, heading: 0 }
  const seen = new Set<string>()
  let hasBegun = false
  const kindOf = (element: string): keyof typeof count | null =>
    element === 'p' || element === 'a' ? element : headings.has(element) ? 'heading' : null

  function fits(element: string): boolean {
    const parent = open.at(-1)
    if (element === 'html') return !hasBegun
    if (element === 'head') return parent === 'html' && !seen.has('head') && !seen.has('body')
    if (element === 'body') return parent === 'html' && !seen.has('body')
    if (parent === 'head') return headVoids.has(element) || rawElements.has(element)
    // After the end of a document, or outside its body.
    if (parent === 'html' || (parent === undefined && seen.has('html'))) return false
    if (element === 'li') return (parent === 'ul' || parent === 'ol') && count.p === 0
    if (element === 'dt' || element === 'dd') return parent === 'dl' && count.p === 0
    if (headings.has(element) && count.heading > 0) return false
    if (element === 'a' && count.a > 0) return false
    return count.p === 0 || !(blocks.has(element) || element === 'hr')
  }

  return {
    begins(element: string, isVoid: boolean): boolean {
      if (!fits(element) || open.length > depthMax) return false
      hasBegun = true
      seen.add(element)
      if (isVoid) return true
      open.push(element)
      const kind = kindOf(element)
      if (kind !== null) count[kind]++
      return true
    },
    ends(element: string): void {
      open.pop()
      const kind = kindOf(element)
      if (kind !== null) count[kind]--
    },
    /** White space is allowed everywhere. */
    hasText(): boolean {
      hasBegun = true
      const parent = open.at(-1)
      return parent === undefined ? !seen.has('html') : parent !== 'html' && parent !== 'head'
    },
  }
}

/** Where the doctype or comment at `at` ends; null if none is there. */
function skippedEnd(html: string, at: number): number | null {
  if (matchAt(doctype, html, at)) return doctype.lastIndex
  // No pattern for what follows: it would take memory for each character.
  const dashes = matchAt(commentStart, html, at) ? html.indexOf('--', commentStart.lastIndex) : -1
  return dashes !== -1 && html.startsWith('-->', dashes) ? dashes + 3 : null
}

/** How to read a page. */
export interface PlainOptions {
  /** Whether texts are wanted too, and every element is where the parser leaves it. */
  readonly isWhole: boolean
  /** The name of one more element, without content. */
  readonly placeholder?: string
}

/**
 * Splits markup as the parser does, several times faster, if it is as templates and editors usually write it: known
 * elements, each closed in order, and attributes in lower case with double quotes. Returns false where it is not; some tokens
 * may have been passed to `take` by then.
 */
export function splitPlain(
  html: string,
  { isWhole, placeholder }: PlainOptions,
  take: (token: PlainToken) => void,
): boolean {
  // The parser changes these characters.
  if (/[\r\0\uFEFF]/.test(html)) return false
  const open: string[] = []
  const nesting = isWhole ? createNesting() : null
  function takeText(from: number, to: number, isTitle = false): boolean {
    if (nesting === null || from === to) return true
    const text = html.slice(from, to)
    if (hasOtherEntity(text) || !(isTitle || /^[ \t\n\f]*$/.test(text) || nesting.hasText())) return false
    take({ kind: 'text', text })
    return true
  }
  let done = 0
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', done)) {
    if (!takeText(done, at)) return false
    if (html[at + 1] === '/') {
      const element = open.pop()
      if (element === undefined || !html.startsWith(`${element}>`, at + 2)) return false
      nesting?.ends(element)
      take({ kind: 'end', element })
      done = at + element.length + 3
      continue
    }
    if (placeholder !== undefined && html.startsWith(`<${placeholder}>`, at)) {
      take({ kind: 'start', element: placeholder, attributes: [], at, isVoid: true })
      done = at + placeholder.length + 2
      continue
    }
    const element = matchAt(startTag, html, at)?.[1]
    if (element === undefined) {
      const skipped = skippedEnd(html, at)
      if (skipped === null) return false
      done = skipped
      continue
    }
    const isVoid = voidElements.has(element)
    const isRaw = rawElements.has(element)
    if (!(isVoid || isRaw || phrasing.has(element) || blocks.has(element))) return false
    if (nesting?.begins(element, isVoid || isRaw) === false) return false
    const attributes = readAttributes(html, startTag.lastIndex)
    const slash = attributes && matchAt(startTagEnd, html, attributes.end)?.[1]
    if (!attributes || slash === undefined || (slash !== '' && !isVoid)) return false
    take({ kind: 'start', element, attributes: attributes.list, at, isVoid })
    done = startTagEnd.lastIndex
    if (isRaw) {
      const close = html.indexOf('</', done)
      // A comment in a script may hide its end tag.
      if (close === -1 || !html.startsWith(`</${element}>`, close) || html.slice(done, close).includes('<!--'))
        return false
      if (element !== 'title') take({ kind: 'raw', start: done, end: close })
      else if (!takeText(done, close, true)) return false
      take({ kind: 'end', element })
      done = close + element.length + 3
    } else if (!isVoid) open.push(element)
  }
  return takeText(done, html.length) && (!isWhole || open.length === 0)
}

/** Only hostile pages have more attributes of one element. */
const attributesMax = 100

/** Null if a name is duplicated, or a value contains an uncommon entity. */
function readAttributes(
  html: string,
  from: number,
): { readonly list: readonly PlainAttribute[]; readonly end: number } | null {
  const list: PlainAttribute[] = []
  let end = from
  for (let match = matchAt(attribute, html, end); match !== null; match = matchAt(attribute, html, end)) {
    const [, name = '', value = ''] = match
    const hasValue = match[2] !== undefined
    end = attribute.lastIndex
    if (hasOtherEntity(value) || list.length === attributesMax || list.some((other) => other.name === name)) return null
    const range = hasValue ? { start: end - 1 - value.length, end: end - 1 } : null
    list.push({ name, value, at: range === null ? end - name.length : range.start - 2 - name.length, range })
  }
  return { list, end }
}
