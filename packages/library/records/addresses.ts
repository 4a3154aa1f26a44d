import type { MaterialId, Result } from '@galley/wire'
import { fail, ok, percentDecoded } from '@galley/wire'

import {
  bundleFolders,
  bytesOf,
  isPagePath,
  isRedirectAddress,
  isWindowsDevice,
  pathMaxSegments,
  redirectParts,
  segmentMaxBytes,
} from './page-path.ts'
import { addressName, cutName, plainName, wholeName, withEnding } from './slug.ts'

// Addresses of pages: lower-case segments joined by `/`, without a slash at either end. An address is set once and then
// kept. Only a person moves a page, and its old address then redirects to the new one.

/** Paths of the pages that themes generate. New addresses never use them. */
const keptFree: ReadonlySet<string> = new Set(['posts', 'tags', 'archive', 'search', 'page', 'assets'])

/** Leaves room for an appended id. */
const maxRequestedChars = 150

export type AddressProblem = 'empty' | 'too_deep' | 'too_long' | 'reserved'

/** Reads an address that a person typed, or copied with its percent signs. Normalizes each segment and changes nothing else. */
export function readAddress(text: string): Result<string, AddressProblem> {
  const segments = text
    .trim()
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .map((segment) => wholeName(percentDecoded(segment) ?? segment))
  if (segments.some((segment) => segment === '')) return fail('empty')
  if (segments.length > pathMaxSegments) return fail('too_deep')
  const path = segments.join('/')
  if (path.length > maxRequestedChars || segments.some((segment) => bytesOf(segment) > segmentMaxBytes))
    return fail('too_long')
  return isPagePath(path) && !keptFree.has(segments[0] ?? '') ? ok(path) : fail('reserved')
}

/**
 * Reads an earlier address of a page: a path or URL, with or without a query, encoded or not. Its spelling is kept, without
 * an `index.html`, which names the file of its folder. Null if a static site cannot redirect from it.
 */
export function readRedirect(text: string): string | null {
  const { path: before, query } = redirectParts(text.trim().replace(/^https?:\/\/[^/?]+/i, ''))
  const given = before.replace(/^\/+|\/+$/g, '')
  const path = (percentDecoded(given)?.normalize('NFC') ?? given).replace(/(?:^|\/)index\.html$/, '')
  const address = query === null ? path : `${path}?${new URLSearchParams(query).toString()}`
  return isRedirectAddress(address) ? address : null
}

/** The parts of a material that determine its address. */
export interface Addressed {
  readonly materialId: MaterialId
  readonly title: string
  /** The requested slug. Defaults to the material's id. */
  readonly slug: string
  /** Null: not set yet. */
  readonly path: string | null
  readonly redirectsFrom: readonly string[]
  /** Null: `path`. */
  readonly feedPath: string | null
}

/**
 * The address of each material, in order of arrival. Decided addresses never change, and redirects are never reused. If two
 * materials want the same address, the first gets it; the others append their id.
 */
export function addressesOf(materials: readonly Addressed[]): readonly string[] {
  const taken = new Set(
    materials.flatMap(({ path, redirectsFrom, feedPath }) =>
      [path, feedPath, ...redirectsFrom].filter((each) => each !== null),
    ),
  )
  return materials.map((material) => material.path ?? place(requestedPath(material), material.materialId, taken))
}

/** Without a requested slug, `slug` equals the id. The title makes a better address. */
function requestedPath({ slug, title, materialId }: Addressed): string {
  const given = slug === materialId ? '' : nested(slug)
  const path = given || addressName(title) || addressName(materialId) || 'page'
  const [first = '', ...rest] = path.split('/')
  return [keptFree.has(first) ? `${first}-page` : unreserved(first), ...rest.map(withoutDeviceName)].join('/')
}

/** How many segments of a slug are read, also empty ones. */
const segmentsRead = 50

/** The non-empty segments of a slug, up to the maximum depth of a path. */
function nested(slug: string): string {
  const segments = slug
    .split('/', segmentsRead)
    .map((segment) => addressName(segment))
    .filter((segment) => segment !== '')
  const last = segments.slice(pathMaxSegments - 1).join('-')
  const path = [...segments.slice(0, pathMaxSegments - 1), ...(last === '' ? [] : [addressName(last)])].join('/')
  return cutName(path, maxRequestedChars, ({ length }) => length)
}

const withoutDeviceName = (segment: string): string => (isWindowsDevice(segment) ? `${segment}-page` : segment)
const unreserved = (name: string): string => (bundleFolders.has(name) ? `${name}-page` : withoutDeviceName(name))

function namesFor(name: string, materialId: MaterialId): readonly string[] {
  const id = plainName(materialId, 24)
  return [name, ...(id === '' ? [] : [withEnding(name, `-${id}`)])]
}

function place(name: string, materialId: MaterialId, taken: Set<string>): string {
  const free = firstFree(namesFor(name, materialId), taken)
  taken.add(free)
  return free
}

function firstFree(names: readonly string[], taken: Pick<ReadonlySet<string>, 'has'>): string {
  const free = names.find((name) => !taken.has(name))
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const numbered = withEnding(names.at(-1) ?? 'page', `-${number}`)
    if (!taken.has(numbered)) return numbered
  }
}

/** The current and earlier addresses of a page. */
export type Address = Pick<Addressed, 'materialId' | 'path' | 'redirectsFrom' | 'feedPath'>

/** The same of a page that may move. */
export interface MovingAddress extends Address {
  /** Whether readers have ever seen it. */
  readonly isPublished: boolean
}

/** The other users of an address. */
export interface AddressHolders {
  /** The page at this address. */
  readonly page: Address | null
  /** The page that this address redirects to. */
  readonly redirecting: Address | null
  /** The page with a redirect from the current address, where it has no effect. */
  readonly covered: Address | null
  /** The addresses of other pages, and those that identify them in feeds. */
  readonly inFeeds: Pick<ReadonlySet<string>, 'has'>
}

/**
 * The addresses that change when a person moves a page. Fails with the material that already has the new address. The old
 * address becomes a redirect to the page. If the page is published, redirects of other pages from both addresses end;
 * until then, they still work. In feeds, a page is known by its first address, unless another page already is.
 */
export function movedAddresses(
  { isPublished, ...own }: MovingAddress,
  to: string,
  { page, redirecting, covered, inFeeds }: AddressHolders,
): Result<readonly Address[], MaterialId> {
  if (own.path === to) return ok([])
  const isOther = (other: Address | null): other is Address => other !== null && other.materialId !== own.materialId
  if (isOther(page)) return fail(page.materialId)
  const left = own.path !== null && (isPublished || !isOther(covered)) ? [own.path] : []
  const feedPath = own.feedPath ?? own.path ?? firstFree(namesFor(to, own.materialId), inFeeds)
  const redirectsFrom = [...left, ...own.redirectsFrom].filter((path) => path !== to)
  const others = isPublished ? [redirecting, covered].filter(isOther) : []
  const ended = others.map((other): readonly [MaterialId, Address] => [
    other.materialId,
    { ...other, redirectsFrom: other.redirectsFrom.filter((path) => path !== to && path !== own.path) },
  ])
  return ok([...new Map(ended).values(), { ...own, path: to, redirectsFrom, feedPath }])
}
