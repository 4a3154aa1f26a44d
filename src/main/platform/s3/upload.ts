import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

import { CausedError } from '../../../contract/cause.ts'
import type { Bucket } from './bucket.ts'
import { either } from './side-by-side.ts'

/** A file on its way into a bucket. */
export interface OutgoingFile {
  /** Percent-encoded, below the root of the bucket. */
  readonly key: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly headers: Readonly<Record<string, string>>
  /** Some of its bytes; may be asked for more than once. */
  read(offset: number, sizeBytes: number): Readable & { readonly bytesRead?: number }
}

/** The least that S3 takes as a part, and the most that a lost connection costs. */
const partBytes = 5 * 1024 * 1024
const partsAtATime = 4
/** Losses in a row, without a part that arrived between them, before an upload is given up. */
const lossesInARow = 8

/** Where an object says what it holds. */
const contentHeader = 'x-amz-meta-galley-sha256'

async function digest(hash: Hash, bytes: Readable): Promise<string> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * Whether this very file is there already: its size, and either the hash that Galley wrote beside it or the MD5 that most
 * storages have for their ETag. What says neither counts as missing.
 */
export async function lookFor(
  bucket: Bucket,
  file: OutgoingFile,
  signal: AbortSignal,
): Promise<'there' | 'missing' | 'refused'> {
  const { status, headers } = await bucket.ask({ method: 'HEAD', key: file.key }, signal)
  // Keys that may not list a bucket get the same answer for what is not there.
  if (status === 401 || status === 403) return 'refused'
  if (status !== 200 || Number(headers['content-length']) !== file.sizeBytes) return 'missing'
  if (headers[contentHeader] === file.sha256) return 'there'
  const [, md5] = /^"([0-9a-f]{32})"$/.exec(headers.etag ?? '') ?? []
  const isSame = md5 !== undefined && md5 === (await digest(createHash('md5'), file.read(0, file.sizeBytes)))
  return isSame ? 'there' : 'missing'
}

const headersOf = ({ headers, sha256 }: OutgoingFile) => ({ ...headers, [contentHeader]: sha256 })

/** Told of the id of an upload in parts: before its first part, and when the storage has none of it any more. */
export interface PartNotes {
  begun(id: string): void
  ended(id: string): void
}

/** Puts a file into the bucket. */
export async function upload(
  bucket: Bucket,
  file: OutgoingFile,
  waitsMs: readonly number[],
  signal: AbortSignal,
  parts: PartNotes,
): Promise<void> {
  const { key, sizeBytes, sha256 } = file
  if (sizeBytes > 2 * partBytes) return uploadInParts(bucket, file, waitsMs, signal, parts)
  const payload = { sha256, sizeBytes, read: () => file.read(0, sizeBytes) }
  const answer = await bucket.ask({ method: 'PUT', key, headers: headersOf(file), payload }, signal)
  if (answer.status !== 200) throw bucket.refused(answer)
}

/**
 * A large file in parts, each signed with its own hash, so that the storage refuses what changed on the way. A lost part is
 * sent again; each loss halves the number of parts at a time, since a slow link that is cut now and then would finish none.
 */
async function uploadInParts(
  bucket: Bucket,
  file: OutgoingFile,
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

/** Ends an upload in parts, so that nobody pays for parts that no object will hold. False when the storage did not answer. */
export async function abort(bucket: Bucket, key: string, uploadId: string): Promise<boolean> {
  const query = `uploadId=${encodeURIComponent(uploadId)}`
  const signal = AbortSignal.timeout(abortLimitMs)
  const gone = await bucket.attempt({ method: 'DELETE', key, query }, signal).catch(() => null)
  return gone !== null && 'status' in gone
}
const abortLimitMs = 10_000

async function sendParts(
  bucket: Bucket,
  file: OutgoingFile,
  query: string,
  waitsMs: readonly number[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const etags: string[] = []
  const waiting = Array.from({ length: Math.ceil(file.sizeBytes / partBytes) }, (_, at) => at)
  const failed = new AbortController()
  const stop = either(signal, failed.signal)
  let senders = Math.min(partsAtATime, waiting.length)
  let wanted = senders
  let losses = 0

  async function sendNext(): Promise<void> {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      stop.throwIfAborted()
      const offset = part * partBytes
      const sizeBytes = Math.min(partBytes, file.sizeBytes - offset)
      const read = () => file.read(offset, sizeBytes)
      const sha256 = await digest(createHash('sha256'), read())
      const payload = { sha256, sizeBytes, read }
      const call = { method: 'PUT', key: file.key, query: `partNumber=${part + 1}&${query}`, payload } as const
      const sent = await bucket.attempt(call, stop)
      if ('code' in sent) {
        waiting.unshift(part)
        losses += 1
        if (losses > lossesInARow) throw new CausedError(sent)
        wanted = Math.max(1, Math.floor(wanted / 2))
        if (senders > wanted) break
        await delay(waitsMs[Math.min(losses, waitsMs.length) - 1] ?? 0, undefined, { signal: stop })
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
  // Those that were stopped say nothing about why.
  const first = failures.find((error) => error instanceof CausedError) ?? failures[0]
  if (first !== undefined) throw first
  return etags
}

async function complete(
  bucket: Bucket,
  file: OutgoingFile,
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
  // A storage may find out after its status line that it cannot, and says so in the body.
  if (answer.status === 200 && !answer.text.includes('<Error>')) return
  // The answer to an earlier try may have been lost after the upload was complete.
  if ((await lookFor(bucket, file, signal)) !== 'there') throw bucket.refused(answer)
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
