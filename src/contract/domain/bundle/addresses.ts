import type { MaterialId } from '../../ids.ts'
import type { Result } from '../../result.ts'
import { fail, ok } from '../../result.ts'
import { bundleFolders, isPagePath, isWindowsDevice, pathMaxChars, pathMaxSegments } from '../page-path.ts'
import { plainName } from './slug.ts'

// Addresses of pages: lower-case segments joined by `/`, without a slash at either end. An address is decided once and
// then kept; only a person moves a page, and what was its address then redirects to it.

/** Places of lists and other pages that a theme makes: no material gets one of these as its address from now on. */
const keptFree: ReadonlySet<string> = new Set(['posts', 'tags', 'archive', 'search', 'page', 'assets'])

/** With an id behind it, such a path is one that a page can have. */
const maxWishedChars = 150

export type AddressProblem = 'empty' | 'too_deep' | 'too_long' | 'reserved'

/** An address as a person writes it: each segment is made plain, and nothing else is changed silently. */
export function readAddress(text: string): Result<string, AddressProblem> {
  const segments = text
    .trim()
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .map((segment) => plainName(segment, pathMaxChars))
  if (segments.some((segment) => segment === '')) return fail('empty')
  if (segments.length > pathMaxSegments) return fail('too_deep')
  const path = segments.join('/')
  if (path.length > maxWishedChars) return fail('too_long')
  return isPagePath(path) && !keptFree.has(segments[0] ?? '') ? ok(path) : fail('reserved')
}

/** A material as its address depends on it. */
export interface Addressed {
  readonly materialId: MaterialId
  readonly title: string
  /** What somebody asked for; the material's id where nobody did. */
  readonly slug: string
  /** Null: not decided yet. */
  readonly path: string | null
  readonly redirectsFrom: readonly string[]
}

/**
 * The address of each material, in the order given, which is that of their arrival. Decided ones stay, and nobody gets one
 * that redirects to another page. Of the others the first to want an address gets it; later ones take their id behind it.
 */
export function addressesOf(materials: readonly Addressed[]): readonly string[] {
  const taken = new Set(
    materials.flatMap(({ path, redirectsFrom }) => [...(path === null ? [] : [path]), ...redirectsFrom]),
  )
  return materials.map((material) => material.path ?? place(wishedPath(material), material.materialId, taken))
}

/**
 * The folder name of each page of a bundle by the rule of earlier versions of Galley, which knew no nested addresses and
 * decided anew for each bundle.
 */
export function pageFolders(
  pages: readonly { readonly slug: string; readonly title: string; readonly materialId: string }[],
): readonly string[] {
  const taken = new Set<string>()
  return pages.map(({ slug, title, materialId }) =>
    place(unreserved(plainName(slug) || plainName(title) || plainName(materialId) || 'page'), materialId, taken),
  )
}

/** A slug that nobody gave is the id: the title reads better. */
function wishedPath({ slug, title, materialId }: Addressed): string {
  const given = slug === materialId ? '' : nested(slug)
  const path = given || plainName(title) || plainName(materialId) || 'page'
  const [first = '', ...rest] = path.split('/')
  return [keptFree.has(first) ? `${first}-page` : unreserved(first), ...rest.map(spared)].join('/')
}

/** The segments of a slug that say something, as many as a path may have. */
function nested(slug: string): string {
  const segments = slug
    .split('/')
    .map((segment) => plainName(segment))
    .filter((segment) => segment !== '')
  const last = segments.slice(pathMaxSegments - 1).join('-')
  const path = [...segments.slice(0, pathMaxSegments - 1), ...(last === '' ? [] : [plainName(last)])].join('/')
  return path.slice(0, maxWishedChars).replace(/[-/]+$/, '')
}

const spared = (segment: string): string => (isWindowsDevice(segment) ? `${segment}-page` : segment)
const unreserved = (name: string): string => (bundleFolders.has(name) ? `${name}-page` : spared(name))

function place(name: string, materialId: string, taken: Set<string>): string {
  const id = plainName(materialId, 24)
  const free = firstFree([name, ...(id === '' ? [] : [`${name}-${id}`])], taken)
  taken.add(free)
  return free
}

function firstFree(names: readonly string[], taken: ReadonlySet<string>): string {
  const free = names.find((name) => !taken.has(name))
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const numbered = `${names.at(-1) ?? 'page'}-${number}`
    if (!taken.has(numbered)) return numbered
  }
}

/** Where a page is and was. */
export type Address = Pick<Addressed, 'materialId' | 'path' | 'redirectsFrom'>

/** Who else has an address. */
export interface AddressHolders {
  /** The page that is there. */
  readonly page: Address | null
  /** The page that it redirects to. */
  readonly redirecting: Address | null
}

/**
 * The addresses that change when a person moves a page; fails with the material that is there already. The old address
 * redirects to the page from then on, and the new one to nobody else any more.
 */
export function movedAddresses(
  own: Address,
  to: string,
  { page, redirecting }: AddressHolders,
): Result<readonly Address[], MaterialId> {
  if (own.path === to) return ok([])
  if (page !== null && page.materialId !== own.materialId) return fail(page.materialId)
  const former = [...(own.path === null ? [] : [own.path]), ...own.redirectsFrom]
  const moved = { materialId: own.materialId, path: to, redirectsFrom: former.filter((path) => path !== to) }
  if (redirecting === null || redirecting.materialId === own.materialId) return ok([moved])
  return ok([{ ...redirecting, redirectsFrom: redirecting.redirectsFrom.filter((path) => path !== to) }, moved])
}
