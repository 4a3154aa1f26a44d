import { Readable } from 'node:stream'
import type { CheckedFiles, Index, OpenedFile, Vault } from '@galley/library'
import { isStorageFault } from '@galley/platform'
import { requestedRange, storedMediaType, typeBytes } from '@galley/wire'

import type { PageFile, VersionPage } from './version-pages.ts'

/**
 * The Content Security Policy of a stored page and its files: they may load the page's own images, media, fonts, styles and
 * drawings, also in frames, but no scripts, forms or external content. `data:` URLs load nothing from outside. The page keeps
 * its origin, which no other page has, because Chromium loads the drawing of a `use` from the same origin only.
 */
const policyFor = (ancestors: "'none'" | "'self'"): string =>
  [
    "default-src 'none'",
    "img-src 'self' data:",
    "media-src 'self' data:",
    "font-src 'self' data:",
    "style-src 'self' data: 'unsafe-inline'",
    "frame-src 'self'",
    "object-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
    "webrtc 'block'",
    'sandbox allow-same-origin',
  ].join('; ')

export const pagePolicy = policyFor("'none'")
/** Only files of the page are shown in frames, never the page itself. */
export const filePolicy = policyFor("'self'")

const safety = {
  'content-security-policy': filePolicy,
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
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

/** Answers a page's request by looking up the id in its list; a query and a fragment do not matter. Never exposes a path. */
export async function answerFor(
  page: VersionPage | null,
  request: Pick<Request, 'url' | 'method' | 'headers'>,
  ports: BlobPorts,
  onLostFile: OnLostFile = () => undefined,
): Promise<Response> {
  const { url, method } = request
  const prefix = `${page?.origin ?? ''}/`
  const [id = ''] = url.slice(prefix.length).split(/[?#]/, 1)
  const file = page !== null && url.startsWith(prefix) ? page.files.get(id) : undefined
  if (page === null || file === undefined || method !== 'GET') return nothing(404)
  if (file.kind === 'text') {
    const policy = page.url === prefix + id ? pagePolicy : filePolicy
    return new Response(file.text, {
      headers: { ...safety, 'content-security-policy': policy, 'content-type': file.type },
    })
  }
  if (file.kind === 'bytes')
    return new Response(new Uint8Array(file.bytes), { headers: { ...safety, 'content-type': file.type } })
  return blobAnswer(file, request, ports, () => onLostFile(file.name))
}

/** Sends the bytes of a blob, or a range of them, if the whole blob is unchanged. */
async function blobAnswer(
  { sha256, name }: PageBlob,
  { headers }: Pick<Request, 'headers'>,
  { blobs, locate, files }: BlobPorts,
  onLost: () => void,
): Promise<Response> {
  const refused = (status: number): Response => {
    onLost()
    return nothing(status)
  }
  const slice = blobs.find(sha256)
  if (slice === null) return refused(404)
  const range = requestedRange(headers.get('range') ?? undefined, slice.sizeBytes)
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...safety, 'content-range': `bytes */${slice.sizeBytes}` } })

  let opened: OpenedFile
  try {
    opened = await files.open(sha256, await locate(slice))
  } catch (error) {
    if (isStorageFault(error)) return refused(500)
    throw error
  }
  if (opened.kind !== 'whole') return refused(opened.kind === 'missing' ? 404 : 500)
  const { handle } = opened
  const type = await storedMediaType(name, async () => {
    const first = Buffer.alloc(Math.min(typeBytes, slice.sizeBytes))
    await handle.read(first, 0, first.length, slice.offset)
    return first
  })
  const { start, length } = range ?? { start: 0, length: slice.sizeBytes }
  // createReadStream cannot express an empty range.
  if (length === 0) await handle.close()
  const from = slice.offset + start
  const stream = length === 0 ? Readable.from([]) : handle.createReadStream({ start: from, end: from + length - 1 })
  stream.once('error', onLost)
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    status: range ? 206 : 200,
    headers: {
      ...safety,
      'content-type': type,
      'accept-ranges': 'bytes',
      'content-length': String(length),
      ...(range && { 'content-range': `bytes ${start}-${start + length - 1}/${slice.sizeBytes}` }),
    },
  })
}
