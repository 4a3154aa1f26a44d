import type { IncomingHttpHeaders } from 'node:http'

import { cause } from '../../contract/cause.ts'
import type { CallbackBody } from '../../contract/callback.ts'
import { claimedKind, readCallbackBody } from '../../contract/callback.ts'
import type { CallbackFailure } from '../../contract/failure.ts'
import { redactPayload } from '../../contract/redaction.ts'
import type { Site } from '../../contract/site.ts'
import type { Arrival } from '../db/callbacks.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import { shownHeaders } from './shown-headers.ts'
import { traceOf } from './signature-trace.ts'
import { isAuthorized, isSigned } from './signature.ts'

/** One callback as HTTP brought it: the body is complete, nothing of it is trusted. */
export interface Delivery {
  readonly site: Site
  readonly signature: string | undefined
  readonly authorization: string | undefined
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
}

/** What the log may say of a callback, whoever sent it. */
export type LogEntry = Partial<Omit<Arrival, 'id' | 'site' | 'receivedAt'>>

/** Whether a delivery comes from who it says, and what it holds. */
export type Admission =
  | { readonly kind: 'turned-away'; readonly failure: CallbackFailure; readonly entry: LogEntry }
  | { readonly kind: 'signed'; readonly body: CallbackBody; readonly secret: string; readonly entry: LogEntry }

/** Larger payloads are not kept in the log: a replay then has no metadata and fonts tree to go by. */
const keptPayloadChars = 256 * 1024
/** Unsigned texts are anybody's: enough of them to recognise, not enough to fill a disk. */
const keptUnsignedChars = 500

/**
 * From Authorization to signature, in the order of INTERFACES section 3: credentials before the body is looked at, JSON
 * before the signature that is computed over two of its members.
 */
export async function admit(secrets: SiteSecrets, delivery: Delivery): Promise<Admission> {
  const { site, signature, authorization } = delivery
  const state = signature?.trim() ? 'invalid' : 'missing'
  const request: LogEntry = { headers: shownHeaders(delivery.headers), bodyBytes: delivery.body.length }
  const turnAway = (failure: CallbackFailure, body?: CallbackBody): Admission => ({
    kind: 'turned-away',
    failure,
    entry: {
      ...request,
      signature: state,
      ...(signature?.trim() && { trace: traceOf(signature) }),
      ...(body && claims(body, keptUnsignedChars)),
    },
  })

  const credentials = await secrets.callbackAuth(site)
  if (!credentials.ok) return turnAway({ kind: 'secrets_unavailable', state: credentials.failure })
  if (credentials.value && !isAuthorized(authorization, credentials.value)) return turnAway({ kind: 'unauthorized' })

  const text = decodedText(delivery.body)
  if (text === null) return turnAway({ kind: 'invalid_request', problem: cause('not_utf8') })
  const read = readCallbackBody(text)
  if (!read.ok) return turnAway(read.failure)
  const body = read.value

  const secret = await secrets.secret(site.id)
  if (!secret.ok) return turnAway({ kind: 'secrets_unavailable', state: secret.failure }, body)
  if (!isSigned(body.signed.materialId, body.signed.contentUrl, signature, secret.value)) {
    return turnAway({ kind: 'invalid_signature', header: state === 'missing' ? 'missing' : 'wrong' }, body)
  }
  const entry: LogEntry = { ...request, signature: 'valid', ...claims(body, Infinity), payload: keptPayload(text) }
  return { kind: 'signed', body, secret: secret.value, entry }
}

/** What the log may repeat of a body. */
const claims = (body: CallbackBody, maxChars: number): LogEntry => ({
  kind: claimedKind(body),
  materialId: body.materialId?.slice(0, maxChars) ?? null,
  contentUrl: body.contentUrl?.slice(0, maxChars) ?? null,
})

function keptPayload(text: string): string | null {
  const payload = redactPayload(text)
  return payload.length <= keptPayloadChars ? payload : null
}

function decodedText(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    // Not UTF-8, and so not JSON.
    return null
  }
}
