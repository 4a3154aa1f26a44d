import type { Cause } from '../cause.ts'
import { cause } from '../cause.ts'
import type { MaterialId, SiteId } from '../ids.ts'
import type { Result } from '../result.ts'
import { fail, ok } from '../result.ts'
import type { CredentialsState } from './failure.ts'
import { hideCredentials, redactedMark } from './secret-values.ts'

/** How long the service keeps rollback history after the last access (contract, Limits). */
export const historyKeptMs = 14 * 24 * 60 * 60 * 1000

/** Every reason why opening a session can fail. */
export type OpenFailure =
  | { readonly code: 'unknown_site'; readonly site: SiteId }
  /** The address to which the site sends signed requests is not confirmed on this computer. */
  | { readonly code: 'site_unconfirmed'; readonly site: SiteId }
  /** The signature for this session would also be valid for a download. `long`: every callback for it would be refused. */
  | { readonly code: 'invalid_material'; readonly state?: 'long' | 'surrogate' }
  | { readonly code: 'invalid_metadata'; readonly problem: Cause }
  /** The state of the current version is missing on the disk, or was altered there. */
  | { readonly code: 'state_unreadable' }
  /** The new slug would move the page to the address of another page. */
  | { readonly code: 'address_taken'; readonly path: string; readonly materialId: MaterialId; readonly title: string }
  | { readonly code: 'secrets_unavailable'; readonly state: CredentialsState }
  | { readonly code: 'host_not_allowed'; readonly status: number; readonly text: string }
  | { readonly code: 'wrong_key'; readonly status: number; readonly text: string }
  | { readonly code: 'service_refused'; readonly status: number; readonly text: string }
  /** 5xx without a reason: the service, or a proxy in front of it, failed. */
  | { readonly code: 'service_failed'; readonly status: number }
  /** Any other status without a reason. */
  | { readonly code: 'unexplained_refusal'; readonly status: number }
  /** The service may still have opened the session. */
  | { readonly code: 'service_timeout'; readonly seconds: number }
  /**
   * `cut`: the connection broke, and the request may have arrived. `unreadable`: the request arrived, and the response is not
   * HTTP. `private`: nothing was sent, because the name resolves to a private address.
   */
  | { readonly code: 'service_unreachable'; readonly reason: Cause; readonly state?: 'cut' | 'unreadable' | 'private' }
  | { readonly code: 'invalid_service_answer'; readonly problem: Cause }

/** The result of session/open (contract, Session-open response body). */
export interface Session {
  readonly sessionId: string
  readonly fingerprint: string
  readonly url: string
  readonly resizeMode: string | null
}

/**
 * The body of session/open as JSON text. `state` and `metadata` are JSON texts and are sent unchanged. Without a stored
 * state, `vms_json` is omitted.
 */
export function openRequestBody(request: {
  readonly apiKey: string
  readonly callbackUrl: string
  readonly materialId: MaterialId
  readonly state: string | null
  readonly metadata: string
}): string {
  const state = request.state === null ? '' : `,"vms_json":${request.state}`
  return (
    `{"api_key":${JSON.stringify(request.apiKey)},"callback_url":${JSON.stringify(request.callbackUrl)},` +
    `"material_id":${JSON.stringify(request.materialId)}${state},"metadata":${request.metadata}}`
  )
}

/**
 * Reads the response to session/open. The contract shows no status (Errors 5), so any successful one may bring a session. The
 * texts of a failure never contain `knownSecrets`.
 */
export function readOpenAnswer(
  status: number,
  body: string,
  knownSecrets: readonly string[],
): Result<Session, OpenFailure> {
  const answer = parsedObject(body)
  const text = errorText(answer, knownSecrets)
  if (status < 200 || status > 299) {
    if (text === null) return fail({ code: status >= 500 ? 'service_failed' : 'unexplained_refusal', status })
    if (/\bhost\b.*not allowed|not allowed.*\bhost\b|domain.*not allowed/i.test(text))
      return fail({ code: 'host_not_allowed', status, text })
    if (/api.?key|signature|secret|unauthori[sz]ed/i.test(text)) return fail({ code: 'wrong_key', status, text })
    return fail({ code: 'service_refused', status, text })
  }
  if (!answer) return fail({ code: 'invalid_service_answer', problem: cause('not_json_object') })
  const { session_id: sessionId, fingerprint, url, resizeMode } = answer
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !URL.canParse(url)) {
    if (text !== null) return fail({ code: 'service_refused', status, text })
    return fail({ code: 'invalid_service_answer', problem: cause('answer_without_url') })
  }
  return ok({
    sessionId: typeof sessionId === 'string' ? sessionId : '',
    fingerprint: typeof fingerprint === 'string' ? fingerprint : '',
    url,
    resizeMode: typeof resizeMode === 'string' ? resizeMode : null,
  })
}

function parsedObject(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/**
 * The reason in an error response, safe to show. Error bodies are not specified, so the usual members are tried in turn.
 * Other bodies, such as a proxy's page, are not shown.
 */
function errorText(answer: Readonly<Record<string, unknown>> | null, knownSecrets: readonly string[]): string | null {
  for (const name of ['message', 'error', 'detail', 'rm']) {
    const value = answer?.[name]
    const text = typeof value === 'string' ? shortText(value, knownSecrets) : ''
    if (text !== '') return text
  }
  return null
}

function shortText(text: string, knownSecrets: readonly string[]): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  // A service may also quote the metadata, including tokens that the site stored in it.
  const safe = knownSecrets
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, redactedMark), hideCredentials(clean))
  return safe.length > 300 ? `${safe.slice(0, 300)}…` : safe
}
