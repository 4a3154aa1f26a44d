import type { Sha256 } from '../ids.ts'
import { percentDecoded, encodeSegment } from '../protocol/public-url.ts'

/** Where the window finds a stored image or font: looked up in the library by hash, offline, never by path. */
export const storedFileUrl = ({ sha256, name }: { readonly sha256: Sha256; readonly name: string }): string =>
  `app://galley/stored/${sha256}/${encodeSegment(name)}`

/** The hash and the name of such an address; null for any other. */
export function readStoredFileUrl(url: string): { readonly sha256: Sha256; readonly name: string } | null {
  const [, sha256, encoded] = /^app:\/\/galley\/stored\/([0-9a-f]{64})\/([^/?#]+)$/.exec(url) ?? []
  const name = encoded === undefined ? null : percentDecoded(encoded)
  return sha256 === undefined || name === null ? null : { sha256: sha256 as Sha256, name }
}
