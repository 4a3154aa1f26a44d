import { percent } from './encodings.ts'
import { createLongestKey } from './longest-key.ts'
import { bySpelling } from './spellings.ts'
import { temporaryName, temporaryPrefix } from './temporary-name.ts'
import type { TextKind } from './view.ts'
import { decodedView, plainView } from './view.ts'

/** A reference in decoded text. `start` and `end` are UTF-16 offsets into it. */
export interface Found {
  readonly start: number
  readonly end: number
  /** The file name, or the known URL. */
  readonly name: string
  /** The replacement; null if the file is not stored: the reference stays and is reported. */
  readonly replacement: string | null
}

/**
 * Finds the references in decoded text, in order and without overlaps. `heads`, if present, matches the beginning of every
 * reference, so that a text without a match is not parsed. `mentions` matches what a script would build one from; without it
 * this is `heads`.
 */
export type Finder = ((text: string, kind?: TextKind) => readonly Found[]) & {
  readonly heads?: RegExp
  readonly mentions?: RegExp
}

/**
 * The characters allowed in a replacement. They need no escaping in attributes (quoted or not), srcset, CSS url() and
 * strings, and JSON strings (see public-url.ts).
 */
const safeEverywhere = /^[A-Za-z0-9\-._~:/%[\]]+$/

interface Target {
  readonly name: string
  readonly replacement: string
}

const asciiSet = (characters: string): Uint8Array => {
  const set = new Uint8Array(0x80)
  for (const character of characters) set[character.charCodeAt(0)] = 1
  return set
}

// Characters that continue a name or a path: a token next to one of them is part of a longer one.
const continues = asciiSet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-./%~@')

const wordCharacter = /[\p{L}\p{N}\p{M}]/u

/** Whether a reference may begin at `at`: at the start of the text, or after a character that does not continue a name. */
function isLeftBoundary(text: string, at: number): boolean {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  if (before < 0x80) return continues[before] === 0
  const isPair = at > 1 && before >= 0xdc00 && before <= 0xdfff
  return !wordCharacter.test(text.slice(isPair ? at - 2 : at - 1, at))
}

/** Whether a reference may end at `at`: at the end of the text, or before a character that does not continue its name. */
function isRightBoundary(text: string, at: number): boolean {
  if (at >= text.length) return true
  const after = text.charCodeAt(at)
  if (after < 0x80) return continues[after] === 0
  // The middle of a surrogate pair is not a boundary.
  return !((after >= 0xdc00 && after <= 0xdfff) || wordCharacter.test(String.fromCodePoint(text.codePointAt(at) ?? 0)))
}

/** The longest reference that begins at `at` and ends at a boundary. */
function createLookup(targets: ReadonlyMap<string, Target>): (text: string, at: number) => Found | null {
  for (const { replacement } of targets.values()) {
    if (!safeEverywhere.test(replacement)) throw new Error(`Not safe to write into a page: ${replacement}`)
  }
  const longestKey = createLongestKey(targets.keys())
  return (text, at) => {
    const key = longestKey(text, at, (end) => isRightBoundary(text, end))
    const target = key === null ? undefined : targets.get(key)
    return key === null || target === undefined ? null : { start: at, end: at + key.length, ...target }
  }
}

/** Tries every match of `heads` and skips to the end of what it finds. */
function createFinder(heads: RegExp, findAt: (text: string, at: number, kind: TextKind) => Found | null): Finder {
  // Compiled once: a page has hundreds of thousands of short texts.
  const head = new RegExp(heads, `g${heads.flags}`)
  const find = (text: string, kind: TextKind = 'text'): readonly Found[] => {
    const found: Found[] = []
    head.lastIndex = 0
    for (let match = head.exec(text); match !== null; match = head.exec(text)) {
      const reference = findAt(text, match.index, kind)
      if (reference === null) continue
      found.push(reference)
      head.lastIndex = reference.end
    }
    return found
  }
  return Object.assign(find, { heads })
}

/** The start of the `./` steps before a name: `./dummy-a.png` means `dummy-a.png`. */
function sameFolderStart(text: string, at: number): number {
  let start = at
  while (text.startsWith('./', start - 2) && start > 1) start -= 2
  return start
}

const pathMaxChars = 128
const pathEnd = /(?<![\p{L}\p{N}:/._~%@-])(?!\/\/)[\p{L}\p{N}_.%~/-]*\/$/u

/** The start of the same-site path that ends at `at`; null if there is none, or if it is on another host. */
function pathStart(text: string, at: number): number | null {
  const from = Math.max(0, at - pathMaxChars)
  const start = text[at - 1] === '/' ? text.slice(from, at).search(pathEnd) : -1
  return start === -1 || (start === 0 && from > 0) ? null : from + start
}

/** How many blanks may precede an address; more would make the time depend on both lengths. */
const blanksMax = 128

/** What precedes an image candidate: a blank, or the descriptor of the candidate before it and a comma. */
const betweenCandidates = /(?:^|\s|\s[0-9.]{1,9}[wxh],)$/

/** Whether an address begins at `at`. */
function beginsAddress(text: string, at: number, kind: TextKind): boolean {
  if (kind === 'candidates') return betweenCandidates.test(text.slice(Math.max(0, at - 12), at))
  return kind === 'address' && at <= blanksMax && text.slice(0, at).trim() === ''
}

/** The rest of an address up to its query or fragment. Candidates end at a blank. */
const addressRest = { address: /[^?#]*/y, candidates: /[^?#\s]*/y }
/** The characters that follow an address without being part of it. */
const isAfter = {
  address: (sign: string): boolean => sign <= ' ',
  candidates: (sign: string): boolean => sign === ',',
}

/** What an address contains from `from` on, without its query and fragment. */
export function restOfAddress(text: string, from: number, kind: Exclude<TextKind, 'text'>): string {
  const rest = addressRest[kind]
  rest.lastIndex = from
  const found = rest.exec(text)?.[0] ?? ''
  let end = found.length
  while (end > 0 && isAfter[kind](found.charAt(end - 1))) end--
  return found.slice(0, end)
}

/** The file name that an address contains from `from` on; null if no file may have it. */
function addressedName(text: string, from: number, kind: Exclude<TextKind, 'text'>): string | null {
  const name = restOfAddress(text, from, kind)
  const isLegal = name.split('/').every((part) => !/^\.{0,2}$/.test(part)) && !/[\p{Cc}\u2028\u2029\\]/u.test(name)
  return isLegal ? name : null
}

/** Whether a reference that begins at `start` is no part of a longer address, such as of `dummy-a.png (1).png`. */
const isWhole = (text: string, start: number, { end }: Found, kind: TextKind): boolean =>
  kind === 'text' || !beginsAddress(text, start, kind) || restOfAddress(text, end, kind) === ''

/** Matches a reference to an unknown file. A name without an extension is more likely a word. */
const unknownName = /[\p{L}\p{N}\p{M}_.%~@/-]{1,1024}/uy
const fileEnding = /\.[A-Za-z0-9]{1,10}[./]*$/

/**
 * Finds `dummy-<filename>` as a whole token, for all spellings of stored file names. A similar token that matches no stored
 * file (another name, case or folder) is returned without a replacement. `assets`: further names of files, without which
 * `/dummy-x` is more likely a page of the site.
 */
export function dummyNames(urlByFile: ReadonlyMap<string, string>, assets?: ReadonlySet<string>): Finder {
  const files = new Map([...urlByFile].map(([name, replacement]) => [name, { name, replacement }]))
  const spelled = [...bySpelling(files)].map(([name, target]) => [temporaryName(name), target] as const)
  const longestAt = createLookup(new Map(spelled))
  const unknownAt = (text: string, start: number, at: number, kind: TextKind): Found | null => {
    const from = at + temporaryPrefix.length
    const first = sameFolderStart(text, start)
    const addressed = kind !== 'text' && beginsAddress(text, first, kind) ? addressedName(text, from, kind) : null
    unknownName.lastIndex = from
    const name = addressed ?? unknownName.exec(text)?.[0]
    // A name without an extension is certainly not a word only where an address begins with it, or if a file has it.
    const isFile = addressed !== null && (start === at || urlByFile.has(addressed) || assets?.has(addressed) === true)
    if (name === undefined || (!isFile && !fileEnding.test(name))) return null
    const end = at + temporaryPrefix.length + name.length
    const isPlain = start === at && text.startsWith(temporaryPrefix, at)
    const readable = decodedView(plainView(isPlain ? name : text.slice(start, end)), percent).text
    return { start, end, name: readable, replacement: null }
  }
  return createFinder(new RegExp(temporaryPrefix, 'i'), (text, at, kind) => {
    const start = sameFolderStart(text, at)
    if (isLeftBoundary(text, start)) {
      const found = longestAt(text, at)
      return found === null || !isWhole(text, start, found, kind) ? unknownAt(text, at, at, kind) : { ...found, start }
    }
    const path = pathStart(text, at)
    return path === null ? null : unknownAt(text, path, at, kind)
  })
}

/**
 * Finds addresses that are relative to the place of their text and lead to a known file; a query or fragment behind the path
 * stays. Everything else is left alone.
 */
export function relativePaths(urlByPath: ReadonlyMap<string, string>): Finder {
  const paths = new Map([...urlByPath].map(([name, replacement]) => [name, { name, replacement }]))
  return (text, kind) => {
    const [lead = ''] = /^\s*(?:\.\/)*/.exec(text) ?? []
    const full = text.slice(lead.length).trimEnd()
    // A name may contain `?` or `#`, so the whole address comes first.
    const found = kind === 'address' ? (paths.get(full) ?? paths.get(full.replace(/[?#].*$/s, ''))) : undefined
    const start = lead.length - lead.trimStart().length
    return found === undefined ? [] : [{ ...found, start, end: lead.length + found.name.length }]
  }
}

/** The scheme and host of a URL with the slash after them. Returns other texts unchanged. */
const headOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i.exec(url)?.[0] ?? url

/** Finds URLs of a known set. Exports use it to point a stored page at its local files. */
export function knownUrls(targetByUrl: ReadonlyMap<string, string>): Finder {
  const targets = new Map([...targetByUrl].map(([name, replacement]) => [name, { name, replacement }]))
  const heads = [...new Set([...targetByUrl.keys()].map(headOf))].map((head) => head.replace(/[^\w]/g, '\\$&'))
  const lookup = createLookup(targets)
  // Without targets, the pattern never matches.
  return createFinder(new RegExp(heads.length === 0 ? '(?!)' : heads.join('|')), (text, at) =>
    isLeftBoundary(text, at) ? lookup(text, at) : null,
  )
}
