/** Fixed places in a bundle; pages are `<address>/index.html`, stored files lie in `media/` and `fonts/`. */
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
  /** Read by hosts that redirect by themselves. */
  redirects: '_redirects',
} as const

const segment = /^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9]+)?$/

/** Whether this is a path that a bundle can have; such a path stays inside its folder on every system. */
export const isBundlePath = (path: string): boolean =>
  path === bundlePath.redirects ||
  (path.length <= 200 && path.split('/').length <= 7 && path.split('/').every((part) => segment.test(part)))

/** The file that an address leads to. */
export const pageFile = (address: string): string => `${address}/index.html`

/** How a file of the bundle is written in another one; both are paths inside the bundle. */
export function relativeUrl(from: string, to: string): string {
  const folders = from.split('/').slice(0, -1)
  const target = to.split('/')
  let shared = 0
  while (shared < folders.length && shared < target.length - 1 && folders[shared] === target[shared]) shared++
  return [...folders.slice(shared).map(() => '..'), ...target.slice(shared)].join('/')
}

/** The address of a page on a web server: its folder. */
export const pageAddress = (baseUrl: string, path: string): string => baseUrl + path.replace(/index\.html$/, '')
