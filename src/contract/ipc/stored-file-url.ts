import type { Sha256 } from '../ids.ts'
import { percentDecoded, encodeSegment } from '../protocol/public-url.ts'

/** The URL of a stored image or font for the window. Resolved in the library by hash, offline, never by path. */
export const storedFileUrl = ({ sha256, name }: { readonly sha256: Sha256; readonly name: string }): string =>
  `app://galley/stored/${sha256}/${encodeSegment(name)}`

/** The hash and the name in such a URL; null for any other URL. */
export function readStoredFileUrl(url: string): { readonly sha256: Sha256; readonly name: string } | null {
  const [, sha256, encoded] = /^app:\/\/galley\/stored\/([0-9a-f]{64})\/([^/?#]+)$/.exec(url) ?? []
  const name = encoded === undefined ? null : percentDecoded(encoded)
  return sha256 === undefined || name === null ? null : { sha256: sha256 as Sha256, name }
}
