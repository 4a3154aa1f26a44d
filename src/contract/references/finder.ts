import { temporaryName, temporaryPrefix } from '../temporary-name.ts'
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

/** Tries every place where a head stands behind a left boundary; what is found is passed over as a whole. */
function createFinder(heads: readonly string[], findAt: (text: string, at: number) => Found | null): Finder {
  // Without heads nothing is ever found.
  const head = new RegExp(heads.length === 0 ? '(?!)' : heads.map(escaped).join('|'))
  const [only] = heads
  const nextHead = heads.length === 1 && only !== undefined ? plainSearch(only) : patternSearch(head)
  const find = (text: string): readonly Found[] => {
    const found: Found[] = []
    for (let at = nextHead(text, 0); at !== -1;) {
      const reference = isLeftBoundary(text, at) ? findAt(text, at) : null
      if (reference !== null) found.push(reference)
      at = nextHead(text, reference?.end ?? at + 1)
    }
    return found
  }
  return Object.assign(find, { heads: head })
}

const escaped = (head: string): string => head.replace(/[^\w]/g, '\\$&')

const plainSearch =
  (head: string) =>
  (text: string, from: number): number =>
    text.indexOf(head, from)

function patternSearch(heads: RegExp): (text: string, from: number) => number {
  const pattern = new RegExp(heads, 'g')
  return (text, from) => {
    pattern.lastIndex = from
    return pattern.exec(text)?.index ?? -1
  }
}

/** How far a reference to an unknown file reaches, and what makes it one: a name without an ending is likely a word. */
const unknownName = /[\p{L}\p{N}\p{M}_.%~/-]{1,1024}/uy
const fileEnding = /\.[A-Za-z0-9]{1,10}[./]*$/

/**
 * Finds `dummy-<filename>` as a whole token, for the names of stored files in every spelling; a token that looks like
 * one but names no stored file is found without a replacement.
 */
export function dummyNames(urlByFile: ReadonlyMap<string, string>): Finder {
  const files = new Map([...urlByFile].map(([name, replacement]) => [name, { name, replacement }]))
  const spelled = [...bySpelling(files)].map(([name, target]) => [temporaryName(name), target] as const)
  const longestAt = createLookup(new Map(spelled))
  const unknownAt = (text: string, at: number): Found | null => {
    unknownName.lastIndex = at + temporaryPrefix.length
    const [name] = unknownName.exec(text) ?? []
    if (name === undefined || !fileEnding.test(name)) return null
    const readable = decodedView(plainView(name), percent).text
    return { start: at, end: at + temporaryPrefix.length + name.length, name: readable, replacement: null }
  }
  return createFinder([temporaryPrefix], (text, at) => longestAt(text, at) ?? unknownAt(text, at))
}

/** Scheme and host of a URL, with the slash behind them; anything else as it is. */
const headOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i.exec(url)?.[0] ?? url

/** Finds whole URLs out of a known set, as an export does that points a stored page at files beside it. */
export function knownUrls(targetByUrl: ReadonlyMap<string, string>): Finder {
  const targets = new Map([...targetByUrl].map(([name, replacement]) => [name, { name, replacement }]))
  const heads = [...new Set([...targetByUrl.keys()].map(headOf))]
  return createFinder(heads, createLookup(targets))
}
