import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { CausedError } from '@galley/wire'

import { digestFrom } from '../network/chunks.ts'
import { eitherSignal } from '../timing/concurrency.ts'
import type { Bucket } from './bucket.ts'
import { unescaped } from './listed-keys.ts'

/** A file to upload to a bucket. */
export interface KeyedFile {
  /** Percent-encoded, below the root of the bucket. */
  readonly key: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly headers: Readonly<Record<string, string>>
  /** Reads a range. May be called more than once. */
  read(offset: number, sizeBytes: number): Readable & { readonly bytesRead?: number }
}

/** The minimum part size of S3, and the most that is lost with a connection. */
const partBytes = 5 * 1024 * 1024
const partsAtATime = 4
/** An upload fails after this many lost parts in a row. */
const maxConsecutiveLosses = 8

const disposition = 'content-disposition'

/** The header with the SHA-256 of an object. */
const contentHeader = 'x-amz-meta-galley-sha256'

/**
 * Whether the bucket has this file: compares the size, and either the hash that Galley stored as metadata or the MD5 that
 * most storages use as the ETag. An object with neither counts as missing.
 */
export async function findObject(
  bucket: Bucket,
  file: KeyedFile,
  signal: AbortSignal,
): Promise<'there' | 'missing' | 'refused'> {
  const { status, headers } = await bucket.ask({ method: 'HEAD', key: file.key }, signal)
  // Keys without the permission to list the bucket get this status for missing objects.
  if (status === 401 || status === 403) return 'refused'
  if (status !== 200 || Number(headers['content-length']) !== file.sizeBytes) return 'missing'
  const { [disposition]: wanted } = file.headers
  if (wanted !== undefined && headers[disposition] !== wanted) return 'missing'
  if (headers[contentHeader] === file.sha256) return 'there'
  const md5 = md5In(headers.etag)
  const isSame = md5 !== null && md5 === (await digestFrom(createHash('md5'), file.read(0, file.sizeBytes)))
  return isSame ? 'there' : 'missing'
}

const headersOf = ({ headers, sha256 }: KeyedFile) => ({ ...headers, [contentHeader]: sha256 })

/** Called with the id of a multipart upload: before its first part, and when the storage has removed it. */
export interface PartNotes {
  begun(id: string): void
  ended(id: string): void
}

/** Called with the id of a multipart upload: before its first part, and when the storage has removed it. */
export interface PartNotes {
  begun(id: string): void
  ended(id: string): void
}

/** Uploads a file to the bucket. Returns its ETag if it may be the MD5 of the bytes, which that of an upload in parts is not. */
export async function upload(
  bucket: Bucket,
  file: KeyedFile,
  waitsMs: readonly number[],
  signal: AbortSignal,
  parts: PartNotes,
): Promise<string | null> {
  const { key, sizeBytes, sha256 } = file
  if (sizeBytes > 2 * partBytes) {
    await uploadInParts(bucket, file, waitsMs, signal, parts)
    return null
  }
  const payload = { sha256, sizeBytes, read: () => file.read(0, sizeBytes) }
  const answer = await bucket.ask({ method: 'PUT', key, headers: headersOf(file), payload }, signal)
  if (answer.status !== 200) throw bucket.refused(answer)
  return md5In(answer.headers.etag)
}

const md5In = (etag: string | undefined): string | null => /^"([0-9a-f]{32})"$/.exec(etag ?? '')?.[1] ?? null

/**
 * Uploads a large file in parts. Each part is signed with its own hash, so that the storage refuses corrupted data. Lost
 * parts are sent again. Each loss halves the concurrency, because a slow and unstable connection would otherwise finish
 * none.
 */
async function uploadInParts(
  bucket: Bucket,
  file: KeyedFile,
  waitsMs: readonly number[],
  signal: AbortSignal,
  parts: PartNotes,
): Promise<void> {
  const { key } = file
  const begun = await bucket.ask({ method: 'POST', key, query: 'uploads=', headers: headersOf(file) }, signal)
  const [, id] = /<UploadId>([^<]{1,2000})<\/UploadId>/.exec(begun.text) ?? []
  if (begun.status !== 200 || id === undefined) throw bucket.refused(begun)
  const uploadId = unescaped(id)
  parts.begun(uploadId)
  const query = `uploadId=${encodeURIComponent(uploadId)}`
  try {
    const etags = await sendParts(bucket, file, query, waitsMs, signal)
    await complete(bucket, file, query, etags, signal)
    parts.ended(uploadId)
  } catch (error) {
    if (await abort(bucket, key, uploadId)) parts.ended(uploadId)
    throw error
  }
}

/** Aborts a multipart upload, so that its parts cause no costs. Returns false if the storage did not respond. */
export async function abort(bucket: Bucket, key: string, uploadId: string): Promise<boolean> {
  const query = `uploadId=${encodeURIComponent(uploadId)}`
  const signal = AbortSignal.timeout(abortLimitMs)
  const gone = await bucket.attempt({ method: 'DELETE', key, query }, signal).catch(() => null)
  return gone !== null && 'status' in gone
}
const abortLimitMs = 10_000

async function sendParts(
  bucket: Bucket,
  file: KeyedFile,
  query: string,
  waitsMs: readonly number[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const etags: string[] = []
  const waiting = Array.from({ length: Math.ceil(file.sizeBytes / partBytes) }, (_, at) => at)
  const failed = new AbortController()
  const stop = eitherSignal(signal, failed.signal)
  let senders = Math.min(partsAtATime, waiting.length)
  let wanted = senders
  let losses = 0

  // Not `retrying`: senders share the losses, which lower their number and end with any part that arrives.
  async function sendNext(): Promise<void> {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      stop.throwIfAborted()
      const offset = part * partBytes
      const sizeBytes = Math.min(partBytes, file.sizeBytes - offset)
      const read = () => file.read(offset, sizeBytes)
      const sha256 = await digestFrom(createHash('sha256'), read())
      const payload = { sha256, sizeBytes, read }
      const call = { method: 'PUT', key: file.key, query: `partNumber=${part + 1}&${query}`, payload } as const
      const sent = await bucket.attempt(call, stop)
      if ('reason' in sent) {
        waiting.unshift(part)
        losses += 1
        if (losses > maxConsecutiveLosses) throw new CausedError(sent.reason)
        wanted = Math.max(1, Math.floor(wanted / 2))
        if (senders > wanted) break
        const waitMs = waitsMs[Math.min(losses, waitsMs.length) - 1] ?? 0
        await delay(Math.max(waitMs, sent.afterMs), undefined, { signal: stop })
      } else {
        const { etag } = sent.headers
        if (sent.status !== 200 || etag === undefined) throw bucket.refused(sent)
        etags[part] = etag
        losses = 0
      }
    }
    senders -= 1
  }

  const ended = await Promise.allSettled(
    Array.from({ length: senders }, () =>
      sendNext().catch((error: unknown) => {
        failed.abort()
        throw error
      }),
    ),
  )
  const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  // Parts that were stopped do not know the reason.
  const first = failures.find((error) => error instanceof CausedError) ?? failures[0]
  if (first !== undefined) throw first
  return etags
}

async function complete(
  bucket: Bucket,
  file: KeyedFile,
  query: string,
  etags: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const parts = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const payload = {
    sha256: createHash('sha256').update(body).digest('hex'),
    sizeBytes: body.length,
    read: () => Readable.from([body]),
  }
  const answer = await bucket.ask({ method: 'POST', key: file.key, query, payload }, signal)
  // A storage may fail after sending its status line; then the body contains the error.
  if (answer.status === 200 && !answer.text.includes('<Error>')) return
  // An earlier attempt may have completed the upload although its response was lost.
  if ((await findObject(bucket, file, signal)) !== 'there') throw bucket.refused(answer)
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
