import type { Parser } from 'parse5'
import { html as markup, TokenizerMode } from 'parse5'

import type { Edit } from '../edits.ts'
import type { Shells } from './treeless.ts'

// Markup that is put into a document must neither end an element that was open before it nor leave one open that
// would contain what follows. Browsers must still show the markup itself in the same way.

/** The end of an element around them also ends these, so their own end tags may be missing. */
const endsWithParent = new Set(
  'html head body p li dt dd option optgroup rb rt rtc rp caption colgroup thead tbody tfoot tr td th'.split(' '),
)
const heading = /^h[1-6]$/

/** Browsers nest elements no deeper. */
const maxDepth = 512

type State = Pick<Parser<Shells>, 'openElements' | 'activeFormattingElements' | 'formElement' | 'tokenizer' | 'options'>

const isHtml = ({ namespaceURI }: Shells['parentNode']): boolean => namespaceURI === markup.NS.HTML

/** The open elements, the innermost first. */
function openIn({ openElements }: State): readonly Shells['parentNode'][] {
  const open: Shells['parentNode'][] = []
  for (let slot = openElements.stackTop; slot >= 0; slot = openElements.slotBelow(slot)) {
    const item = openElements.items[slot]
    if (item !== undefined) open.push(item)
  }
  return open
}

/** Elements whose end drops the formatting elements since their start. */
const bounds = new Set('applet object marquee template td th caption'.split(' '))

/**
 * Names of elements that are not open, but would be opened again around the next text, such as `b` after `<p><b></p>`; with
 * `inside`: after the end of that many bounds.
 */
function reopened(
  { activeFormattingElements }: State,
  open: readonly Shells['parentNode'][],
  inside: number,
): readonly string[] {
  const isOpen = new Set(open)
  const names: string[] = []
  let left = inside
  for (let entry = activeFormattingElements.newest; entry !== null; entry = entry.older) {
    if ('element' in entry) {
      if (left === 0 && !isOpen.has(entry.element)) names.push(entry.element.tagName)
    } else if (left-- === 0) break
  }
  return names
}

/** Whether an end tag would end nothing in the markup, but could end an element around it. */
export function isStray(name: string, state: State): boolean {
  const { current, depth } = state.openElements
  if (current?.tagName === name || depth > maxDepth || /^(?:p|br|html|head|body)$/.test(name)) return false
  if (name === 'form' && state.formElement !== null) return false
  const open = openIn(state)
  const names = open.map(({ tagName }) => tagName.toLowerCase())
  // Newer browsers allow more elements in a select than the parser does.
  if (names.includes(name) || open.some((each) => each.tagName === 'select' && isHtml(each))) return false
  if (heading.test(name)) return !names.some((each) => heading.test(each))
  return state.activeFormattingElements.getElementEntryInScopeWithTagName(name) === null
}

/** Replaces the removed markup. Without it, the texts on both sides could form a tag or an entity. */
export const gap = '<!---->'

/**
 * Whether browsers ignore an open element until its end: a script, or a noscript where scripts run. In an SVG these are
 * ordinary elements.
 */
const isHiddenRest = (element: Shells['parentNode'], { options }: State): boolean =>
  isHtml(element) && (element.tagName === 'script' || (element.tagName === 'noscript' && options.scriptingEnabled))

/** The end tags that are missing; none if everything that is open ends with the element around it. */
function missingEnds(state: State): string {
  const { formElement, openElements } = state
  const open = openIn(state)
  const outermost = open.findLastIndex(({ tagName }) => !endsWithParent.has(tagName))
  // Outside templates, only the form that the parser has recorded can be ended. Nothing ends a `plaintext`. The end tag
  // of a script would run it (see `finishedEnd`); the end of an SVG ends its scripts without running them.
  const ended = open
    .slice(0, outermost + 1)
    .filter((each) => each.tagName !== 'plaintext' && each.tagName !== 'script' && !isHiddenRest(each, state))
    .filter((each) => each.tagName !== 'form' || each === formElement || openElements.tmplCount > 0)
  const inside = open.filter((each) => isHtml(each) && bounds.has(each.tagName)).length
  const names = [...ended.map(({ tagName }) => tagName), ...reopened(state, open, inside)]
  if (formElement !== null && !open.includes(formElement)) names.push('form')
  return names.map((name) => `</${name}>`).join('')
}

/** States between two tags. In any other one, a tag or comment is unfinished. */
const settled: ReadonlySet<number> = new Set(Object.values(TokenizerMode))

/** Elements whose content is text, up to their own end tag. */
const rawElements = new Set('style textarea title xmp iframe noembed noframes'.split(' '))

/** The last complete tag or comment of some markup: `[start, end)`. */
export interface LastToken {
  readonly start: number
  readonly end: number
  readonly isComment: boolean
}

/**
 * The edit at the end of markup; null if the end is valid. Browsers ignore an unfinished tag, comment or script, so it
 * is removed.
 */
export function repairedEnd(html: string, last: LastToken, state: State): Edit | null {
  const { kept, added } = finishedEnd(html, last, state)
  const text = added + missingEnds(state)
  return kept === html.length && text === '' ? null : { start: kept, end: html.length, text }
}

/** How much of the markup is kept, and what follows before any end tag. Text that nothing can end goes into a `pre`. */
function finishedEnd(html: string, last: LastToken, state: State) {
  const { openElements, tokenizer } = state
  const current = openElements.current
  if (current !== undefined && isHiddenRest(current, state)) return { kept: last.start, added: gap }
  const whole = html.length
  const rest = html.slice(last.end)
  if (tokenizer.state === TokenizerMode.PLAINTEXT)
    return { kept: last.start, added: `<pre>\n${rest.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</pre>` }
  if (settled.has(tokenizer.state))
    return { kept: whole, added: tokenizer.state === TokenizerMode.CDATA_SECTION ? ']]>' : '' }
  if (last.isComment && last.end >= whole) return { kept: last.start, added: gap }
  const isRaw = current !== undefined && isHtml(current) && rawElements.has(current.tagName)
  const found = (isRaw ? new RegExp(`</${current.tagName}[\\s/]`, 'i') : /<+\/?(?:[a-z]|$)/i).exec(rest)
  if (found === null) return { kept: whole, added: '' }
  // A `<` without a name is text, but would begin a tag with what follows.
  const text = found[0].replace(/<\/?[a-z]+[\s/]?$/i, '')
  return { kept: last.end + found.index, added: text.replaceAll('<', '&lt;') }
}
