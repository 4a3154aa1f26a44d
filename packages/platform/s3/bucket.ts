import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Cause } from '@galley/wire'
import { CausedError, cause } from '@galley/wire'
import { AwsV4Signer } from 'aws4fetch'
import type { Agent } from 'undici'

import { bodyStart, httpClient } from '../network/http-client.ts'
import type { Semaphore } from '../timing/concurrency.ts'
import { retrying } from '../timing/retrying.ts'
import type { BucketAnswer } from './bucket-answer.ts'
import { connectionCause, isPassing, isStored, refusal, retryAfterMs } from './bucket-answer.ts'

/** A bucket and how to access it. */
export interface BucketAccess {
  readonly name: string
  /** The URL of the bucket, without a trailing slash. */
  readonly root: string
  readonly region: string
  readonly keys: { readonly id: string; readonly secret: string; readonly sessionToken?: string | undefined }
  readonly agent: Agent
  /** Shared by all requests to storages, so that a request's time limit does not include waiting for a connection. */
  readonly semaphore: Semaphore
}

/** The bytes to send. Can be read more than once. */
export interface Payload {
  readonly sha256: string
  readonly sizeBytes: number
  read(): Readable & { readonly bytesRead?: number }
}

interface Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Percent-encoded, below the root. */
  readonly key: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: Payload
  /**
   * Reads the body of a response with status 200 and returns its text. Without it, the text is the beginning of the body.
   */
  readonly receive?: (body: Readable, headers: IncomingHttpHeaders) => Promise<string>
}

/** Why a request got no response, and whether to retry. */
interface NoAnswer {
  readonly reason: Cause
  readonly again: boolean
}

/** Why there is no final response yet, and how long the storage asks to wait. */
interface Lost {
  readonly reason: Cause
  readonly afterMs: number
}

/**
 * What is added to the time limit for the response, since the end of a body may still be in the buffers of the system after
 * its last byte was read. Any usable connection reaches this rate.
 */
const bufferedMs = (sizeBytes: number): number => Math.ceil(sizeBytes / 8)
/** A connection that transfers no data of a body in this time, in either direction, is considered dead. */
const stallMs = 60_000

/** A body of up to this size leaves in one piece with its headers. */
const smallBytes = 64 * 1024

/** S3 error and upload responses have a few lines. */
const answerBytes = 64 * 1024

const emptySha256 = createHash('sha256').digest('hex')

function createSigner({ root, region, keys }: BucketAccess) {
  const { id: accessKeyId, secret: secretAccessKey, sessionToken } = keys
  /** Signing keys are valid for a day and cost more to derive than a request costs to sign. */
  const cache = new Map<string, ArrayBuffer>()
  return ({ method, key, query, payload, headers }: Call) =>
    new AwsV4Signer({
      method,
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      cache,
      ...(sessionToken !== undefined && { sessionToken }),
      url: `${root}/${key}${query === undefined ? '' : `?${query}`}`,
      headers: { ...headers, 'x-amz-content-sha256': payload?.sha256 ?? emptySha256 },
    }).sign()
}

/** Signed requests to a bucket. */
export function createBucket(place: BucketAccess, waitsMs: readonly number[], stallLimitMs = stallMs) {
  const sign = createSigner(place)
  /** A single attempt. */
  const once = (call: Call, signal: AbortSignal): Promise<BucketAnswer | NoAnswer> =>
    place.semaphore(() => send(call, signal))

  async function send(call: Call, signal: AbortSignal): Promise<BucketAnswer | NoAnswer> {
    const { method, payload, receive } = call
    // Loaded before the body is opened: without a listener, a file that cannot be opened would end the process.
    const { request } = await httpClient()
    const { url, headers } = await sign(call)
    const stream = payload && payload.sizeBytes > smallBytes ? payload.read() : undefined
    const body = stream ?? (payload && (await buffer(payload.read())))
    const watch = watchProgress(stream, payload?.sizeBytes ?? 0, stallLimitMs)
    try {
      const answer = await request(url, {
        method,
        dispatcher: place.agent,
        // By default, undici closes a connection after a HEAD, and a new one costs two or three round trips.
        reset: false,
        signal: AbortSignal.any([signal, watch.stalled]),
        // Undici's own limit would end slow uploads with a different error. That of the body counts from its last bytes.
        headersTimeout: 0,
        bodyTimeout: stallLimitMs,
        headers: {
          ...Object.fromEntries(headers),
          ...(method === 'PUT' || method === 'POST' ? { 'content-length': String(payload?.sizeBytes ?? 0) } : {}),
        },
        body: body ?? null,
      })
      watch.end()
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text:
          receive && answer.statusCode === 200
            ? await receive(answer.body, answer.headers)
            : (await bodyStart(answer.body, answerBytes)).toString(),
      }
    } catch (error) {
      if (watch.stalled.aborted || isBodyTimeout(error)) return { reason: cause('bucket_stalled'), again: true }
      const lost = connectionCause(error, 'bucket')
      // Not the network: a disk fault or a bug.
      if (lost === null) throw error
      return lost
    } finally {
      watch.end()
      stream?.destroy()
    }
  }

  /** A single attempt. Returns a final response, or why there is none yet. Throws errors that a retry cannot fix. */
  async function attempt(call: Call, signal: AbortSignal): Promise<BucketAnswer | Lost> {
    const tried = await once(call, signal)
    if ('status' in tried) {
      if (call.method === 'PUT' && tried.status === 200 && !isStored(tried))
        return { reason: cause('bucket_not_s3', { name: tried.status }), afterMs: 0 }
      return isPassing(tried) ? { reason: refusal(tried, place.name), afterMs: retryAfterMs(tried) } : tried
    }
    if (!tried.again || signal.aborted) throw new CausedError(tried.reason)
    return { reason: tried.reason, afterMs: 0 }
  }

  /** Retries until there is a final response. Throws if there is none. */
  async function ask(call: Call, signal: AbortSignal): Promise<BucketAnswer> {
    const last = await retrying(
      { waitsMs, signal },
      () => attempt(call, signal),
      (tried) => ('status' in tried ? null : tried.afterMs),
    )
    if ('status' in last) return last
    throw new CausedError(last.reason)
  }

  return {
    root: place.root,
    attempt,
    ask,
    refused: (answer: BucketAnswer): CausedError => new CausedError(refusal(answer, place.name)),
  }
}

export type Bucket = ReturnType<typeof createBucket>

const isBodyTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'UND_ERR_BODY_TIMEOUT'

/**
 * `stalled` aborts when no data of a body is sent for too long, or there is no response in time after its end. A slow request
 * goes on as long as data moves.
 */
function watchProgress(
  body: (Readable & { readonly bytesRead?: number }) | undefined,
  sizeBytes: number,
  stallLimitMs: number,
) {
  const stalled = new AbortController()
  let seen = 0
  let sinceMs = performance.now()
  const timer = setInterval(() => {
    const read = body?.bytesRead ?? sizeBytes
    if (read !== seen) sinceMs = performance.now()
    seen = read
    const allowedMs = stallLimitMs + (read < sizeBytes ? 0 : bufferedMs(sizeBytes))
    if (performance.now() - sinceMs > allowedMs) stalled.abort()
  }, stallLimitMs / 10)
  return { stalled: stalled.signal, end: () => clearInterval(timer) }
}
