// Page addresses: lower-case segments joined by `/`, without a slash at either end. Letters of scripts that are not spelled
// in Latin are themselves, composed (NFC).

/** Device names of Windows, which are reserved with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|conin|conout|com\d|lpt\d)$/
export const isWindowsDevice = (name: string): boolean => windowsDevice.test(name)

/** Folders of a bundle that are not pages. */
export const bundleFolders: ReadonlySet<string> = new Set(['media', 'fonts', 'theme'])

export const pathMaxSegments = 6
const pathMaxChars = 185

/** Bytes of UTF-8. File systems take 255, and tools need some of them for names of their own. */
export const segmentMaxBytes = 200
export const bytesOf = (name: string): number => encodeURIComponent(name).replace(/%../g, '%').length

/** Small letters, letters without case and digits of any script, each with its marks, and single hyphens between them. */
const segmentForm =
  /^[\p{Ll}\p{Lo}\p{Lm}\p{Nd}][\p{Ll}\p{Lo}\p{Lm}\p{Nd}\p{M}]*(?:-[\p{Ll}\p{Lo}\p{Lm}\p{Nd}][\p{Ll}\p{Lo}\p{Lm}\p{Nd}\p{M}]*)*$/u
const plainSegment = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Invisible characters: with them, addresses that look the same would differ. */
const isSegment = (text: string): boolean =>
  plainSegment.test(text) ||
  (segmentForm.test(text) &&
    !/\p{DI}/u.test(text) &&
    text === text.normalize('NFC') &&
    bytesOf(text) <= segmentMaxBytes)

/** Whether the list of a tag can have this folder on every file system. */
export const isTagFolder = (folder: string): boolean =>
  folder.length <= pathMaxChars && isSegment(folder) && !isWindowsDevice(folder)

/** Whether a page can have this path on every file system. */
export function isPagePath(path: string): boolean {
  const segments = path.split('/')
  return (
    path.length <= pathMaxChars &&
    segments.length <= pathMaxSegments &&
    !bundleFolders.has(segments[0] ?? '') &&
    segments.every((segment) => isSegment(segment) && !isWindowsDevice(segment))
  )
}

/** The files at the root of a bundle that are Galley's own, for every theme. */
const rootFiles: ReadonlySet<string> = new Set([
  'index.html',
  '404.html',
  'favicon.svg',
  'sitemap.xml',
  'robots.txt',
  'feed.xml',
  'feed.json',
  'galley-bundle.json',
  'galley-bundle.unfinished',
  '_redirects',
])

/** Whether a file with this name is a page itself, not a folder that contains one. */
export const isDocumentName = (name: string): boolean => /\.html?$/i.test(name)
/** Letters of any script, and signs that every file system takes; no blank or full stop at an end but a leading `~`. */
const earlierName = /^[\p{L}\p{N}_~!'()+,;=@&-](?:[\p{L}\p{M}\p{N} ._~!'()+,;=@&-]*[\p{L}\p{M}\p{N}_~!'()+,;=@&-])?$/u

/** File systems take no longer names, in bytes of UTF-8. */
const nameMaxBytes = 255

const queryMaxChars = 185

/** A query as `URLSearchParams` writes it, with at least one parameter that has a name and a value. */
const isQuery = (query: string): boolean =>
  query.length <= queryMaxChars &&
  new URLSearchParams(query).toString() === query &&
  /^[^=&]+=[^=&]+(?:&[^=&]+=[^=&]+)*$/.test(query)

/**
 * Whether a page can redirect from this address: a path, or a path with a query as sites with a database have it.
 * `?p=12` is the home page with a query.
 */
export function isRedirectAddress(address: string): boolean {
  const { path, query } = redirectParts(address)
  return query === null ? isRedirectPath(path) : (path === '' || isRedirectPath(path)) && isQuery(query)
}

/** The path of an address, and its query without the question mark. */
export function redirectParts(address: string): { readonly path: string; readonly query: string | null } {
  const at = address.indexOf('?')
  return at === -1 ? { path: address, query: null } : { path: address.slice(0, at), query: address.slice(at + 1) }
}

/**
 * Whether a page can redirect from this path, for example one of the site before Galley: it keeps its spelling, decoded. Only the last
 * name may be that of a document, whose file has this path; any other path is a folder.
 */
export function isRedirectPath(path: string): boolean {
  if (isPagePath(path)) return true
  const names = path.split('/')
  const first = names[0]?.toLowerCase() ?? ''
  return (
    path.length <= pathMaxChars &&
    path === path.normalize('NFC') &&
    names.length <= pathMaxSegments &&
    !bundleFolders.has(first) &&
    !rootFiles.has(first) &&
    !names.slice(0, -1).some(isDocumentName) &&
    names.every(
      (name) =>
        earlierName.test(name) &&
        bytesOf(name) <= nameMaxBytes &&
        !isWindowsDevice(name.toLowerCase().split('.', 1)[0] ?? ''),
    )
  )
}
