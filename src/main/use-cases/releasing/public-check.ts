import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Agent } from 'undici'

import type { Cause } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { hashBody } from '../../platform/network/hash-body.ts'
import { httpClient } from '../../platform/network/http-client.ts'
import { connectionCause } from '../../platform/s3/bucket-answer.ts'
import { retrying } from '../../platform/timing/retrying.ts'

/** The result of reading a file as its readers do. */
export type PublicCopy = { readonly sha256: string } | { readonly problem: Cause; readonly isPassing: boolean }

const redirectsFollowed = 3

/** How to read public copies. `stallMs`: how long a server may send nothing. */
interface Reader {
  readonly agent: Agent
  readonly signal: AbortSignal
  readonly stallMs: number
}

/** Reads a file through its public URL, bypassing caches if they allow it. Follows redirects on the same host. */
async function readPublicCopy(url: string, { agent, signal, stallMs }: Reader): Promise<PublicCopy> {
  const { request } = await httpClient()
  let at = url
  try {
    for (let redirects = 0; ; redirects += 1) {
      const { statusCode, headers, body } = await request(at, {
        dispatcher: agent,
        signal,
        // A large file on a slow connection may take its time.
        headersTimeout: stallMs,
        bodyTimeout: stallMs,
        headers: { 'accept-encoding': 'gzip, identity', 'cache-control': 'no-cache' },
      })
      if (statusCode === 200) return { sha256: await hashOf(body, headers['content-encoding'] === 'gzip') }
      await body.dump()
      const next = typeof headers.location === 'string' ? new URL(headers.location, at) : null
      const isHere = next !== null && next.host === new URL(at).host
      if (statusCode >= 300 && statusCode < 400 && isHere && redirects < redirectsFollowed) {
        at = next.href
        continue
      }
      return refused(statusCode)
    }
  } catch (error) {
    const lost = connectionCause(error, 'public')
    if (lost === null) throw error
    return { problem: lost.reason, isPassing: lost.again }
  }
}

function refused(status: number): PublicCopy {
  const about = { name: status }
  if (status >= 300 && status < 400) return { problem: cause('public_redirect', about), isPassing: false }
  if (status === 401 || status === 403) return { problem: cause('public_forbidden', about), isPassing: false }
  if (status >= 500 || status === 429) return { problem: cause('public_failed', about), isPassing: true }
  return { problem: cause('public_missing', about), isPassing: true }
}

async function hashOf(body: Readable, isCompressed: boolean): Promise<string> {
  const hash = createHash('sha256')
  await hashBody(hash, body, isCompressed)
  return hash.digest('hex')
}

/** Reads until the file has this content. After several tries, returns why it does not. */
export async function awaitPublicCopy(
  url: string,
  sha256: string,
  reader: Reader & { readonly waitsMs: readonly number[] },
): Promise<'same' | { readonly reason: Cause | null }> {
  const copy = await retrying(
    reader,
    () => readPublicCopy(url, reader),
    (last) => (('problem' in last ? last.isPassing : last.sha256 !== sha256) ? 0 : null),
  )
  if ('sha256' in copy && copy.sha256 === sha256) return 'same'
  reader.signal.throwIfAborted()
  return { reason: 'problem' in copy ? copy.problem : null }
}
