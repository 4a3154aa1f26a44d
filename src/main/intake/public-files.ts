import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

import { requestedRange } from '../../contract/byte-range.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { mediaType } from '../../contract/media-types.ts'
import { fontsCssName, percentDecoded } from '../../contract/public-url.ts'
import type { Index } from '../db/library-index.ts'
import type { Vault } from '../vault/vault.ts'

/** Answers the GETs of the listener; both resolve to false when there is nothing at the path. */
export interface PublicFiles {
  exists(path: string): Promise<boolean>
  serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

interface Found {
  readonly blob: Sha256
  readonly name: string
  /** False for addresses whose content changes, such as `current.css`. */
  readonly immutable: boolean
}

/** No script of a stored file may ever run, whatever its type and however it is opened (INTERFACES section 3). */
const harmless = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Media, fonts and health, straight from the vault: an address is looked up in the index and never becomes a path. */
export function createPublicFiles(index: Index, vault: Vault): PublicFiles {
  function find(path: string): Found | null {
    const parts = path.split('/').slice(1).map(percentDecoded)
    if (parts.includes(null)) return null
    const [root, first, second, third, ...rest] = parts as string[]
    if (rest.length > 0 || first === undefined || second === undefined) return null
    if (root === 'media' && third === undefined && /^[0-9a-f]{32}$/.test(first)) {
      const media = index.versions.mediaByAddress(first, second)
      return media && { blob: media.sha256, name: second, immutable: true }
    }
    if (root !== 'fonts') return null
    if (third === undefined) {
      const newest = second === 'current.css' ? index.snapshots.newest(first) : null
      return newest && { blob: newest.css, name: 'current.css', immutable: false }
    }
    const snapshot = index.snapshots.find(first, second)
    const file = snapshot?.files.find(({ name }) => name === third)
    if (file) return { blob: file.sha256, name: third, immutable: true }
    return snapshot && third === fontsCssName ? { blob: snapshot.css, name: third, immutable: true } : null
  }

  return {
    exists: (path) => Promise.resolve(path === '/health' || find(path) !== null),
    async serve(path, request, response) {
      if (path === '/health') {
        const body = '{"ok":true}'
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': body.length,
          'access-control-allow-origin': '*',
        })
        response.end(request.method === 'HEAD' ? undefined : body)
        return true
      }
      const found = find(path)
      const place = found && index.blobs.find(found.blob)
      if (!found || !place || (await vault.sizeOf(place.file)) === null) return false

      const etag = `"${found.blob}"`
      const headers = {
        ...harmless,
        etag,
        'cache-control': found.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
        'content-type': mediaType(found.name),
        'accept-ranges': 'bytes',
      }
      // Compared weakly, as the standard has it: proxies that compress mark tags as weak.
      const known = request.headers['if-none-match']?.split(/\s*,\s*/).map((tag) => tag.replace(/^W\//, ''))
      if (known?.some((tag) => tag === etag || tag === '*')) {
        response.writeHead(304, headers).end()
        return true
      }
      const ifRange = request.headers['if-range']
      const mayBePart = request.method === 'GET' && (ifRange === undefined || ifRange === etag)
      const wanted = mayBePart ? request.headers.range : undefined
      const range = requestedRange(wanted, place.sizeBytes)
      if (range === 'unsatisfiable') {
        response.writeHead(416, { ...harmless, 'content-range': `bytes */${place.sizeBytes}` }).end()
        return true
      }
      const { start, length } = range ?? { start: 0, length: place.sizeBytes }
      const partial = range && { 'content-range': `bytes ${start}-${start + length - 1}/${place.sizeBytes}` }
      response.writeHead(range ? 206 : 200, { ...headers, ...partial, 'content-length': length })
      if (request.method === 'HEAD') return (response.end(), true)
      // A reader that goes away in the middle is no fault of ours.
      await pipeline(vault.read({ file: place.file, offset: place.offset + start, sizeBytes: length }), response).catch(
        () => response.destroy(),
      )
      return true
    },
  }
}
