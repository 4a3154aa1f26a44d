import { temporaryName, temporaryPrefix } from './temporary-name.ts'
import { isLeftBoundary, isRightBoundary } from './boundaries.ts'
import { percent } from './encodings.ts'
import { createLongestKey } from './longest-key.ts'
import { bySpelling } from './spellings.ts'
import { decodedView, plainView } from './view.ts'

/** One reference in decoded text; `start` and `end` are UTF-16 offsets into it. */
export interface Found {
  readonly start: number
  readonly end: number
  /** The file name, or the known URL. */
  readonly name: string
  /** What takes the reference's place; null: the file is not there, so the reference stays and is reported. */
  readonly replacement: string | null
}

/**
 * Finds the references in decoded text, in order and without overlaps. `heads`, where a finder has it, says how every
 * reference begins, so that a text without any needs no parsing.
 */
export type Finder = ((text: string) => readonly Found[]) & { readonly heads?: RegExp }

/**
 * What may be written in place of a reference. These characters mean themselves in attributes (quoted or not), srcset,
 * CSS url() and strings, and JSON strings alike, so nothing is ever escaped on the way in (public-url.ts makes them).
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

/** Tries every place where a head stands; what is found is passed over as a whole. */
function createFinder(heads: RegExp, findAt: (text: string, at: number) => Found | null): Finder {
  // Made once: a page asks for hundreds of thousands of short texts.
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

/** Where the steps to the same folder begin that stand before a name: `./dummy-a.png` is `dummy-a.png`. */
function sameFolderStart(text: string, at: number): number {
  let start = at
  while (text.startsWith('./', start - 2) && start > 1) start -= 2
  return start
}

const pathMaxChars = 128
const pathEnd = /(?<![\p{L}\p{N}:/._~%@-])(?!\/\/)[\p{L}\p{N}_.%~/-]*\/$/u

/** Where the path on the page's own site begins that leads to `at`; null where it is none, or one on another host. */
function pathStart(text: string, at: number): number | null {
  const from = Math.max(0, at - pathMaxChars)
  const start = text[at - 1] === '/' ? text.slice(from, at).search(pathEnd) : -1
  return start === -1 || (start === 0 && from > 0) ? null : from + start
}

/** How far a reference to an unknown file reaches, and what makes it one: a name without an ending is likely a word. */
const unknownName = /[\p{L}\p{N}\p{M}_.%~/-]{1,1024}/uy
const fileEnding = /\.[A-Za-z0-9]{1,10}[./]*$/

/**
 * Finds `dummy-<filename>` as a whole token, for the names of stored files in every spelling. What looks like one but
 * leads to no stored file is found without a replacement: another name, one in another case, or one in another folder.
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

/** Scheme and host of a URL, with the slash behind them; anything else as it is. */
const headOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i.exec(url)?.[0] ?? url

/** Finds whole URLs out of a known set, as an export does that points a stored page at files beside it. */
export function knownUrls(targetByUrl: ReadonlyMap<string, string>): Finder {
  const targets = new Map([...targetByUrl].map(([name, replacement]) => [name, { name, replacement }]))
  const heads = [...new Set([...targetByUrl.keys()].map(headOf))].map((head) => head.replace(/[^\w]/g, '\\$&'))
  const lookup = createLookup(targets)
  // Without targets nothing is ever found.
  return createFinder(new RegExp(heads.length === 0 ? '(?!)' : heads.join('|')), (text, at) =>
    isLeftBoundary(text, at) ? lookup(text, at) : null,
  )
}
