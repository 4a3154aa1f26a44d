import { behindBase, isFixedBase } from '@galley/wire'
import type { LinkRewriter } from '@galley/wire'

import type { LinkTarget } from '../page-links.ts'
import type { Urls } from './urls.ts'

/** Rewrites the links of the page at `path` whose target is known. */
export function linkRewriter(
  path: string,
  targetOf: (ref: string) => LinkTarget | null,
  urlsFrom: (path: string) => Urls,
): LinkRewriter {
  const urls = urlsFrom(path)
  return (ref, isFramed, base = null) => {
    const found = targetOf(base === null ? ref : behindBase(base, ref))
    if (found === null) return null
    const { target, tail } = found
    if (base !== null) {
      const from = fileBehind(path, base)
      const link = from === null ? urls.address(target) : urlsFrom(from).to(target)
      return link && link + tail
    }
    return target === path && tail.startsWith('#') && !isFramed ? tail : urls.to(target) + tail
  }
}

/**
 * The address of a page resolved against a relative base; null if the base points outside the bundle, or is the same
 * for every page.
 */
function fileBehind(page: string, base: string): string | null {
  // The parser of URLs ends at the root, so there have to be more folders than a base may leave.
  const root = `https://bundle.invalid/${'x/'.repeat(base.length)}`
  if (isFixedBase(base) || !URL.canParse(base, root + page)) return null
  const { href } = new URL(base.replace(/[?#].*$/s, ''), root + page)
  return href.startsWith(root) ? href.slice(root.length) : null
}
