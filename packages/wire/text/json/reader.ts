import type { Cause } from '../../cause.ts'
import { cause } from '../../cause.ts'
import type { Result } from '../../result.ts'
import { fail, ok } from '../../result.ts'
import { numberEnd, stringEnd, stringProblem, whitespaceEnd } from './tokens.ts'

/** Deeper texts are refused, because recursive readers of the same text would overflow their stack. */
export const jsonDepthLimit = 256

/** Why a text is not accepted as JSON, and the UTF-16 offset of the problem. */
export interface JsonProblem {
  readonly problem: Cause
  readonly offset: number
}

/** A range of the text in UTF-16 units; `end` is exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

export interface JsonValue extends Range {
  readonly kind: JsonKind
}

/** One `key: value` of an object. Both ranges include the quotes. Duplicate keys are separate members. */
export interface JsonMember {
  readonly key: Range
  readonly value: JsonValue
}

/** Receives events while the text is checked: containers are reported when they open and when they end. */
export interface JsonVisitor {
  open(kind: 'object' | 'array'): void
  key(key: Range): void
  /** Every value, in the order of their ends: children before their container. */
  value(value: JsonValue): void
}

const literals: readonly (readonly [string, JsonKind])[] = [
  ['true', 'boolean'],
  ['false', 'boolean'],
  ['null', 'null'],
]

/**
 * Checks that the whole text is JSON (RFC 8259, without a byte order mark, at most `jsonDepthLimit` deep) and returns its
 * root. One iterative pass that builds nothing, so 32 MiB need time but no memory. Invalid input returns a failure.
 */
export function readJson(text: string, visitor?: JsonVisitor): Result<JsonValue, JsonProblem> {
  const open: { readonly kind: 'object' | 'array'; readonly start: number }[] = []
  let at = whitespaceEnd(text, 0)
  const bad = (problem: Cause, offset: number): Result<never, JsonProblem> =>
    fail(offset >= text.length ? { problem: cause('ends_early'), offset: text.length } : { problem, offset })

  if (text.charCodeAt(0) === 0xfeff) return fail({ problem: cause('byte_order_mark'), offset: 0 })
  /** Skips `"key" :`; null on success. */
  const passKey = (): JsonProblem | null => {
    if (text[at] !== '"') return { problem: cause('key_expected'), offset: at }
    const end = stringEnd(text, at)
    const problem = stringProblem(text, at, end)
    if (problem !== null) return problem
    visitor?.key({ start: at, end })
    at = whitespaceEnd(text, end)
    if (text[at] !== ':') return { problem: cause('colon_expected'), offset: at }
    at = whitespaceEnd(text, at + 1)
    return null
  }

  for (;;) {
    // Start of a value.
    const start = at
    let value: JsonValue | null = null
    const sign = text[at]
    if (sign === '{' || sign === '[') {
      if (open.length === jsonDepthLimit) return fail({ problem: cause('too_deep'), offset: at })
      const kind = sign === '{' ? 'object' : 'array'
      visitor?.open(kind)
      at = whitespaceEnd(text, at + 1)
      if (text[at] === (sign === '{' ? '}' : ']')) {
        at++
        value = { kind, start, end: at }
      } else {
        open.push({ kind, start })
        const problem = kind === 'object' ? passKey() : null
        if (problem !== null) return bad(problem.problem, problem.offset)
        continue
      }
    } else if (sign === '"') {
      at = stringEnd(text, at)
      const problem = stringProblem(text, start, at)
      if (problem !== null) return bad(problem.problem, problem.offset)
      value = { kind: 'string', start, end: at }
    } else if (sign === '-' || (sign !== undefined && sign >= '0' && sign <= '9')) {
      const end = numberEnd(text, at)
      if (end === null) return bad(cause('number_malformed'), at)
      at = end
      value = { kind: 'number', start, end }
    } else {
      const literal = literals.find(([word]) => text.startsWith(word, at))
      if (literal === undefined) return bad(cause('value_expected'), at)
      at += literal[0].length
      value = { kind: literal[1], start, end: at }
    }

    // End of a value, and possibly of the containers around it.
    for (;;) {
      visitor?.value(value)
      at = whitespaceEnd(text, at)
      const container = open.at(-1)
      if (container === undefined) {
        return at === text.length ? ok(value) : fail({ problem: cause('more_after_end'), offset: at })
      }
      if (text[at] === ',') {
        at = whitespaceEnd(text, at + 1)
        const problem = container.kind === 'object' ? passKey() : null
        if (problem !== null) return bad(problem.problem, problem.offset)
        break
      }
      if (text[at] !== (container.kind === 'object' ? '}' : ']')) return bad(cause('comma_expected'), at)
      at++
      open.pop()
      value = { ...container, end: at }
    }
  }
}

/** The text of a string or key of a checked document, escapes decoded. */
export function stringText(text: string, { start, end }: Range): string {
  const inner = text.slice(start + 1, end - 1)
  return inner.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inner
}
