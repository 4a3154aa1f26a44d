import { Tokenizer } from 'parse5'

import type { Encoding } from './view.ts'

/** The character with this code point, or null if there is none. */
const character = (code: number): string | null =>
  code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? null : String.fromCodePoint(code)

/** The byte at this index of a sequence such as `%C3%A9`. */
const byteAt = (sequence: string, at: number): number => Number.parseInt(sequence.slice(3 * at + 1, 3 * at + 3), 16)

/** The smallest code point for each UTF-8 length. Longer encodings are invalid. */
const smallestOf = [0, 0, 0x80, 0x800, 0x10000]

/**
 * One character in percent-encoded UTF-8, as in URLs. An encoded character never delimits a reference: `%20` and `%22` are
 * part of a file name or of a nested address.
 */
export const percent: Encoding = {
  lead: /%/,
  sequence:
    /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}/gi,
  decode: (sequence) => {
    const length = sequence.length / 3
    const first = byteAt(sequence, 0)
    if (length === 1) return character(first)
    let code = first & (0x7f >> length)
    for (let at = 1; at < length; at++) code = code * 64 + (byteAt(sequence, at) & 0x3f)
    return code < (smallestOf[length] ?? 0) ? null : character(code)
  },
  delimits: false,
}

/** Tabs and line breaks, which browsers remove anywhere in an address (URL Standard, 4.4). */
export const lineBreaks: Encoding = {
  lead: /[\t\n\r]/,
  sequence: /[\t\n\r]+/g,
  decode: () => '',
  delimits: true,
}

/** The escapes of JSON strings (RFC 8259, 7). The halves of a surrogate pair are decoded separately and joined again. */
export const jsonEscapes: Encoding = {
  lead: /\\/,
  sequence: /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g,
  decode: (sequence) => JSON.parse(`"${sequence}"`) as string,
  delimits: true,
}

/** What browsers read for a NUL in HTML and CSS. */
const replacement = '\uFFFD'

/** The escapes of CSS (CSS Syntax 4.3.7), with the blank that may follow a hex escape. An escaped line break is removed. */
export const cssEscapes: Encoding = {
  lead: /[\\\0]/,
  sequence: /\0|\\(?:[0-9a-f]{1,6}(?:\r\n|[ \n\r\t\f])?|\r\n|[^])/gi,
  decode: (sequence) => {
    if (sequence === '\0') return replacement
    const code = Number.parseInt(sequence.slice(1), 16)
    if (Number.isNaN(code)) return /^\\[\r\n\f]/.test(sequence) ? '' : sequence.slice(1)
    return code === 0 ? replacement : (character(code) ?? replacement)
  },
  delimits: true,
}

/** The size of the cache of character references: a typical page has a dozen, a hostile one a million. */
const cacheMax = 10_000

/**
 * Character references in attribute values: a name without a semicolon counts only if no `=`, letter or digit follows.
 * Decoded by parse5 and cached by this encoding.
 */
export function entities(): Encoding {
  const known = new Map<string, string | null>()
  let value = ''
  const ignore = (): void => undefined
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onComment: ignore,
      onDoctype: ignore,
      onEndTag: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onParseError: null,
      onStartTag: ({ attrs }) => void (value = attrs[0]?.value ?? ''),
    },
  )
  const meaning = (sequence: string): string | null => {
    tokenizer.write(`<i title="${sequence}">`, false)
    return value === sequence ? null : value
  }
  return {
    lead: /[&\0]/,
    sequence: /\0|&(?:#[0-9]+;?|#x[0-9a-f]+;?|[a-z][a-z0-9]{0,31}(?:;|(?![=a-z0-9])))/gi,
    decode: (sequence) => {
      if (sequence === '\0') return replacement
      const remembered = known.get(sequence)
      if (remembered !== undefined) return remembered
      const found = meaning(sequence)
      if (known.size < cacheMax) known.set(sequence, found)
      return found
    },
    delimits: true,
  }
}
