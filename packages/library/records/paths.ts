import { isDocumentName, isRedirectPath, redirectParts } from './page-path.ts'

/** Fixed paths in a bundle. Pages are at `<address>/index.html`, stored files in `media/` and `fonts/`. */
export const bundlePath = {
  home: 'index.html',
  tags: 'tags/index.html',
  archive: 'archive/index.html',
  search: 'search/index.html',
  searchPages: 'search/pages.js',
  notFound: '404.html',
  favicon: 'favicon.svg',
  fontsCss: 'fonts/fonts.css',
  sitemap: 'sitemap.xml',
  robots: 'robots.txt',
  atom: 'feed.xml',
  jsonFeed: 'feed.json',
  manifest: 'galley-bundle.json',
  /** Exists while an export runs, so that leftovers of a killed export are known to be Galley's. */
  journal: '.galley-unfinished/files.txt',
  /** Read by hosts that redirect on the server. */
  redirects: '_redirects',
  /** Redirects readers who come with a query. */
  queries: 'theme/redirects.js',
} as const

/** Where an export keeps what is not finished. Git takes nothing of it, and a bundle has no name with a dot in front. */
export const unfinishedFolder = '.galley-unfinished'

const segment = /^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9]+)?$/

/** The file that redirects from an earlier path. */
export const redirectFile = (path: string): string => (isDocumentName(path) ? path : pageFile(path))

/** The files that redirect from these earlier addresses. An address with a query has no file. */
export const formerFiles = (redirectsFrom: readonly string[]): readonly string[] =>
  redirectsFrom.filter((from) => redirectParts(from).query === null).map(redirectFile)

/** Whether a bundle can have this path, which then stays inside its folder on every system. */
export const isBundlePath = (path: string): boolean =>
  path === bundlePath.redirects ||
  (isDocumentName(path) && isRedirectPath(path.replace(/\/index\.html$/, ''))) ||
  (path.length <= 200 && path.split('/').length <= 7 && path.split('/').every((part) => segment.test(part)))

/** The file at an address. */
export const pageFile = (address: string): string => `${address}/index.html`

/** A path as a part of a URL. */
const encoded = (path: string): string =>
  /^[\w./-]*$/.test(path) ? path : path.split('/').map(encodeURIComponent).join('/')

/** The relative reference from one file of the bundle to another. Both paths are relative to the bundle. */
export function relativeUrl(from: string, to: string): string {
  // The common beginning of both, up to a slash.
  let shared = 0
  for (let at = 0; at < from.length && from[at] === to[at]; at++) if (from[at] === '/') shared = at + 1
  const above = from.slice(shared).split('/').length - 1
  return '../'.repeat(above) + encoded(to.slice(shared))
}

/** The address of a page on a web server: its folder. */
export const pageAddress = (baseUrl: string, path: string): string =>
  baseUrl + encoded(path.replace(/index\.html$/, ''))
