import { bundleFolders, isPagePath, isWindowsDevice, pathMaxChars, pathMaxSegments } from '../page-path.ts'

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
  /** Read by hosts that redirect on the server. */
  redirects: '_redirects',
} as const

const segment = /^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9]+)?$/

/** What the root of a bundle has besides pages. */
const ownNames: ReadonlySet<string> = new Set([...bundleFolders, ...Object.values(bundlePath)])
const documentName = /\.html?$/i
const earlierName = /^[a-z0-9_~-](?:[a-z0-9._~-]*[a-z0-9_~-])?$/i

/**
 * Whether a page can redirect from this path, for example one of the site before Galley: it keeps its spelling. Only the last
 * name may be that of a document, whose file has this path; any other path is a folder.
 */
export function isRedirectPath(path: string): boolean {
  if (isPagePath(path)) return true
  const names = path.split('/')
  return (
    path.length <= pathMaxChars &&
    names.length <= pathMaxSegments &&
    !ownNames.has(names[0]?.toLowerCase() ?? '') &&
    !names.slice(0, -1).some((name) => documentName.test(name)) &&
    names.every((name) => earlierName.test(name) && !isWindowsDevice(name.toLowerCase().split('.', 1)[0] ?? ''))
  )
}

/** The file that redirects from an earlier path. */
export const redirectFile = (path: string): string => (documentName.test(path) ? path : pageFile(path))

/** Whether a bundle can have this path, which then stays inside its folder on every system. */
export const isBundlePath = (path: string): boolean =>
  path === bundlePath.redirects ||
  (documentName.test(path) && isRedirectPath(path.replace(/\/index\.html$/, ''))) ||
  (path.length <= 200 && path.split('/').length <= 7 && path.split('/').every((part) => segment.test(part)))

/** The file at an address. */
export const pageFile = (address: string): string => `${address}/index.html`

/** The relative reference from one file of the bundle to another. Both paths are relative to the bundle. */
export function relativeUrl(from: string, to: string): string {
  // Whatever both begin with, up to a slash.
  let shared = 0
  for (let at = 0; at < from.length && from[at] === to[at]; at++) if (from[at] === '/') shared = at + 1
  const above = from.slice(shared).split('/').length - 1
  return '../'.repeat(above) + to.slice(shared)
}

/** The address of a page on a web server: its folder. */
export const pageAddress = (baseUrl: string, path: string): string => baseUrl + path.replace(/index\.html$/, '')
