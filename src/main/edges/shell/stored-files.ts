import { Readable } from 'node:stream'

import { mediaType } from '../../../contract/domain/media-types.ts'
import { readStoredFileUrl } from '../../../contract/ipc/stored-file-url.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { Vault } from '../../library/vault/vault.ts'

/** The types that the window shows: only images and fonts of untrusted content. */
const isShown = (type: string): boolean => type.startsWith('image/') || type.startsWith('font/')

/**
 * Serves stored images and fonts to the window by hash. The hash is looked up in the index: no path is derived from a URL.
 * null for any other URL.
 */
export const createStoredFiles =
  ({ index, vault }: { readonly index: Index; readonly vault: Vault }) =>
  (url: string, method: string): Promise<Response> | null => {
    const wanted = readStoredFileUrl(url)
    if (wanted === null) return null
    const type = mediaType(wanted.name)
    const place = method === 'GET' && isShown(type) ? index.blobs.find(wanted.sha256) : null
    if (place === null) return Promise.resolve(new Response(null, { status: 404 }))
    const headers = {
      'Content-Type': type,
      'Content-Length': String(place.sizeBytes),
      // The URL contains the hash of the content.
      'Cache-Control': 'private, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      // An SVG opened on its own runs and loads nothing.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
    }
    return Promise.resolve(new Response(Readable.toWeb(vault.read(place)) as ReadableStream<Uint8Array>, { headers }))
  }
