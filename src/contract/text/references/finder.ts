import { temporaryName, temporaryPrefix } from './temporary-name.ts'
import { isLeftBoundary, isRightBoundary } from './boundaries.ts'
import { percent } from './encodings.ts'
import { createLongestKey } from './longest-key.ts'
import { bySpelling } from './spellings.ts'
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
 * reference, so that a text without a match is not parsed.
 */
export type Finder = ((text: string) => readonly Found[]) & { readonly heads?: RegExp }

/**
 * The characters allowed in a replacement. They need no escaping in attributes (quoted or not), srcset, CSS url() and
 * strings, and JSON strings (see public-url.ts).
 */
const safeEverywhere = /^[A-Za-z0-9\-._~:/%[\]]+$/

interface Target {
  readonly name: string
  readonly replacement: string
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
function createFinder(heads: RegExp, findAt: (text: string, at: number) => Found | null): Finder {
  // Compiled once: a page has hundreds of thousands of short texts.
  const head = new RegExp(heads, `g${heads.flags}`)
  const find = (text: string): readonly Found[] => {
    const found: Found[] = []
    head.lastIndex = 0
    for (let match = head.exec(text); match !== null; match = head.exec(text)) {
      const reference = findAt(text, match.index)
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

/** Matches a reference to an unknown file. A name without an extension is more likely a word. */
const unknownName = /[\p{L}\p{N}\p{M}_.%~/-]{1,1024}/uy
const fileEnding = /\.[A-Za-z0-9]{1,10}[./]*$/

/**
 * Finds `dummy-<filename>` as a whole token, for all spellings of stored file names. A similar token that matches no stored
 * file (another name, case or folder) is returned without a replacement.
 */
export function dummyNames(urlByFile: ReadonlyMap<string, string>): Finder {
  const files = new Map([...urlByFile].map(([name, replacement]) => [name, { name, replacement }]))
  const spelled = [...bySpelling(files)].map(([name, target]) => [temporaryName(name), target] as const)
  const longestAt = createLookup(new Map(spelled))
  const unknownAt = (text: string, start: number, at: number): Found | null => {
    unknownName.lastIndex = at + temporaryPrefix.length
    const [name] = unknownName.exec(text) ?? []
    if (name === undefined || !fileEnding.test(name)) return null
    const end = at + temporaryPrefix.length + name.length
    const isPlain = start === at && text.startsWith(temporaryPrefix, at)
    const readable = decodedView(plainView(isPlain ? name : text.slice(start, end)), percent).text
    return { start, end, name: readable, replacement: null }
  }
  return createFinder(new RegExp(temporaryPrefix, 'i'), (text, at) => {
    const start = sameFolderStart(text, at)
    if (isLeftBoundary(text, start)) {
      const found = longestAt(text, at)
      return found === null ? unknownAt(text, at, at) : { ...found, start }
    }
    const path = pathStart(text, at)
    return path === null ? null : unknownAt(text, path, at)
  })
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
