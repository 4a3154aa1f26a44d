import type { IncomingHttpHeaders } from 'node:http'
import { cause, errorCode } from '@galley/wire'
import type { Cause, CauseCode } from '@galley/wire'

import { ConnectionError } from '../network/connection-error.ts'
import { certificateCause, networkFault } from '../network/network-fault.ts'
import { privateAddressCode } from '../network/private-addresses.ts'

/** The response of a storage. `text` is the beginning of the body. */
export interface BucketAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The S3 error code; empty if the response has none, such as that to a HEAD. */
const faultOf = ({ text }: BucketAnswer): string => /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(text)?.[1] ?? ''

const causes: Readonly<Record<string, CauseCode>> = {
  InvalidAccessKeyId: 'bucket_key_unknown',
  SignatureDoesNotMatch: 'bucket_key_wrong',
  ExpiredToken: 'bucket_key_expired',
  InvalidToken: 'bucket_key_expired',
  TokenRefreshRequired: 'bucket_key_expired',
  AccessDenied: 'bucket_denied',
  AllAccessDisabled: 'bucket_denied',
  AccountProblem: 'bucket_denied',
  RequestTimeTooSkewed: 'bucket_clock',
  NoSuchBucket: 'bucket_missing',
  AuthorizationHeaderMalformed: 'bucket_elsewhere',
  PermanentRedirect: 'bucket_elsewhere',
  TemporaryRedirect: 'bucket_elsewhere',
  IllegalLocationConstraintException: 'bucket_elsewhere',
  InvalidRegionName: 'bucket_elsewhere',
  QuotaExceeded: 'bucket_full',
  ServiceQuotaExceeded: 'bucket_full',
}

/** Too slow, on the wrong connection, too early, or too often. */
const passing = new Set([408, 421, 425, 429])

/** Whether a retry may succeed. */
export const isPassing = (answer: BucketAnswer): boolean =>
  passing.has(answer.status) ||
  (answer.status >= 500 && ![501, 505, 507].includes(answer.status)) ||
  ['RequestTimeout', 'OperationAborted', 'SlowDown'].includes(faultOf(answer))

/** The longest pause before another attempt, even if a storage asks for more: callers have a time limit. */
const pauseAtMostMs = 5_000

/** How long a storage asks to wait before the next attempt, in either form of the header; 0 if it does not. */
export function retryAfterMs(
  { headers }: Pick<BucketAnswer, 'headers'>,
  now = new Date(),
  atMostMs = pauseAtMostMs,
): number {
  const asked = headers['retry-after'] ?? ''
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), atMostMs)
}

/**
 * Whether a PUT has stored an object, as far as the response shows. S3 responds without a body; a proxy or a portal
 * that stores nothing responds with a page.
 */
export const isStored = ({ status, text }: BucketAnswer): boolean => status >= 200 && status < 300 && text.trim() === ''

/** Whether an answer is one of S3, and not the page of a proxy: errors of S3 are XML, or have no text. */
export const isOfS3 = ({ text }: BucketAnswer): boolean => text.trim() === '' || hasError(text)

const hasError = (text: string): boolean => /<Error[\s>]/.test(text)

/** Why a storage refused a request. */
export function refusal(answer: BucketAnswer, bucket: string): Cause {
  const { status } = answer
  const fault = faultOf(answer)
  const found = causes[fault] ?? byStatus(status, fault)
  if (found === 'bucket_missing') return cause(found, { name: bucket })
  const region = found === 'bucket_elsewhere' ? regionIn(answer) : null
  if (region !== null) return cause('bucket_region', { name: region })
  return cause(found, { name: fault === '' ? status : `${status} ${fault}` })
}

function byStatus(status: number, fault: string): CauseCode {
  if (status === 401 || status === 403) return 'bucket_denied'
  if (status >= 300 && status < 400) return 'bucket_elsewhere'
  if (status === 404 && fault === '') return 'bucket_missing'
  if (status === 507) return 'bucket_full'
  if ((status === 405 || status === 501) && fault === '') return 'bucket_not_s3'
  return status >= 500 || passing.has(status) ? 'bucket_busy' : 'bucket_refused'
}

function regionIn({ headers, text }: BucketAnswer): string | null {
  const region = headers['x-amz-bucket-region'] ?? /<Region>([^<]*)<\/Region>/.exec(text)?.[1]
  return typeof region === 'string' && /^[a-z0-9-]{1,60}$/.test(region) ? region : null
}

/** Why there is no answer of a bucket or a public URL, and whether another attempt may get one; null for other errors. */
export function connectionCause(
  error: unknown,
  about: 'bucket' | 'public',
): { readonly reason: Cause; readonly again: boolean } | null {
  if (error instanceof ConnectionError) {
    const { reason } = error
    return { reason, again: reason.code !== 'proxy_credentials' && reason.code !== 'authorities_unreadable' }
  }
  const fault = networkFault(error)
  const code = errorCode(error)
  if (code === privateAddressCode) return { reason: cause(`${about}_private`), again: false }
  if (fault === 'certificate')
    return { reason: cause(`${about}_certificate`, { why: certificateCause(error) }), again: false }
  if (about === 'bucket' && code !== null && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code))
    return { reason: cause('bucket_cut'), again: true }
  return fault === null ? null : { reason: cause(`${about}_unreached`), again: true }
}
