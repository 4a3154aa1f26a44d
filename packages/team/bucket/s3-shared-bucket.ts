import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Listed, ListedObject, Refused, Unknown } from '@galley/library'
import { chunksOf, isOfS3, isPassing, isStored, listedKeys, refusal, retryAfterMs, unescaped } from '@galley/platform'
import { cause, encodeSegment } from '@galley/wire'

import type { GetAnswer, Payload, SharedBucket } from './shared-bucket.ts'
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

  const otherwise = (answer: WholeAnswer | NoAnswer): Unknown | Refused => unexpected(answer, name)

  async function getUpTo(key: string, maxBytes: number): Promise<GetAnswer | { readonly kind: 'longer' }> {
    const answer = await send({ method: 'GET', path: pathOf(key), limitMs: limitMs(0), maxBytes })
    if ('isLost' in answer) return answer.isLonger ? { kind: 'longer' } : otherwise(answer)
    if (answer.status === 200) return isObject(answer) ? { kind: 'found', bytes: answer.bytes } : unknown
    return isAbsent(answer) ? { kind: 'absent' } : otherwise(answer)
  }

  return {
    async create(key, bytes) {
      const answer = await send({
        method: 'PUT',
        path: pathOf(key),
        headers: { 'if-none-match': '*' },
        body: { sha256: sha256Of(bytes), sizeBytes: bytes.length, read: () => bytes },
        limitMs: limitMs(bytes.length),
      })
      if ('isLost' in answer) return otherwise(answer)
      // Without an ETag, a proxy may have answered, so the object itself is checked.
      if (isSuccess(answer))
        return isStored(answer) && answer.headers.etag !== undefined ? { kind: 'created' } : unknown
      if (answer.status === 412) return { kind: 'exists' }
      // OpenStack Swift answers this way to the condition.
      if (answer.status === 501) return { kind: 'refused', why: cause('bucket_unsuitable', { name: 1, why: 0 }) }
      return otherwise(answer)
    },

    async get(key) {
      const got = await getUpTo(key, objectMaxBytes)
      return got.kind === 'longer' ? notS3 : got
    },

    getUpTo,

    async fetch(key, path, maxBytes) {
      const taken: { sha256: string | null } = { sha256: null }
      const call = { method: 'GET', path: pathOf(key), limitMs: smallLimitMs, maxBytes: answerMaxBytes } as const
      const answer = await receiveOnce(access, call, async (body) => {
        taken.sha256 = await writeUpTo(maxBytes, path, body)
      })
      if ('isLost' in answer) return otherwise(answer)
      if (answer.status !== 200) return isAbsent(answer) ? { kind: 'absent' } : otherwise(answer)
      const { sha256 } = taken
      // Some storages derive the type of a file from its content. In that case, its name shows that it is the file.
      if (isPage(answer) && (sha256 === null || !key.includes(sha256))) return unknown
      return sha256 === null ? { kind: 'longer' } : { kind: 'found', sha256 }
    },

    async listAfter(under, after) {
      const query = {
        'list-type': '2',
        prefix: `${prefix}${under}`,
        'encoding-type': 'url',
        'max-keys': keysAPage,
        ...(after !== '' && { 'start-after': `${prefix}${after}` }),
      }
      for (let token: string | undefined; ;) {
        const more = token !== undefined && { 'continuation-token': token }
        const answer = await send({ method: 'GET', path: '', query: { ...query, ...more } })
        if ('isLost' in answer || answer.status !== 200) return otherwise(answer)
        const page = pageIn(answer, prefix)
        if ('kind' in page) return page
        const { keys, objects, next } = page
        // A storage that ignores `start-after` would be listed for ever.
        if (keys[0] !== undefined && inOrder(keys[0], after) <= 0) return notS3
        // A page may be empty although there are more.
        if (keys.length > 0 || next === '') return { kind: 'listed', keys, objects }
        if (next === token) return notS3
        token = next
      }
    },

    async put(key, payload: Payload) {
      const slowest = limitMs(payload.sizeBytes)
      const answer = await send({ method: 'PUT', path: pathOf(key), body: payload, limitMs: slowest })
      if ('isLost' in answer || !isSuccess(answer)) return otherwise(answer)
      return isStored(answer) ? done : unknown
    },

    async remove(key) {
      const answer = await send({ method: 'DELETE', path: pathOf(key) })
      if ('isLost' in answer) return otherwise(answer)
      if (isSuccess(answer)) return answer.text.trim() === '' ? done : unknown
      return answer.status === 404 && isOfS3(answer) ? done : otherwise(answer)
    },
  }
}

/** The meaning of an unexpected answer. */
function unexpected(answer: WholeAnswer | NoAnswer, bucket: string): Unknown | Refused {
  if ('isLost' in answer) return answer.isLost ? unknown : { kind: 'refused', why: answer.why }
  // 409: another writer is creating this key right now. 404 with a page: a proxy that has lost the storage.
  if (answer.status === 409 || isPassing(answer) || (answer.status === 404 && !isOfS3(answer))) {
    const afterMs = retryAfterMs(answer)
    return afterMs === 0 ? unknown : { kind: 'unknown', afterMs }
  }
  return { kind: 'refused', why: refusal(answer, bucket) }
}

/** Writes a body to a file and returns its SHA-256; null as soon as there are more bytes. The rest is not read. */
async function writeUpTo(maxBytes: number, path: string, body: Readable): Promise<string | null> {
  await using file = await open(path, 'w', 0o600)
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of chunksOf(body)) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) return null
    hash.update(chunk)
    await file.appendFile(chunk)
  }
  await file.sync()
  return hash.digest('hex')
}

const isAbsent = (answer: WholeAnswer): boolean =>
  answer.status === 404 && isOfS3(answer) && !answer.text.includes('<Code>NoSuchBucket</Code>')

const isSuccess = ({ status }: WholeAnswer): boolean => status >= 200 && status < 300

/** Whether a proxy or a portal has answered with a page in place of an object: Galley sends objects without a type. */
const isPage = ({ headers }: WholeAnswer): boolean => /^text\/html\b/i.test(headers['content-type'] ?? '')

/** Whether this is all of an object: no page, no error of S3 with status 200, and no answer that ends where it is cut. */
const isObject = (answer: WholeAnswer): boolean => {
  const { headers, text } = answer
  const hasEnd = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasEnd && !isPage(answer) && !/^\s*(?:<\?xml[^>]*>\s*)?<Error[\s>]/.test(text)
}

const notS3 = { kind: 'refused', why: cause('bucket_not_s3', { name: 200 }) } as const

/** A page of a list without the prefix, and the token of the next page or ''. */
function pageIn(
  answer: WholeAnswer,
  prefix: string,
): (Omit<Listed, 'kind'> & { readonly next: string }) | Unknown | Refused {
  const text = answer.bytes.toString('utf8')
  if (!text.includes('<ListBucketResult')) return isOfS3(answer) ? unknown : notS3
  if (!text.includes('</ListBucketResult>')) return unknown
  const objects = new Map<string, ListedObject>()
  const keys: string[] = []
  for (const described of text.split(/<Contents\b[^>]*>/).slice(1)) {
    const [, key] = /<Key>([^<]*)<\/Key>/.exec(described) ?? []
    const found = key === undefined ? undefined : listedKeys(key).find((each) => each.startsWith(prefix))
    // A storage that ignores `prefix` lists others.
    if (found === undefined) return notS3
    const name = found.slice(prefix.length)
    const [, size] = /<Size>\s*(\d{1,15})\s*<\/Size>/.exec(described) ?? []
    const [, etag = ''] = /<ETag>([^<]*)<\/ETag>/.exec(described) ?? []
    const [, md5 = null] = /^"?([0-9a-f]{32})"?$/i.exec(unescaped(etag).trim()) ?? []
    keys.push(name)
    if (size !== undefined) objects.set(name, { sizeBytes: Number(size), md5: md5?.toLowerCase() ?? null })
  }
  const next = unescaped(/<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(text)?.[1] ?? '')
  return { keys: keys.toSorted(inOrder), objects, next }
}

/** The order of S3, which is that of the bytes. */
const inOrder = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
