// Every environment that imports this file needs the declaration, and an ambient one cannot be imported.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../references/css-tree-tokenizer.d.ts" />

import { tokenize, tokenTypes } from 'css-tree/tokenizer'

/** A `name: value` of a style sheet, the name in lower case. Values are unchanged except for removed comments. */
export interface Declaration {
  readonly name: string
  readonly value: string
}

/** A block of a style sheet with its prelude. Nested blocks come before their parents. */
export interface Block {
  readonly prelude: string
  readonly declarations: readonly Declaration[]
}

/** All blocks of a style sheet. Declarations outside any block, as in a `style` attribute, form the last block. */
export function cssBlocks(css: string): readonly Block[] {
  const ended: Block[] = []
  const open: { prelude: string; declarations: Declaration[] }[] = [{ prelude: '', declarations: [] }]
  /** The text since the last declaration, without comments, and the index of its first colon. */
  let text = ''
  let colonAt = -1
  let depth = 0
  const endDeclaration = (): void => {
    if (colonAt > 0) {
      const name = text.slice(0, colonAt).trim().toLowerCase()
      const value = text.slice(colonAt + 1).trim()
      open.at(-1)?.declarations.push({ name, value })
    }
    text = ''
    colonAt = -1
  }
  tokenize(css, (type, start, end) => {
    switch (type) {
      case tokenTypes.Comment:
        return
      case tokenTypes.LeftCurlyBracket:
        open.push({ prelude: text.trim(), declarations: [] })
        text = ''
        colonAt = -1
        return
      case tokenTypes.RightCurlyBracket: {
        endDeclaration()
        // Ignores unmatched closing brackets.
        const block = open.length > 1 ? open.pop() : undefined
        if (block) ended.push(block)
        return
      }
      case tokenTypes.Semicolon:
        if (depth === 0) return endDeclaration()
        break
      case tokenTypes.Function:
      case tokenTypes.LeftParenthesis:
        depth += 1
        break
      case tokenTypes.RightParenthesis:
        depth = Math.max(0, depth - 1)
        break
      case tokenTypes.Colon:
        if (colonAt < 0) colonAt = text.length
        break
      default:
    }
    text += css.slice(start, end)
  })
  endDeclaration()
  return [...ended, ...open.toReversed()]
}

/** Splits a value at commas outside parentheses and strings. */
export function commaParts(value: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  let depth = 0
  tokenize(value, (type, start, end) => {
    if (type === tokenTypes.Function || type === tokenTypes.LeftParenthesis) depth += 1
    else if (type === tokenTypes.RightParenthesis) depth -= 1
    else if (depth === 0 && end - start === 1 && value[start] === ',') {
      parts.push(value.slice(from, start).trim())
      from = end
    }
  })
  return [...parts, value.slice(from).trim()]
}

/** The text of a CSS string or of plain words: without quotes, escapes decoded. */
export function cssText(value: string): string {
  const [, quote] = /^(["'])[^]*\1$/.exec(value) ?? []
  const inner = quote === undefined ? value.replaceAll(/\s+/g, ' ') : value.slice(1, -1)
  return inner.replaceAll(
    /\\(?:([0-9a-f]{1,6})\s?|\r?\n|([^]))/gi,
    (_, hex: string | undefined, sign: string | undefined) => {
      if (hex === undefined) return sign ?? ''
      const code = Number.parseInt(hex, 16)
      return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
    },
  )
}
