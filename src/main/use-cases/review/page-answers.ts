import { Readable } from 'node:stream'

import { requestedRange } from '../../../contract/domain/byte-range.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { CheckedFiles, OpenedFile } from '../../library/vault/checked-files.ts'
import type { Vault } from '../../library/vault/vault.ts'
import { isStorageFault } from '../../platform/disk/storage-reason.ts'
import type { PageFile, VersionPage } from './version-pages.ts'

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

/** The dependencies for reading blobs. `files` remembers which ones it has found unchanged. */
export interface BlobPorts {
  readonly blobs: Pick<Index['blobs'], 'find'>
  readonly locate: Vault['locate']
  readonly files: CheckedFiles
}

/** Called when a page requests a file that is lost, unreadable or altered on disk, with its name at the save. */
export type OnLostFile = (name: string) => void

const nothing = (status: number): Response => new Response(null, { status, headers: safety })

type PageBlob = Extract<PageFile, { readonly kind: 'blob' }>

/** Answers a page's request by looking up the id in its list. Never exposes a path. */
export async function answerFor(
  page: VersionPage | null,
  request: Pick<Request, 'url' | 'method' | 'headers'>,
  ports: BlobPorts,
  onLostFile: OnLostFile = () => undefined,
): Promise<Response> {
  const { url, method } = request
  const prefix = `${page?.origin ?? ''}/`
  const file = page !== null && url.startsWith(prefix) ? page.files.get(url.slice(prefix.length)) : undefined
  if (file === undefined || method !== 'GET') return nothing(404)
  if (file.kind === 'text') return new Response(file.text, { headers: { ...safety, 'content-type': file.type } })
  return blobAnswer(file, request, ports, () => onLostFile(file.name))
}

/** Sends the bytes of a blob, or a range of them, if the whole blob is unchanged. */
async function blobAnswer(
  { sha256, type }: PageBlob,
  { headers }: Pick<Request, 'headers'>,
  { blobs, locate, files }: BlobPorts,
  onLost: () => void,
): Promise<Response> {
  const refused = (status: number): Response => {
    onLost()
    return nothing(status)
  }
  const place = blobs.find(sha256)
  if (place === null) return refused(404)
  const range = requestedRange(headers.get('range') ?? undefined, place.sizeBytes)
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...safety, 'content-range': `bytes */${place.sizeBytes}` } })

  let opened: OpenedFile
  try {
    opened = await files.open(sha256, await locate(place))
  } catch (error) {
    if (isStorageFault(error)) return refused(500)
    throw error
  }
  if (opened.kind !== 'whole') return refused(opened.kind === 'missing' ? 404 : 500)
  const { start, length } = range ?? { start: 0, length: place.sizeBytes }
  // createReadStream cannot express an empty range.
  if (length === 0) await opened.handle.close()
  const from = place.offset + start
  const stream =
    length === 0 ? Readable.from([]) : opened.handle.createReadStream({ start: from, end: from + length - 1 })
  stream.once('error', onLost)
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    status: range ? 206 : 200,
    headers: {
      ...safety,
      'content-type': type,
      'accept-ranges': 'bytes',
      'content-length': String(length),
      ...(range && { 'content-range': `bytes ${start}-${start + length - 1}/${place.sizeBytes}` }),
    },
  })
}
