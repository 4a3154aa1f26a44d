/** A lossless JSON value: numbers and literals as written, members in order and with duplicates. */
export type Json =
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, value: Json])[] }
  | { readonly kind: 'array'; readonly items: readonly Json[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'plain'; readonly text: string }

const token = /[\s]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\.)*")|(-?[0-9][0-9.eE+-]*|true|false|null))/y

/** Deeper than any state of the kit, and safe for recursive functions. */
const depthMax = 1_000

/** Reads a JSON text without loss; null when it is invalid or too deeply nested. */
export function readExactly(text: string): Json | null {
  try {
    // JSON.parse validates the text, so the reader below can assume valid JSON.
    JSON.parse(text)
    token.lastIndex = 0
    return valueAt(text, next(text), depthMax)
  } catch {
    // Whatever the error is, this is not readable JSON.
    return null
  }
}

interface Token {
  readonly sign?: string | undefined
  readonly string?: string | undefined
  readonly plain?: string | undefined
}

function next(text: string): Token {
  const [, sign, string, plain] = token.exec(text) ?? []
  return { sign, string, plain }
}

function valueAt(text: string, { sign, string, plain }: Token, depthLeft: number): Json {
  if (depthLeft === 0) throw new RangeError('JSON nested too deeply')
  if (string !== undefined) return { kind: 'string', value: JSON.parse(string) as string }
  if (plain !== undefined) return { kind: 'plain', text: plain }
  if (sign === '[') {
    const items: Json[] = []
    for (let at = next(text); at.sign !== ']'; at = next(text)) {
      if (at.sign !== ',') items.push(valueAt(text, at, depthLeft - 1))
    }
    return { kind: 'array', items }
  }
  const members: (readonly [string, Json])[] = []
  for (let at = next(text); at.sign !== '}'; at = next(text)) {
    if (at.string === undefined) continue
    const key = JSON.parse(at.string) as string
    next(text)
    members.push([key, valueAt(text, next(text), depthLeft - 1)])
  }
  return { kind: 'object', members }
}

/** The last member with this name, which takes precedence; undefined if there is none. */
export const member = (value: Json | undefined, key: string): Json | undefined =>
  value?.kind === 'object' ? value.members.findLast(([name]) => name === key)?.[1] : undefined

/** The text of a string value, else undefined. */
export const stringIn = (value: Json | undefined): string | undefined =>
  value?.kind === 'string' ? value.value : undefined
