import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import type { Bucket } from '../../platform/s3/bucket.ts'

/** The object that names the library which publishes below a prefix. */
const holderName = 'galley-library.json'
/** What it says once a second library publishes there. */
const shared = '{"library":"several"}\n'

const isDenied = (status: number): boolean => status === 401 || status === 403

/**
 * Whether this library publishes alone below a prefix of a bucket. Where another library publishes too, it may have found a
 * file that a failed save of this one has uploaded, so nothing is deleted there. Copies of one library, as members of a
 * team are, count as one.
 */
export function createBucketHolder(library: string) {
  const own = `{"library":"${library}"}\n`
  const claimed = new Set<string>()

  const keyIn = (prefix: string): string => `${prefix}${holderName}`

  async function put(bucket: Bucket, key: string, text: string, isNew: boolean, signal: AbortSignal): Promise<number> {
    const bytes = Buffer.from(text)
    const payload = {
      sha256: createHash('sha256').update(bytes).digest('hex'),
      sizeBytes: bytes.length,
      read: () => Readable.from([bytes]),
    }
    const headers = { 'content-type': 'application/json', ...(isNew && { 'if-none-match': '*' }) }
    const answer = await bucket.ask({ method: 'PUT', key, headers, payload }, signal)
    // Swift does not know the condition.
    if (answer.status === 501 && isNew) return put(bucket, key, text, false, signal)
    if (answer.status !== 200 && answer.status !== 412 && !isDenied(answer.status)) throw bucket.refused(answer)
    return answer.status
  }

  async function claimOnce(bucket: Bucket, key: string, signal: AbortSignal): Promise<void> {
    const found = await bucket.ask({ method: 'GET', key }, signal)
    if (found.status === 404 && (await put(bucket, key, own, true, signal)) !== 412) return
    const { status, text } = found.status === 404 ? await bucket.ask({ method: 'GET', key }, signal) : found
    if (status === 200 && text !== own && text !== shared) await put(bucket, key, shared, false, signal)
  }

  return {
    /**
     * Says in the bucket that this library publishes below a prefix, which is percent-encoded and ends with a slash or is
     * empty. To be called before any file is looked for there. Keys that may not write this object change nothing. Throws
     * CausedError.
     */
    async claim(bucket: Bucket, prefix: string, signal: AbortSignal): Promise<void> {
      const key = keyIn(prefix)
      const address = `${bucket.root}/${key}`
      if (claimed.has(address)) return
      await claimOnce(bucket, key, signal)
      claimed.add(address)
    },

    /** False also if the bucket does not answer. */
    async isAlone(bucket: Bucket, prefix: string, signal: AbortSignal): Promise<boolean> {
      const answer = await bucket.ask({ method: 'GET', key: keyIn(prefix) }, signal).catch(() => null)
      if (answer === null) return false
      return answer.status === 200 ? answer.text === own : answer.status === 404 || isDenied(answer.status)
    },
  }
}
