// Every environment that imports this file needs the declaration, and an ambient one cannot be imported.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./css-tree-tokenizer.d.ts" />

import { tokenize, tokenTypes } from 'css-tree/tokenizer'

import type { Edit } from '../edits.ts'
import { applyEdits } from '../edits.ts'
import { cssEscapes } from './encodings.ts'
import type { Finder } from './finder.ts'
import type { Harvest, Rewritten } from './harvest.ts'
import { createHarvest, mayHold } from './harvest.ts'
import type { View } from './view.ts'
import { decodedView, plainView, sliceView } from './view.ts'

/** Functions whose string arguments are addresses. Other strings, such as those of `content`, are text. */
const addressed = new Set(['url(', 'src(', 'image(', 'image-set(', '-webkit-image-set('])

/** How far a name may continue after a broken `url(` token. File names are never longer. */
const brokenUrlMaxChars = 1024

/**
 * Replaces the references in a style sheet: in `url()`, in strings inside `url()`, `src()`, `image()` and `image-set()`,
 * and in the string of `@import`. Comments, other strings and everything else stay byte for byte.
 */
export function rewriteCss(css: string, find: Finder): Rewritten {
  const harvest = createHarvest(css, find)
  if (mayHold(css, find)) harvestCss(plainView(css), harvest)
  return harvest.finish()
}

/** Looks for references in every position of this CSS that can hold one. With `once`, the view is the raw text as it is. */
export function harvestCss(
  view: View,
  {
    visit: visitViews,
    once = (_kind, _start, _end, read) => read(),
  }: Pick<Harvest, 'visit'> & Partial<Pick<Harvest, 'once'>>,
): void {
  const { text } = view
  const visit = (...values: readonly View[]): void => visitViews(values.map((value) => decodedView(value, cssEscapes)))
  const address = (start: number, end: number): View => sliceView(view, start, end, 'address')
  const visitAddress = (start: number, end: number): void =>
    once('css', view.rawStart(start), view.rawEnd(end), () => visit(address(start, end)))
  /** For each open parenthesis: whether strings inside it are addresses. */
  const open: boolean[] = []
  let imports = false
  /** Whether this is the value of a custom property, which `image-set(var(--x))` may take for an address. */
  let isCustom = false
  let name = ''
  /** The end of an address that the tokenizer reads as values. */
  let unquotedTo = 0
  tokenize(text, (type, start, end) => {
    if (start < unquotedTo) return
    switch (type) {
      case tokenTypes.Function: {
        const name = nameOf(view, start, end)
        open.push((open.at(-1) ?? false) || addressed.has(name))
        // The tokenizer knows the name only without escapes, and would read an address without quotes as values.
        if (name === 'url(' && name.length < end - start) {
          unquotedTo = unquotedEnd(text, end)
          visitAddress(end, unquotedTo)
        }
        break
      }
      case tokenTypes.LeftParenthesis:
        open.push(open.at(-1) ?? false)
        break
      case tokenTypes.RightParenthesis:
        open.pop()
        break
      case tokenTypes.String:
        if (imports || open.at(-1)) visitAddress(start + 1, beforeEnd(text, start, end, text[start]))
        else if (isCustom) visit(wholeAddress(sliceView(view, start + 1, beforeEnd(text, start, end, text[start]))))
        break
      case tokenTypes.Colon:
        isCustom ||= name.startsWith('--')
        break
      case tokenTypes.Semicolon:
      case tokenTypes.RightCurlyBracket:
        isCustom = false
        break
      case tokenTypes.Url:
        visitAddress(start + 'url('.length, beforeEnd(text, start, end, ')'))
        break
      case tokenTypes.BadUrl:
        visit(
          brokenUrl(view, start + 'url('.length, end),
          address(start + 'url('.length, beforeEnd(text, start, end, ')')),
        )
        break
      default:
    }
    if (type !== tokenTypes.WhiteSpace && type !== tokenTypes.Comment) {
      imports = type === tokenTypes.AtKeyword && nameOf(view, start, end) === '@import'
      name = type === tokenTypes.Ident ? nameOf(view, start, end) : ''
    }
  })
}

/** The name of a function or a rule, in lower case and without escapes. */
function nameOf(view: View, start: number, end: number): string {
  const name = view.text.slice(start, end)
  return (name.includes('\\') ? decodedView(sliceView(view, start, end), cssEscapes).text : name).toLowerCase()
}

/** Admits only a reference that is the text's whole address: other strings of custom properties are words. */
const wholeAddress = (view: View): View => ({
  ...view,
  admits: (from, to) => view.text.slice(0, from).trim() === '' && /^\s*(?:$|[?#])/.test(view.text.slice(to)),
})

/** The end of an address without quotes that begins here; its start if there is none. */
function unquotedEnd(text: string, at: number): number {
  unquoted.lastIndex = at
  return at + (unquoted.exec(text)?.[0].length ?? 0)
}
const unquoted = /(?!\s*["'])(?:[^)\\]|\\[^])*/y

/** An address that loads nothing, valid everywhere in CSS. */
const noAddress = '#gone'

/** Cuts unwanted addresses out of CSS, and `@import` rules that have one. They are passed decoded. */
export function cutAddresses(css: string, isUnwanted: (address: string) => boolean): string {
  const edits: Edit[] = []
  harvestCss(plainView(css), {
    visit([value]) {
      if (value === undefined || !isUnwanted(value.text)) return
      edits.push({ start: value.rawStart(0), end: value.rawEnd(value.text.length), text: noAddress })
    },
  })
  let start: number | null = null
  const endImport = (end: number): void => {
    const from = start
    if (from !== null && edits.some((edit) => edit.start > from && edit.end <= end))
      edits.push({ start: from, end, text: '' })
    start = null
  }
  tokenize(css, (type, from, end) => {
    if (type === tokenTypes.AtKeyword && css.slice(from, end).toLowerCase() === '@import') start = from
    if (type === tokenTypes.Semicolon) endImport(end)
  })
  endImport(css.length)
  return applyEdits(css, edits)
}

/** The end of a token without its last character, which is missing at the end of the text. */
const beforeEnd = (text: string, start: number, end: number, last: string | undefined): number =>
  end - start > 1 && text[end - 1] === last ? end - 1 : end

/**
 * An unquoted `url()` with blanks, quotes or parentheses in its name is not a valid token and ends too early. A reference
 * that begins inside it may extend past its end, up to the end of the declaration or the next address. The public URL makes
 * it valid.
 */
function brokenUrl(view: View, start: number, end: number): View {
  const rest = view.text.slice(end, end + brokenUrlMaxChars)
  const stop = rest.search(/[;\r\n\f]|url\(/i)
  const slice = sliceView(view, start, end + (stop === -1 ? rest.length : stop))
  return { ...slice, admits: (from, to) => from < end - start && slice.admits(from, to) }
}
