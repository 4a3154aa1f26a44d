import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { cause } from '../../../contract/cause.ts'
import { encodeSegment } from '../../../contract/protocol/public-url.ts'
import { isPassing, refusal } from '../../platform/s3/bucket-answer.ts'
import type { Refused } from '../team/requests.ts'
import type { Payload, SharedBucket, Unknown } from './shared-bucket.ts'
import type { BucketAccess, Call, NoAnswer, WholeAnswer } from './single-request.ts'
import { receiveOnce, sendOnce, sha256Of } from './single-request.ts'

/** For entries and other small objects. */
const smallLimitMs = 10_000
/** A rate that any usable connection reaches, so that larger objects get more time. */
const limitMs = (sizeBytes: number): number => smallLimitMs + Math.ceil(sizeBytes / 8)
/** An entry is smaller than this; see the log. */
const objectMaxBytes = 256 * 1024 ** 2
/** A page of keys, or an error message of S3. */
const answerMaxBytes = 4 * 1024 ** 2
const keysAPage = '1000'

const unknown: Unknown = { kind: 'unknown' }
const done = { kind: 'done' } as const

/**
 * An S3 bucket, by single requests that are never repeated here: a client that retries on its own would lose against
 * its own first request and take its success for a failure.
 */
export function createS3SharedBucket(access: BucketAccess): SharedBucket {
  const { prefix, name } = access
  const pathOf = (key: string): string => `${prefix}${key}`.split('/').map(encodeSegment).join('/')
  const send = (call: Partial<Call> & Pick<Call, 'method' | 'path'>): Promise<WholeAnswer | NoAnswer> =>
    sendOnce(access, { limitMs: smallLimitMs, maxBytes: answerMaxBytes, ...call })

  /** The meaning of an unexpected answer. */
  function otherwise(answer: WholeAnswer | NoAnswer): Unknown | Refused {
    if ('isLost' in answer) return answer.isLost ? unknown : { kind: 'refused', why: answer.why }
    // 409: another writer is creating this key right now.
    if (answer.status === 409 || isPassing(answer)) return unknown
    return { kind: 'refused', why: refusal(answer, name) }
  }

  return {
    async create(key, bytes) {
      const answer = await send({
        ...{ method: 'PUT', path: pathOf(key), headers: { 'if-none-match': '*' } },
        body: { sha256: sha256Of(bytes), sizeBytes: bytes.length, stream: bytes },
        limitMs: limitMs(bytes.length),
      })
      if ('isLost' in answer) return otherwise(answer)
      if (isSuccess(answer)) return isFromS3(answer) ? { kind: 'created' } : unknown
      if (answer.status === 412) return { kind: 'exists' }
      // OpenStack Swift answers this way to the condition.
      if (answer.status === 501) return { kind: 'refused', why: cause('bucket_unsuitable', { name: 1, why: 0 }) }
      return otherwise(answer)
    },

    async get(key) {
      const answer = await send({ method: 'GET', path: pathOf(key), limitMs: limitMs(0), maxBytes: objectMaxBytes })
      if ('isLost' in answer) return otherwise(answer)
      if (answer.status === 200) return { kind: 'found', bytes: answer.bytes }
      return isAbsent(answer) ? { kind: 'absent' } : otherwise(answer)
    },

    async fetch(key, path) {
      const hash = createHash('sha256')
      const call = { method: 'GET', path: pathOf(key), limitMs: smallLimitMs, maxBytes: answerMaxBytes } as const
      const answer = await receiveOnce(access, call, (body) =>
        pipeline(
          body,
          async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              hash.update(chunk)
              yield chunk
            }
          },
          createWriteStream(path, { mode: 0o600, flush: true }),
        ),
      )
      if ('isLost' in answer) return otherwise(answer)
      if (answer.status === 200) return { kind: 'found', sha256: hash.digest('hex') }
      return isAbsent(answer) ? { kind: 'absent' } : otherwise(answer)
    },

    async listAfter(under, after) {
      const query = {
        ...{ 'list-type': '2', prefix: `${prefix}${under}`, 'encoding-type': 'url', 'max-keys': keysAPage },
        ...(after !== '' && { 'start-after': `${prefix}${after}` }),
      }
      const answer = await send({ method: 'GET', path: '', query })
      if ('isLost' in answer || answer.status !== 200) return otherwise(answer)
      const text = answer.bytes.toString('utf8')
      if (!text.includes('<ListBucketResult')) return { kind: 'refused', why: cause('bucket_not_s3', { name: 200 }) }
      const keys = Array.from(text.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key = '']) => plain(key).slice(prefix.length))
      const sorted = keys.toSorted(inOrder)
      // A storage that ignores `start-after` would be listed for ever.
      if (sorted[0] !== undefined && inOrder(sorted[0], after) <= 0)
        return { kind: 'refused', why: cause('bucket_not_s3', { name: 200 }) }
      return { kind: 'listed', keys: sorted }
    },

    async put(key, payload: Payload) {
      const answer = await send({
        ...{ method: 'PUT', path: pathOf(key), limitMs: limitMs(payload.sizeBytes) },
        body: { sha256: payload.sha256, sizeBytes: payload.sizeBytes, stream: payload.read() },
      })
      if ('isLost' in answer || !isSuccess(answer)) return otherwise(answer)
      return isFromS3(answer) ? done : unknown
    },

    async remove(key) {
      const answer = await send({ method: 'DELETE', path: pathOf(key) })
      const isGone = 'status' in answer && (isSuccess(answer) || answer.status === 404)
      return isGone ? done : otherwise(answer)
    },
  }
}

const isAbsent = ({ status, text }: WholeAnswer): boolean =>
  status === 404 && !text.includes('<Code>NoSuchBucket</Code>')

const isSuccess = ({ status }: WholeAnswer): boolean => status >= 200 && status < 300

/** S3 answers a PUT without a text. The page of a proxy or a portal, or an error, has one, and nothing may be stored. */
const isFromS3 = ({ text }: WholeAnswer): boolean => text.trim() === ''

/** The order of S3, which is that of the bytes. */
const inOrder = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Keys in a list are percent-encoded, with a plus sign for a space. A storage may send those of others as they are. */
function plain(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}
