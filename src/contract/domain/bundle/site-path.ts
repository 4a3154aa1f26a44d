/**
 * The path below a site's base URL that a URL leads to, percent-encoded as it is; null: it leads elsewhere. http and
 * https mean the same site, and its home page is there without the last slash, too.
 */
export function pathOnSite(url: URL, baseUrl: string | null): string | null {
  if (baseUrl === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  const base = new URL(baseUrl)
  if (url.host !== base.host) return null
  if (`${url.pathname}/` === base.pathname) return ''
  return url.pathname.startsWith(base.pathname) ? url.pathname.slice(base.pathname.length) : null
}

/** Whether a reference begins at the root of its host: `/x`, but not `//host/x`. */
export const isRootRelative = (ref: string): boolean => /^[\\/](?![\\/])/.test(ref)
