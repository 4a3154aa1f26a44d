import type { Agent } from 'undici'

import type { Cause, CauseCode } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { bodyStart, httpClient } from '../../platform/network/http-client.ts'
import { connectionFault } from '../../platform/s3/bucket-answer.ts'

/** A file as fetched from its public URL. */
export interface PublicRead {
  /** Why it cannot be fetched, or null. */
  readonly problem: Cause | null
  /** Whether a retry may succeed. */
  readonly again: boolean
  /** The value of Access-Control-Allow-Origin, which fonts need. */
  readonly allowedOrigin: string | null
}

/** The file that should be there: its first bytes and its type, and whether no server in between may convert it. */
interface ExpectedFile {
  readonly start: Buffer
  readonly type: string
  readonly isExact?: boolean
}

const readLimitMs = 15_000
/** How many bytes of a file to fetch. */
export const publicReadBytes = 1024

/** The part of a type that a CDN keeps when it converts a file. */
const kindOf = (type: string): string =>
  /^(?:text\/|application\/.*(?:javascript|json|xml))/.test(type) ? 'text' : type.replace(/\/.*/s, '')

/** Fetches the first bytes of a public file without keys. Does not follow redirects, because the service does not either. */
export async function readPublic(
  url: string,
  { start, type, isExact = false }: ExpectedFile,
  { agent, origin, signal }: { readonly agent: Agent; readonly origin?: string; readonly signal: AbortSignal },
): Promise<PublicRead> {
  const ended = (code: CauseCode | null, again: boolean, name: string | number = ''): PublicRead => ({
    problem: code && cause(code, { name }),
    again,
    allowedOrigin: null,
  })
  try {
    const { request } = await httpClient()
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(readLimitMs)]),
      headers: {
        range: `bytes=0-${publicReadBytes - 1}`,
        'accept-encoding': 'identity',
        ...(origin !== undefined && { origin }),
      },
    })
    const found = await bodyStart(body, publicReadBytes)
    if (statusCode >= 300 && statusCode < 400) return ended('public_redirect', false, statusCode)
    if (statusCode === 401 || statusCode === 403) return ended('public_forbidden', false, statusCode)
    if (statusCode >= 500 || statusCode === 429) return ended('public_failed', true, statusCode)
    // Some servers publish a new file only after a moment.
    if (statusCode !== 200 && statusCode !== 206) return ended('public_missing', true, statusCode)
    // A CDN may convert images and shorten texts, but keeps their kind. A server that responds to every URL with a web page, or
    // with an error in JSON, does not have the file.
    const isSame = found.equals(start)
    const foundType = String(headers['content-type'])
    if (!isSame && foundType.startsWith('text/html') && !type.startsWith('text/html'))
      return ended('public_page', false)
    const isAnother =
      !isSame && (kindOf(foundType) !== kindOf(type) || (isExact && headers['content-encoding'] === undefined))
    if (isAnother) return ended('public_different', false)
    const allowed = headers['access-control-allow-origin']
    return { problem: null, again: false, allowedOrigin: typeof allowed === 'string' ? allowed : null }
  } catch (error) {
    const fault = connectionFault(error)
    if (fault === null) throw error
    return ended(`public_${fault === 'cut' ? 'unreached' : fault}`, fault === 'cut' || fault === 'unreached')
  }
}
