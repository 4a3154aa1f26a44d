import type { Sha256, SiteId, SnapshotId } from '../ids.ts'

/**
 * Percent-encodes everything except letters, digits and `-._~`. The result is safe in HTML attributes (quoted or not),
 * srcset, CSS url() and JSON strings, so public URLs never need escaping.
 */
export const encodeSegment = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Decodes percent-encoding; null if the result is not UTF-8, which Galley's URLs always are. */
export function percentDecoded(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

/** Whether the service can fetch this URL, unlike `dummy-<name>` and empty ones (contract, Errors 2). */
export const isPublicUrl = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)

/** The part of the hash in a media URL: the first 32 hex digits. */
export const hashStart = (sha256: Sha256): string => sha256.slice(0, 32)

/**
 * Path of a stored media file: `/media/<first 32 hex digits of its SHA-256>/<percent-encoded name>` (docs/api.md, section
 * 3).
 */
export const mediaPath = (sha256: Sha256, name: string): string => `/media/${hashStart(sha256)}/${encodeSegment(name)}`

/** The beginning of every media path, for regular expressions. Its only group is the part of the hash. */
export const mediaFolder = '/media/([0-9a-f]{32})/'

const mediaAtEnd = new RegExp(`${mediaFolder}([^/?#]+)$`)

/**
 * The parts of the media path at the end of a URL, and `base`, the text before it; null if Galley did not create it.
 */
export function readMediaUrl(
  url: string,
): { readonly base: string; readonly hashStart: string; readonly name: string } | null {
  const found = mediaAtEnd.exec(url)
  const { 1: start, 2: encoded } = found ?? []
  const name = encoded === undefined ? null : percentDecoded(encoded)
  return !found || start === undefined || name === null
    ? null
    : { base: url.slice(0, found.index), hashStart: start, name }
}

/** Path of the folder with the files of a font snapshot, with a trailing slash. */
export const fontsPath = (site: SiteId, snapshot: SnapshotId): string =>
  `/fonts/${encodeSegment(site)}/${encodeSegment(snapshot)}/`

/** The parts of the URL of a font file, for any base URL; null if Galley did not create it. */
export function readFontUrl(
  url: string,
): { readonly site: SiteId; readonly snapshot: string; readonly name: string } | null {
  const [, ...encoded] = /\/fonts\/([^/?#]+)\/([^/?#]+)\/([^/?#]+)$/.exec(url) ?? []
  const [site, snapshot, name] = encoded.map(percentDecoded)
  return site && snapshot && name ? { site, snapshot, name } : null
}

/** Path of the CSS of a site's latest font snapshot. */
export const currentFontsCssPath = (site: SiteId): string => `/fonts/${encodeSegment(site)}/current.css`

/** The file with the @font-face rules of a snapshot (contract, Fonts ZIP contents). */
export const fontsCssName = 'vms_fonts.css'
