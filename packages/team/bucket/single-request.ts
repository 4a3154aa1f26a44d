import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { bytesUpTo, chunksOf, connectionCause, httpClient } from '@galley/platform'
import type { BucketAnswer } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { cause } from '@galley/wire'
import { AwsV4Signer } from 'aws4fetch'
import type { Agent, Dispatcher } from 'undici'

/** A bucket and how to reach it. */
export interface BucketAccess {
  readonly name: string
  /** The address of the bucket, without a trailing slash. */
  readonly root: string
  /** The prefix of all keys; ends with a slash or is empty. */
  readonly prefix: string
  readonly region: string
  readonly keys: { readonly id: string; readonly secret: string }
  /** Gives up on a connection that is not established within two seconds. */
  readonly agent: Agent
}

export interface Call {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Percent-encoded, relative to the root. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly sha256: string; readonly sizeBytes: number; read(): Readable | Uint8Array }
  /**
   * The time limit of the whole request; for a GET, of each pause, because the length of the response is not known
   * before. A GET also ends when it has taken this long and is slower than any usable connection.
   */
  readonly limitMs: number
  /** A longer answer is an error. */
  readonly maxBytes: number
}

export interface WholeAnswer extends BucketAnswer {
  readonly bytes: Buffer
}

/** No complete answer. `isLost`: another attempt may succeed. `isLonger`: it has more bytes than it may. */
export interface NoAnswer {
  readonly isLost: boolean
  readonly isLonger?: true
  readonly why: Cause
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const emptySha256 = sha256Of(new Uint8Array())
const firstTextBytes = 64 * 1024
/** 16 bytes a second: an entry of 2 kB may take two minutes. */
const slowestMsAByte = 1000 / 16

/** Sends one signed request once and reads the whole answer. Throws errors other than those of network and storage. */
export const sendOnce = (access: BucketAccess, call: Call): Promise<WholeAnswer | NoAnswer> =>
  send(access, call, async (answer) => {
    const bytes = await bytesUpTo(call.maxBytes, paced(answer.body, call.limitMs))
    if (bytes === null)
      return { isLost: false, isLonger: true, why: cause('bucket_not_s3', { name: answer.statusCode }) }
    return wholeAnswer(answer, bytes)
  })

/** The same for an object of any size, whose bytes are passed to `take` as they arrive. Throws what `take` throws. */
export const receiveOnce = (
  access: BucketAccess,
  call: Call,
  take: (body: Readable) => Promise<void>,
): Promise<WholeAnswer | NoAnswer> =>
  send(access, call, async (answer) => {
    if (answer.statusCode !== 200)
      return wholeAnswer(answer, (await bytesUpTo(call.maxBytes, answer.body)) ?? Buffer.alloc(0))
    await take(paced(answer.body, call.limitMs))
    return wholeAnswer(answer, Buffer.alloc(0))
  })

type Received = Dispatcher.ResponseData

/** A body that fails like a silent connection once it is older than `limitMs` and slower than the slowest usable one. */
function paced(body: Readable, limitMs: number): Readable {
  const began = performance.now()
  async function* chunks(): AsyncGenerator<Buffer> {
    let received = 0
    for await (const chunk of chunksOf(body)) {
      received += chunk.length
      if (performance.now() - began > limitMs + received * slowestMsAByte)
        throw Object.assign(new Error('The answer arrives too slowly'), { code: 'UND_ERR_BODY_TIMEOUT' })
      yield chunk
    }
  }
  return Readable.from(chunks())
}

const wholeAnswer = ({ statusCode, headers }: Received, bytes: Buffer): WholeAnswer => ({
  status: statusCode,
  headers,
  bytes,
  text: bytes.toString('utf8', 0, firstTextBytes),
})

async function send(
  access: BucketAccess,
  { method, path, query, headers: more, body, limitMs }: Call,
  read: (answer: Received) => Promise<WholeAnswer | NoAnswer>,
): Promise<WholeAnswer | NoAnswer> {
  const { id: accessKeyId, secret: secretAccessKey } = access.keys
  const { url, headers } = await new AwsV4Signer({
    method,
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region: access.region,
    url: `${access.root}/${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`,
    headers: { ...more, 'x-amz-content-sha256': body?.sha256 ?? emptySha256 },
  }).sign()
  const signal = method === 'GET' ? null : AbortSignal.timeout(limitMs)
  const stallMs = signal ? 0 : limitMs
  let sent: Readable | Uint8Array | null = null
  try {
    const { request } = await httpClient()
    // Opened only now: without a listener, a file that cannot be opened would end the process.
    sent = body?.read() ?? null
    const answer = await request(url, {
      method,
      dispatcher: access.agent,
      ...(signal && { signal }),
      headersTimeout: stallMs,
      bodyTimeout: stallMs,
      headers: { ...Object.fromEntries(headers), ...(body && { 'content-length': String(body.sizeBytes) }) },
      body: sent,
    })
    return await read(answer)
  } catch (error) {
    const lost = connectionCause(error, 'bucket')
    if (lost === null) throw error
    return { isLost: lost.again, why: lost.reason }
  } finally {
    if (sent && 'destroy' in sent) sent.destroy()
  }
}
