import { createAddressReader, createJoined, entryNameMaxBytes, percentDecoded } from '@galley/wire'

import type { MediaReference } from './changes.ts'

/** A slash, or backslashes, which browsers take for one; escapes double them. */
const slash = '(?:/|\\\\{1,4})'

/** What browsers leave out between two parts of a path: `./` and `x/../`. Bounded, so that the time stays linear. */
const dot = '(?:\\.|%2[eE])'
const dots = `(?:(?:${dot}|[^"'\\s<>()\\\\?#&,;/]{1,64}${slash}${dot}{2})${slash}){0,8}`
const folder = 'media'.replace(/./g, (sign) => `(?:${sign}|%${sign.charCodeAt(0).toString(16)})`)

/** Ends where a URL ends in markup, CSS, srcset or a JSON string. */
const mediaUrl = new RegExp(
  `${slash}${folder}${slash}${dots}([0-9a-f]{32})${slash}${dots}([^"'\\s<>()\\\\?#&,;/]+)`,
  'g',
)

/** The same in a file that is itself in such a folder, from where `../HASH/name` leads to another one. */
const besideMedia = new RegExp(`(?<![0-9A-Za-z])([0-9a-f]{32})${slash}${dots}([^"'\\s<>()\\\\?#&,;/]+)`, 'g')

/** Whether a page may have a base: relative addresses must be resolved then, see `behind-base.ts`. */
export const mayHaveBase = (html: string): boolean => /<base\b/i.test(html)

/**
 * Part of what is recorded with references. Raise it when more are found: what an earlier Galley has read is then read
 * again, before anything is deleted.
 */
export const referencesForm = 2

/** The part of a URL before its media path. Galley creates no longer ones. */
const beforePath = /(?:https?:)?[\\/]{2}[^"'\s<>()?#,;]*$/i
const beforeMaxChars = 300

/** The characters that Galley writes in a name. A browser includes more characters, an export does not. */
const writtenName = /^[A-Za-z0-9\-._~%]+/

/** Identifies a file by what its URL names. The name counts too: equal bytes are served by every name that was saved. */
export const referenceKey = ({ hashStart, name }: MediaReference): string => `${hashStart}/${name}`

/**
 * The media files to which page and state refer by public URL, except those in `own` (keys of references). `bases` are
 * the accepted base URLs without a trailing slash; null accepts any, and every way to read an encoded URL, because an
 * unnecessary reference only keeps a file longer. `isFile`: the texts are media files.
 */
export function mediaReferences(
  texts: readonly string[],
  own: ReadonlySet<string>,
  { bases = null, isFile = false }: { readonly bases?: readonly string[] | null; readonly isFile?: boolean } = {},
): readonly MediaReference[] {
  const named = isFile && bases === null ? besideMedia : mediaUrl
  const found = new Map<string, MediaReference>()
  // A page refers to a file many times, and every decoded form repeats that.
  const seen = new Set<string>()
  const read = bases && createAddressReader(bases)
  for (const text of texts) {
    for (const reading of bases === null ? everyReading(text) : levels(text)) {
      for (const { 0: written, 1: hashStart = '', 2: encoded = '', index } of reading.matchAll(named)) {
        const before = read && beforePath.exec(reading.slice(Math.max(0, index - beforeMaxChars), index))?.[0]
        if (read && (before === undefined || read(before + written) === null)) continue
        const whole = bases === null ? wholeName(reading, index + written.length - encoded.length, encoded) : ''
        const key = `${written} ${whole}`
        if (seen.has(key)) continue
        seen.add(key)
        for (const name of bases === null ? everyName(encoded, whole) : [decoded(encoded)]) {
          const reference = referenceKey({ hashStart, name })
          if (!own.has(reference)) found.set(reference, { hashStart, name: fitting(name) })
        }
      }
    }
  }
  return [...found.values()]
}

/**
 * Whether two references may mean the same file. In a text, a name may include what follows its URL, such as a dot, or end
 * too early, for example at a parenthesis.
 */
export const mayBeSameFile = (one: MediaReference, other: MediaReference): boolean =>
  one.hashStart === other.hashStart && (one.name.startsWith(other.name) || other.name.startsWith(one.name))

/** No file has a longer name, and `mayBeSameFile` compares beginnings. */
const fitting = (name: string): string => name.slice(0, entryNameMaxBytes).toWellFormed()

const decoded = (name: string): string => percentDecoded(name) ?? name

/** A name with characters that are not percent-encoded, up to the end of the address. */
const unencoded = /[^"<>\\/?#\t\n\r]{1,200}(?=["<>?#]|$)/y

/** The rest of an address that ends with a quote, as a browser reads it; '' if it ends with its first part. */
function wholeName(text: string, from: number, first: string): string {
  if (text[from + first.length] === '"') return ''
  unencoded.lastIndex = from
  return unencoded.exec(text)?.[0].trimEnd() ?? ''
}

/** The names that a URL may mean: to its end as a browser or an export sees it, encoded once or, in another URL, twice. */
const everyName = (encoded: string, whole: string): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const name of [encoded, writtenName.exec(encoded)?.[0] ?? encoded, whole, whole.replace(/'.*$/, '')])
    if (name !== '') names.add(decoded(name)).add(decoded(decoded(name)))
  return names
}

/** How deep encodings are nested at most, such as JSON that holds markup that holds CSS. */
const depthMax = 4

/** The text, and what is left of it when escapes and entities are decoded, again and again. */
function* levels(text: string): Generator<string> {
  let level = text
  for (let depth = 0; depth <= depthMax; depth++) {
    yield level
    const next = replaced(level, escaped, meaningOf)
    if (next === level) return
    level = next
  }
}

/** Each level with and without percent-encoding of characters that need none, and line breaks inside addresses. */
function* everyReading(text: string): Generator<string> {
  for (const level of levels(text)) {
    const unbroken = replaced(level, lineBreaks, () => '')
    for (const reading of new Set([level, unbroken])) {
      yield reading
      const plain = replaced(reading, percentEncoded, (_, code = '') => character(code))
      if (plain !== reading) yield plain
    }
  }
}

/**
 * Escapes of JSON and CSS and entities that mean an ASCII character. Backslashes and `&amp;` add up where encodings are
 * nested. Bounded, so that the time stays linear.
 */
const escaped =
  /\\{1,8}(?:u00([0-7][0-9a-f])|([0-9a-f]{1,6})(?:\r\n|[ \n\r\t\f])?|([/g-mo-qsv-z._~%:&-])|\r?\n)|&(?:amp;){0,4}(?:#x0{0,6}([0-9a-f]{1,2})(?![0-9a-f])|#0{0,6}([0-9]{1,3})(?![0-9])|(amp|bsol|lowbar|newline|percnt|period|sol|tab|underbar)(?![a-z0-9]));?/gi

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  bsol: '\\',
  lowbar: '_',
  newline: '\n',
  percnt: '%',
  period: '.',
  sol: '/',
  tab: '\t',
  underbar: '_',
}

/** Percent-encoded characters that a URL may also hold as they are, `/` and `%`. */
const percentEncoded = /%(2[5d-f]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi

/** Tabs and line breaks between characters of an address, also as JSON writes them. Browsers remove them. */
const lineBreaks = /(?<=[\w\-.~/%])(?:[\t\n\r]|\\{1,8}[nrt]){1,8}(?=[\w\-.~/%])/g

const character = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))

/** null for characters outside of ASCII: no URL of Galley has one. */
function meaningOf(...[, json, css, plain, hex, decimal, name]: readonly (string | undefined)[]): string | null {
  if (plain !== undefined) return plain
  if (name !== undefined) return entities[name.toLowerCase()] ?? null
  const code = decimal === undefined ? Number.parseInt(json ?? css ?? hex ?? '', 16) : Number(decimal)
  // Only an escaped line break has no code: CSS removes it.
  return Number.isNaN(code) ? '' : code < 0x80 ? String.fromCharCode(code) : null
}

/** The text with every match replaced. `String.replace` would keep all matches in memory. */
function replaced(
  text: string,
  pattern: RegExp,
  meaning: (...match: readonly (string | undefined)[]) => string | null,
): string {
  const joined = createJoined()
  let done = 0
  for (const match of text.matchAll(pattern)) {
    const replacement = meaning(...match)
    if (replacement === null) continue
    joined.add(text.slice(done, match.index))
    joined.add(replacement)
    done = match.index + match[0].length
  }
  return done === 0 ? text : joined.text() + text.slice(done)
}
