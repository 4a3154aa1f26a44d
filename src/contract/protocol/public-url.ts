import type { Sha256, SiteId, SnapshotId } from '../ids.ts'

/**
 * Percent-encodes everything but letters, digits and `-._~`. What remains is safe as it stands in HTML attributes
 * (quoted or not), srcset, CSS url() and JSON strings alike, so a public URL never needs escaping where it is written.
 */
export const encodeSegment = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Percent-encoding undone; null when it does not spell UTF-8, as no address of ours ever does. */
export function percentDecoded(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

/** The part of a hash that the URL of a media file contains: the first 32 hex digits. */
export const hashStart = (sha256: Sha256): string => sha256.slice(0, 32)

/** Path of a stored media file: `/media/<first 32 hex of its SHA-256>/<percent-encoded name>` (docs/api.md, section 3). */
export const mediaPath = (sha256: Sha256, name: string): string => `/media/${hashStart(sha256)}/${encodeSegment(name)}`

/** Start of the hash and name that a media URL ends with, whatever its base; null when it is not one of ours. */
export function readMediaUrl(url: string): { readonly hashStart: string; readonly name: string } | null {
  const [, start, encoded] = /\/media\/([0-9a-f]{32})\/([^/?#]+)$/.exec(url) ?? []
  const name = encoded === undefined ? null : percentDecoded(encoded)
  return start === undefined || name === null ? null : { hashStart: start, name }
}

/** Path of the folder under which the files of a font snapshot are served, with its trailing slash. */
export const fontsPath = (site: SiteId, snapshot: SnapshotId): string =>
  `/fonts/${encodeSegment(site)}/${encodeSegment(snapshot)}/`

/** Path of the CSS of a site's newest font snapshot. */
export const currentFontsCssPath = (site: SiteId): string => `/fonts/${encodeSegment(site)}/current.css`

/** The file of a snapshot that holds its @font-face rules (contract, Fonts ZIP contents). */
export const fontsCssName = 'vms_fonts.css'
