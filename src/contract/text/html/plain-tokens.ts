/** An attribute. `at`: where its name begins; `[start, end)`: its value as written, null if it has none. */
export interface PlainAttribute {
  readonly name: string
  /** Decoded. */
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
const endTag = /<\/([a-z][a-z0-9]*)>/y
/** Only hostile pages have more attributes of one element; a pattern without a limit takes memory for each. */
const startTag = /<([a-z][a-z0-9]*)((?:[ \t\n]+[a-z][a-z0-9:-]*(?:="[^"]*")?){0,100})[ \t\n]*(\/?)>/y
const attribute = /([a-z][a-z0-9:-]*)(?:="([^"]*)")?/g

const entities: ReadonlyMap<string, string> = new Map([
  ...(['amp&', 'lt<', 'gt>', 'quot"', "#39'", 'nbsp\u00A0', 'shy\u00AD', 'mdash—', 'ndash–', 'hellip…'] as const),
  ...(['laquo«', 'raquo»', 'ldquo“', 'rdquo”', 'lsquo‘', 'rsquo’', 'bull•', 'middot·', 'copy©', 'times×'] as const),
].map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const)) // prettier-ignore
const otherEntity = new RegExp(`&(?!(?:${[...entities.keys()].join('|')});)`)

/** Null if an entity in it is none of the usual ones. */
function decoded(text: string): string | null {
  if (!text.includes('&')) return text
  return otherEntity.test(text) ? null : text.replace(/&([^;]*);/g, (_, name: string) => entities.get(name) ?? '')
}

/** Only hostile pages have more elements in each other. */
const depthMax = 200

/** The nesting that is allowed in a page whose text is read. The parser moves everything else. */
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
  doctype.lastIndex = at
  if (doctype.test(html)) return doctype.lastIndex
  commentStart.lastIndex = at
  // No pattern for what follows: it would take memory for each character.
  const dashes = commentStart.test(html) ? html.indexOf('--', commentStart.lastIndex) : -1
  return dashes !== -1 && html.startsWith('-->', dashes) ? dashes + 3 : null
}

/** How to read a page. */
interface PlainOptions {
  /** Whether texts are wanted too, and every element is where the parser leaves it. */
  readonly isWhole: boolean
  /** The name of one more element, without content. */
  readonly placeholder?: string
}

/**
 * Splits markup as the parser does, several times faster, if it is as templates and editors usually write it: known
 * elements, each closed in order, and attributes in lower case with double quotes. Null where it is not.
 */
export function plainTokens(html: string, { isWhole, placeholder }: PlainOptions): readonly PlainToken[] | null {
  // The parser changes these characters.
  if (/[\r\0\uFEFF]/.test(html)) return null
  const tokens: PlainToken[] = []
  const open: string[] = []
  const nesting = isWhole ? createNesting() : null
  const matchAt = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(html)
  }
  function takeText(from: number, to: number, isTitle = false): boolean {
    if (nesting === null || from === to) return true
    const text = decoded(html.slice(from, to))
    if (text === null || !(isTitle || /^[ \t\n\f]*$/.test(text) || nesting.hasText())) return false
    tokens.push({ kind: 'text', text })
    return true
  }
  let done = 0
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', done)) {
    if (!takeText(done, at)) return null
    const end = matchAt(endTag, at)
    if (end !== null) {
      const [tag, element = ''] = end
      if (open.pop() !== element) return null
      nesting?.ends(element)
      tokens.push({ kind: 'end', element })
      done = at + tag.length
      continue
    }
    if (placeholder !== undefined && html.startsWith(`<${placeholder}>`, at)) {
      tokens.push({ kind: 'start', element: placeholder, attributes: [], at, isVoid: true })
      done = at + placeholder.length + 2
      continue
    }
    const start = matchAt(startTag, at)
    if (start === null) {
      const skipped = skippedEnd(html, at)
      if (skipped === null) return null
      done = skipped
      continue
    }
    const [tag, element = '', written = '', slash] = start
    const isVoid = voidElements.has(element)
    const isRaw = rawElements.has(element)
    if (!(isVoid || isRaw || phrasing.has(element) || blocks.has(element)) || (slash !== '' && !isVoid)) return null
    if (nesting?.begins(element, isVoid || isRaw) === false) return null
    const attributes = readAttributes(written, at + 1 + element.length)
    if (attributes === null) return null
    tokens.push({ kind: 'start', element, attributes, at, isVoid })
    done = at + tag.length
    if (isRaw) {
      const close = html.indexOf('</', done)
      // A comment in a script may hide its end tag.
      if (close === -1 || !html.startsWith(`</${element}>`, close) || html.slice(done, close).includes('<!--'))
        return null
      if (element !== 'title') tokens.push({ kind: 'raw', start: done, end: close })
      else if (!takeText(done, close, true)) return null
      tokens.push({ kind: 'end', element })
      done = close + element.length + 3
    } else if (!isVoid) open.push(element)
  }
  return takeText(done, html.length) && (!isWhole || open.length === 0) ? tokens : null
}

/** Null if a name is there twice, or a value has an entity that is not among the usual ones. */
function readAttributes(written: string, from: number): readonly PlainAttribute[] | null {
  const attributes: PlainAttribute[] = []
  attribute.lastIndex = 0
  for (let match = attribute.exec(written); match !== null; match = attribute.exec(written)) {
    const [whole, name = '', given] = match
    const value = decoded(given ?? '')
    if (value === null || attributes.some((other) => other.name === name)) return null
    const at = from + match.index
    const end = at + whole.length - 1
    attributes.push({
      name,
      value,
      at,
      range: given === undefined ? null : { start: end - given.length, end },
    })
  }
  return attributes
}
