/**
 * The path of a URL below a site's base URL, still percent-encoded. Null if the URL is outside. http and https are the same
 * site, and the home page also matches without the trailing slash.
 */
export function pathOnSite(url: URL, baseUrl: string | null): string | null {
  if (baseUrl === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  const base = new URL(baseUrl)
  if (url.host !== base.host) return null
  if (`${url.pathname}/` === base.pathname) return ''
  return url.pathname.startsWith(base.pathname) ? url.pathname.slice(base.pathname.length) : null
}

/** Whether a reference starts at the root of its host: `/x`, but not `//host/x`. */
export const isRootRelative = (ref: string): boolean => /^[\\/](?![\\/])/.test(ref)
