import type { MaterialId } from '../ids.ts'
import { percentDecoded } from './public-url.ts'

/** The two kinds of archives, by the path of their address (contract, Endpoints). */
export type ArchiveKind = 'media' | 'fonts'

/** The origins from which a site may download: that of `baseUrl` and any additional ones. */
export interface DownloadOrigins {
  readonly baseUrl: string
  readonly downloadOrigins: readonly string[]
}

/** A download address on an allowed origin of the site. */
export interface ContentUrl {
  /** The address as received, byte for byte: this text is signed. */
  readonly signed: string
  readonly parsed: URL
  /** The kind from the path, or null if the path names none. */
  readonly kind: ArchiveKind | null
  /** The last path segment, decoded. Used as the version or snapshot id if the callback has no other. */
  readonly lastSegment: string
}

/**
 * Reads a `content_url`. Returns null if its origin is not one of the site's download origins, if it has user info or a
 * fragment, or if it contains characters that URL parsers read in different ways.
 */
export function parseContentUrl(text: string, site: DownloadOrigins): ContentUrl | null {
  // Blanks, control characters, backslashes and a wrong number of slashes can make two parsers see two hosts. User info is
  // refused even if it is empty.
  if (/[\u0000-\u0020\u007f\\#]/.test(text) || !/^https?:\/\/[^/?@]+(?:[/?]|$)/i.test(text)) return null
  if (!URL.canParse(text)) return null
  const parsed = new URL(text)
  const allowed = [site.baseUrl, ...site.downloadOrigins].map((url) => new URL(url).origin)
  if (!allowed.includes(parsed.origin)) return null
  const path = parsed.pathname
  const media = path.includes('/download/media/')
  const fonts = path.includes('/download/fonts/')
  const lastSegment = path.split('/').findLast((segment) => segment !== '') ?? ''
  return {
    signed: text,
    parsed,
    kind: media === fonts ? null : media ? 'media' : 'fonts',
    lastSegment: percentDecoded(lastSegment) ?? lastSegment,
  }
}

/**
 * The request line of the download: path and query of the `content_url` as written, with `api_key` and `material_id`
 * appended. A parsed URL has other characters encoded, which a service that signs its queries would refuse.
 */
export function downloadPath({ signed }: ContentUrl, apiKey: string, materialId: MaterialId): string {
  const written = signed.replace(/^https?:\/\/[^/?]+/i, '')
  // Only ASCII can be sent as written.
  const path = written.toWellFormed().replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
  const joint = !path.includes('?') ? '?' : path.endsWith('?') ? '' : '&'
  const query = `api_key=${encodeURIComponent(apiKey)}&material_id=${encodeURIComponent(materialId.toWellFormed())}`
  return `${path.startsWith('/') ? '' : '/'}${path}${joint}${query}`
}

/**
 * Whether the text signed to open this material (`material_id:callback_url`) is also valid for a callback or a download. The
 * text has no delimiter between id and address, so an id could contain an address.
 */
export const readsAsDownload = (
  materialId: MaterialId,
  site: DownloadOrigins & { readonly callbackUrl: string },
): boolean => {
  const signed = `${materialId}:${site.callbackUrl}`
  return [...materialId.matchAll(/:(?=https?:)/gi)].some(
    ({ index }) => parseContentUrl(signed.slice(index + 1), site) !== null,
  )
}
