import { percentDecoded } from './public-url.ts'

/** The two kinds of archives, by the path their address has (contract, Endpoints). */
export type ArchiveKind = 'media' | 'fonts'

/** The origins a site may download from: that of `baseUrl`, and any others it allows. */
export interface DownloadOrigins {
  readonly baseUrl: string
  readonly downloadOrigins: readonly string[]
}

/** A download address that belongs to the service of the site. */
export interface ContentUrl {
  /** As it came, byte for byte: what is signed. */
  readonly signed: string
  readonly parsed: URL
  /** What the path says, or null when it says nothing. */
  readonly kind: ArchiveKind | null
  /** The last segment of the path, decoded: the name of the version or snapshot when nothing else gives one. */
  readonly lastSegment: string
}

/**
 * Reads a `content_url`; null when its origin is neither that of `baseUrl` nor a further download origin of the site,
 * when it carries user-info or a fragment, or signs that URL parsers read in different ways.
 */
export function parseContentUrl(text: string, site: DownloadOrigins): ContentUrl | null {
  // Blanks, controls, backslashes and another number of slashes are where two parsers see two hosts; user-info is
  // refused even when it is empty.
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

/** The address that is fetched: `api_key` and `material_id` appended, what was there before untouched. */
export function downloadAddress({ parsed }: ContentUrl, apiKey: string, materialId: string): string {
  const query = `api_key=${encodeURIComponent(apiKey)}&material_id=${encodeURIComponent(materialId.toWellFormed())}`
  return `${parsed.origin}${parsed.pathname}${parsed.search === '' ? '?' : `${parsed.search}&`}${query}`
}

/**
 * Whether what is signed to open this material (`material_id:callback_url`) would also be the signature of a callback or a
 * download: the text has no marked boundary between id and address, so an id may bring an address of its own.
 */
export const readsAsDownload = (
  materialId: string,
  site: DownloadOrigins & { readonly callbackUrl: string },
): boolean => {
  const signed = `${materialId}:${site.callbackUrl}`
  return [...materialId.matchAll(/:(?=https?:)/gi)].some(
    ({ index }) => parseContentUrl(signed.slice(index + 1), site) !== null,
  )
}
