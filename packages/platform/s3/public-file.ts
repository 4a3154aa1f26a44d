import type { IncomingHttpHeaders } from 'node:http'
import type { Cause, Result } from '@galley/wire'
import { cause, fail, ok } from '@galley/wire'
import type { Agent } from 'undici'

import { httpClient } from '../network/http-client.ts'
import { unpacked } from '../network/unpacked.ts'
import { retrying } from '../timing/retrying.ts'
import { connectionCause } from './bucket-answer.ts'

/** Why a file cannot be read at its public URL, and whether another try may succeed. */
export interface PublicProblem {
  readonly problem: Cause
  readonly isPassing: boolean
}

/** How to read public files. `stallMs`: how long a server may send nothing; `waitsMs`: the delays between the attempts. */
export interface PublicReader {
  readonly agent: Agent
  readonly signal: AbortSignal
  readonly stallMs: number
  readonly waitsMs: readonly number[]
}

/** What a server sent, unpacked whatever form it has. */
export interface PublicAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: AsyncIterable<Buffer>
}

interface Asked<Value> {
  readonly headers?: Readonly<Record<string, string>>
  /** How many redirects on the same host to follow: browsers follow them, the service does not. */
  readonly redirects?: number
  /** A status of an error whose page is wanted too. */
  readonly errorPage?: number
  readonly take: (answer: PublicAnswer) => Promise<Value>
  /** Whether this is what should be there. */
  readonly isRight: (value: Value) => boolean
}

/**
 * Reads a public file as anyone does: without keys, but past caches that allow it, since what they still have is no sign of
 * what the server has. Tries again while another try may get it: some servers publish a new file only after a moment, and
 * until then answer with an error or another page.
 */
export const readPublic = <Value>(
  url: string,
  asked: Asked<Value>,
  reader: PublicReader,
): Promise<Result<Value, PublicProblem>> =>
  retrying(
    reader,
    () => readOnce(url, asked, reader),
    (last) => ((last.ok ? asked.isRight(last.value) : !last.failure.isPassing) ? null : 0),
  )

async function readOnce<Value>(
  url: string,
  { headers: more, redirects = 0, errorPage, take }: Asked<Value>,
  { agent, signal, stallMs }: PublicReader,
): Promise<Result<Value, PublicProblem>> {
  const { request } = await httpClient()
  let at = url
  try {
    for (let followed = 0; ; followed += 1) {
      const { statusCode, headers, body } = await request(at, {
        dispatcher: agent,
        signal,
        // A large file on a slow connection may take its time.
        headersTimeout: stallMs,
        bodyTimeout: stallMs,
        headers: { 'accept-encoding': 'gzip, identity', 'cache-control': 'no-cache', ...more },
      })
      if (statusCode === 200 || statusCode === 206 || statusCode === errorPage) {
        const plain = unpacked(body, String(headers['content-encoding']))
        return ok(await take({ status: statusCode, headers, body: plain }))
      }
      await body.dump()
      const next = typeof headers.location === 'string' ? new URL(headers.location, at) : null
      const isHere = next !== null && next.host === new URL(at).host
      if (statusCode < 300 || statusCode >= 400 || !isHere || followed >= redirects)
        return fail(refusedWith(statusCode))
      at = next.href
    }
  } catch (error) {
    const lost = connectionCause(error, 'public')
    if (lost === null) throw error
    return fail({ problem: lost.reason, isPassing: lost.again })
  }
}

/** Why a public URL that answers with another status does not serve the file. */
function refusedWith(status: number): PublicProblem {
  const about = { name: status }
  if (status >= 300 && status < 400) return { problem: cause('public_redirect', about), isPassing: false }
  if (status === 401 || status === 403) return { problem: cause('public_forbidden', about), isPassing: false }
  if (status >= 500 || status === 429) return { problem: cause('public_failed', about), isPassing: true }
  return { problem: cause('public_missing', about), isPassing: true }
}
