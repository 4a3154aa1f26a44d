import type { Cause } from '../../cause.ts'
import { cause } from '../../cause.ts'

/** The lexical half of the JSON reader: finds the ends of whitespace, strings and numbers without recursion. */

const quote = 0x22
const backslash = 0x5c

/** The end of the whitespace at `at`, which may be empty. */
export function whitespaceEnd(text: string, at: number): number {
  let end = at
  for (;;) {
    const code = text.charCodeAt(end)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return end
    end++
  }
}

/** The offset after the closing quote of the string that opens at `at`, or the end of the text if it is never closed. */
export function stringEnd(text: string, at: number): number {
  // Files are embedded as strings of megabytes: indexOf is many times faster than a loop over characters.
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end
    while (text.charCodeAt(escapes - 1) === backslash) escapes--
    if ((end - escapes) % 2 === 0) return end + 1
  }
  return text.length
}

const escape = /(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The violation of RFC 8259 in the string at `[start, end)`, or null. */
export function stringProblem(
  text: string,
  start: number,
  end: number,
): { readonly problem: Cause; readonly offset: number } | null {
  let at = start + 1
  for (; at < end - 1; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20) return { problem: cause('control_character'), offset: at }
    if (code !== backslash) continue
    escape.lastIndex = at + 1
    if (!escape.test(text)) return { problem: cause('unknown_escape'), offset: at }
    at = escape.lastIndex - 1
  }
  // The last quote may be escaped, and an unclosed string has none.
  return text.charCodeAt(at) === quote ? null : { problem: cause('string_open'), offset: text.length }
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

function digitsEnd(text: string, at: number): number {
  let end = at
  while (isDigit(text.charCodeAt(end))) end++
  return end
}

/** The end of the number that begins at `at`, or null if it is not a number. Digits are never converted. */
export function numberEnd(text: string, at: number): number | null {
  const first = text[at] === '-' ? at + 1 : at
  let end = digitsEnd(text, first)
  if (end === first || (text[first] === '0' && end > first + 1)) return null
  if (text[end] === '.') {
    const fraction = end + 1
    end = digitsEnd(text, fraction)
    if (end === fraction) return null
  }
  if (text[end] === 'e' || text[end] === 'E') {
    const exponent = text[end + 1] === '+' || text[end + 1] === '-' ? end + 2 : end + 1
    end = digitsEnd(text, exponent)
    if (end === exponent) return null
  }
  return end
}
