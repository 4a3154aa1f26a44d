import { encodeSegment, mediaFolder, percentDecoded } from './public-url.ts'

/** The host of an address that names none. */
const nowhere = 'http://page.invalid/'

/** How Galley itself writes the path of a media file, without a dot that could be a segment. */
const plainPath = new RegExp(`^${mediaFolder}(?!\\.)[A-Za-z0-9._~%-]+$`)

const hashDigits = /^[0-9a-f]{32}$/

/** Each base with its host and the segments of its path. */
interface Base {
  readonly base: string
  readonly host: string
  readonly folders: readonly string[]
}

function readBase(base: string): readonly Base[] {
  if (!URL.canParse(base)) return []
  const { host, pathname } = new URL(base)
  return [{ base, host, folders: segmentsOf(pathname)?.filter((name) => name !== '') ?? [] }]
}

/** The decoded segments of a path; null if one of them is not UTF-8. */
function segmentsOf(pathname: string): readonly string[] | null {
  const segments: string[] = []
  for (const encoded of pathname.split('/').slice(1)) {
    const segment = percentDecoded(encoded)
    if (segment === null) return null
    segments.push(segment)
  }
  return segments
}

/** Whether a path below a base is one of docs/api.md, section 3. */
const isOwn = ([root, first = '', ...rest]: readonly string[]): boolean =>
  (root === 'fonts' || (root === 'media' && hashDigits.test(first))) &&
  rest.length > 0 &&
  rest.every((name) => name !== '')

/**
 * Reads addresses without query and fragment as a browser does (URL Standard): spellings of host and port, `//host/x`, dot
 * segments, backslashes, percent-encoding and characters that lack it. http and https are the same, as for the addresses of a
 * site. Returns the URL that Galley writes for the same file, or null if the address is not below one of `bases`; null
 * accepts any base, and media files alone. Relative addresses are resolved against `from`.
 */
export function createAddressReader(
  bases: readonly string[] | null,
  from = nowhere,
): (address: string) => string | null {
  const known = (bases ?? []).flatMap(readBase)
  const isPlain = (address: string): boolean =>
    known.some(({ base }) => address.startsWith(base) && plainPath.test(address.slice(base.length)))
  const written = (base: string, path: readonly string[]): string => [base, ...path.map(encodeSegment)].join('/')
  return (address) => {
    if (isPlain(address)) return percentDecoded(address) === null ? null : address
    if (!URL.canParse(address, from)) return null
    const url = new URL(address, from)
    const segments = segmentsOf(url.pathname)
    if (segments === null || !/^https?:$/.test(url.protocol) || url.href.startsWith(nowhere)) return null
    if (bases === null) {
      const at = segments.findLastIndex((name, index) => name === 'media' && isOwn(segments.slice(index)))
      return at === -1 ? null : written(url.origin, segments)
    }
    for (const { base, host, folders } of known) {
      const path = segments.slice(folders.length)
      const isBelow = host === url.host && folders.every((name, at) => name === segments[at])
      if (isBelow && isOwn(path)) return written(base, path)
    }
    return null
  }
}
