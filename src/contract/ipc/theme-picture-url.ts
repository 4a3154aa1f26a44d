import type { Sha256 } from '../ids.ts'
import { isSha256 } from '../ids.ts'

/** Where the window finds the picture of a theme: by its hash, never by path. */
export const themePictureUrl = (sha256: Sha256): string => `app://galley/theme-picture/${sha256}`

/** The hash of such an address; null for any other. */
export function readThemePictureUrl(url: string): Sha256 | null {
  const [, sha256 = ''] = /^app:\/\/galley\/theme-picture\/([^/]+)$/.exec(url) ?? []
  return isSha256(sha256) ? sha256 : null
}
