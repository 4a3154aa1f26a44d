import { bundlePath } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'
import { percentDecoded } from '@galley/wire'

import type { QueryRedirect, Redirect } from './layout.ts'
import { isRootRelative, pathOnSite } from './site-path.ts'

/** The pages of a bundle as targets of links. All paths are files of the bundle. */
export interface LinkedPages {
  readonly pages: readonly { readonly materialId: MaterialId; readonly path: string }[]
  /** Generated pages, such as lists. */
  readonly others: readonly string[]
  readonly redirects: readonly Redirect[]
  readonly queries: readonly QueryRedirect[]
}

/** The target of a link, and the query or anchor after its path. */
export interface LinkTarget {
  readonly target: string
  readonly tail: string
}

const materialLink = /^galley:material\/([^?#]+)(.*)$/is

/** The material id and the rest of a `galley:material/ID` link; null for any other reference. */
export function materialOf(ref: string): { readonly id: string; readonly tail: string } | null {
  const [, encoded, tail = ''] = materialLink.exec(ref) ?? []
  return encoded === undefined ? null : { id: percentDecoded(encoded) ?? encoded, tail }
}

/**
 * Resolves an author's link to a page: by material id, by the page's current or earlier URL, or by a root-relative path.
 * null: the link is none of these.
 */
export function createPageLinks({ pages, others, redirects, queries }: LinkedPages, baseUrl: string | null) {
  const byMaterial = new Map<string, string>(pages.map(({ materialId, path }) => [materialId, path]))
  const byAddress = new Map<string, string>([
    ...redirects.map(({ from, to }) => [addressIn(from), to] as const),
    // A current address takes precedence over a redirect.
    ...[bundlePath.home, ...others, ...pages.map(({ path }) => path)].map((path) => [addressIn(path), path] as const),
  ])
  const byQuery = new Map(queries.map(({ from, query, to }) => [`${addressIn(from)}?${query}`, to]))

  /** Resolves a path below the site's root. */
  function atAddress({ search, hash }: URL, path: string | null): LinkTarget | null {
    const asked =
      path === null
        ? undefined
        : byQuery.get(`${addressIn(percentDecoded(path) ?? path)}?${new URLSearchParams(search).toString()}`)
    if (asked !== undefined) return { target: asked, tail: hash }
    const target = path === null ? undefined : byAddress.get(addressIn(percentDecoded(path) ?? path))
    return target === undefined ? null : { target, tail: search + hash }
  }

  return (ref: string): LinkTarget | null => {
    const material = materialOf(ref)
    if (material !== null) {
      const target = byMaterial.get(material.id)
      return target === undefined ? null : { target, tail: material.tail }
    }
    if (isRootRelative(ref)) {
      const url = new URL(ref, baseUrl ?? 'https://bundle.invalid/')
      // Authors mean the root of the site, which the base URL may place below the root of its host.
      return atAddress(url, pathOnSite(url, baseUrl)) ?? atAddress(url, url.pathname.slice(1))
    }
    if (baseUrl === null || !/^(?:https?:)?\/\//i.test(ref) || !URL.canParse(ref, baseUrl)) return null
    const url = new URL(ref, baseUrl)
    return atAddress(url, pathOnSite(url, baseUrl))
  }
}

/** An address without a trailing slash and `index.html`, which web servers treat alike. */
const addressIn = (path: string): string => path.replace(/(^|\/)index\.html?$/, '$1').replace(/\/+$/, '')
