import type { Sha256 } from '@galley/wire'
import { encodeSegment, isSha256, percentDecoded } from '@galley/wire'

/** The URL of a stored image or font for the window. Resolved in the library by hash, offline, never by path. */
export const storedFileUrl = ({ sha256, name }: { readonly sha256: Sha256; readonly name: string }): string =>
  `app://galley/stored/${sha256}/${encodeSegment(name)}`

/** The hash and the name in such a URL; null for any other URL. */
export function readStoredFileUrl(url: string): { readonly sha256: Sha256; readonly name: string } | null {
  const [, sha256 = '', encoded] = /^app:\/\/galley\/stored\/([^/]+)\/([^/?#]+)$/.exec(url) ?? []
  const name = encoded === undefined ? null : percentDecoded(encoded)
  return name !== null && isSha256(sha256) ? { sha256, name } : null
}
