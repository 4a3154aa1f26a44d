import { Readable } from 'node:stream'

import { requestedRange } from '../../../contract/domain/byte-range.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { Vault } from '../../library/vault/vault.ts'
import type { VersionPage } from './version-pages.ts'

/**
 * The Content Security Policy of a stored page: it may load its own images, media, fonts and styles, but no scripts, forms,
 * frames or external content. `data:` URLs load nothing from outside.
 */
export const pagePolicy = [
  "default-src 'none'",
  "img-src 'self' data:",
  "media-src 'self'",
  "font-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "webrtc 'block'",
  'sandbox',
].join('; ')

const safety = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  // The sandbox gives the page an opaque origin, so its font requests are cross-origin.
  'access-control-allow-origin': '*',
}

/** The dependencies for locating blobs. */
export interface BlobPorts {
  readonly blobs: Pick<Index['blobs'], 'find'>
  readonly read: Vault['read']
}

/** Called when a page requests a file that cannot be read from disk, with its name at the save. */
export type OnLostFile = (name: string) => void

const nothing = (status: number): Response => new Response(null, { status, headers: safety })

/** Answers a page's request by looking up the id in its list. Never exposes a path. */
export function answerFor(
  page: VersionPage | null,
  { url, method, headers }: Pick<Request, 'url' | 'method' | 'headers'>,
  { blobs, read }: BlobPorts,
  onLostFile: OnLostFile = () => undefined,
): Response {
  const prefix = `${page?.origin ?? ''}/`
  const file = page !== null && url.startsWith(prefix) ? page.files.get(url.slice(prefix.length)) : undefined
  if (file === undefined || method !== 'GET') return nothing(404)
  const known = { ...safety, 'content-type': file.type }
  if (file.kind === 'text') return new Response(file.text, { headers: known })

  const place = blobs.find(file.sha256)
  if (place === null) {
    onLostFile(file.name)
    return nothing(404)
  }
  const range = requestedRange(headers.get('range') ?? undefined, place.sizeBytes)
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...safety, 'content-range': `bytes */${place.sizeBytes}` } })
  const { start, length } = range ?? { start: 0, length: place.sizeBytes }
  const stream = read({ file: place.file, offset: place.offset + start, sizeBytes: length })
  stream.once('error', () => onLostFile(file.name))
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    status: range ? 206 : 200,
    headers: {
      ...known,
      'accept-ranges': 'bytes',
      'content-length': String(length),
      ...(range && { 'content-range': `bytes ${start}-${start + length - 1}/${place.sizeBytes}` }),
    },
  })
}
