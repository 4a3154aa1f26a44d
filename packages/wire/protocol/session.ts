import type { Cause } from '../cause.ts'
import { cause, causeSentence } from '../cause.ts'
import type { MaterialId, SiteId } from '../ids.ts'
import { assertNever } from '../result.ts'
import type { Result } from '../result.ts'
import { fail, ok } from '../result.ts'
import { nameLimitChars } from './callback.ts'
import type { CredentialsState } from './failure.ts'
import { hideCredentials, redactedMark } from './secret-values.ts'

/** How long the service keeps rollback history after the last access (contract, Limits). */
export const historyKeptMs = 14 * 24 * 60 * 60 * 1000

/** Every reason why opening a session can fail. */
export type OpenFailure =
  | { readonly kind: 'unknown_site'; readonly site: SiteId }
  /** The address to which the site sends signed requests is not confirmed on this computer. */
  | { readonly kind: 'site_unconfirmed'; readonly site: SiteId }
  /** The signature for this session would also be valid for a download. `long`: every callback for it would be refused. */
  | { readonly kind: 'invalid_material'; readonly state?: 'long' | 'surrogate' }
  | { readonly kind: 'invalid_metadata'; readonly problem: Cause }
  /** The state of the current version is missing on the disk, or was altered there. */
  | { readonly kind: 'state_unreadable' }
  /** The new slug would move the page to the address of another page. */
  | { readonly kind: 'address_taken'; readonly path: string; readonly materialId: MaterialId; readonly title: string }
  | { readonly kind: 'secrets_unavailable'; readonly state: CredentialsState }
  | { readonly kind: 'host_not_allowed'; readonly status: number; readonly text: string }
  | { readonly kind: 'wrong_key'; readonly status: number; readonly text: string }
  | { readonly kind: 'service_refused'; readonly status: number; readonly text: string }
  /** 5xx without a reason: the service, or a proxy in front of it, failed. */
  | { readonly kind: 'service_failed'; readonly status: number }
  /** Any other status without a reason. */
  | { readonly kind: 'unexplained_refusal'; readonly status: number }
  /** The service may still have opened the session. */
  | { readonly kind: 'service_timeout'; readonly seconds: number }
  /**
   * `cut`: the connection broke, and the request may have arrived. `unreadable`: the request arrived, and the response is not
   * HTTP. `private`: nothing was sent, because the name resolves to a private address.
   */
  | { readonly kind: 'service_unreachable'; readonly reason: Cause; readonly state?: 'cut' | 'unreadable' | 'private' }
  | { readonly kind: 'invalid_service_answer'; readonly problem: Cause }

const secretsWords: Record<CredentialsState, string> = {
  missing: 'No secret is stored for this site. No session was opened. Add the secret, then try again.',
  locked: 'The keychain is locked. No session was opened. Unlock it, then try again.',
  unavailable: 'There is no keychain to read the secret from. No session was opened. Start one, or use --secrets env.',
  changed: 'The keychain no longer has the secret that Galley stored. No session was opened. Enter the secret again.',
  credentials_missing:
    'The callback credentials of this site are missing. No session was opened. With --secrets env, set GALLEY_CALLBACK_AUTH_<SITE> (user:password, or a bearer token); otherwise save the site again.',
}

const answerLost = 'The editor was not opened, but the service may have created the session. Opening it again is safe.'

/** What happened, what it means, what to do next. */
export function describeOpenFailure(failure: OpenFailure): string {
  switch (failure.kind) {
    case 'unknown_site':
      return `There is no site ${failure.site}. Add it first.`
    case 'site_unconfirmed':
      return `The addresses of ${failure.site} are not confirmed on this computer. Nothing was sent. Check them with galley site show ${failure.site}, then confirm them with galley site add ${failure.site}.`
    case 'invalid_material':
      if (failure.state === 'long')
        return `This material ID is longer than ${nameLimitChars} characters, so its saves could not be accepted. Nothing was sent. Use a shorter ID.`
      if (failure.state === 'surrogate')
        return 'This material ID contains half of a surrogate pair, so its saves could not be accepted. Nothing was sent. Use another ID.'
      return 'This material ID contains a download URL of the service, so the signature that opens its session would also authorise a download. Nothing was sent. Use another ID.'
    case 'invalid_metadata':
      return `The metadata cannot be sent: ${causeSentence(failure.problem)}. No session was opened.`
    case 'state_unreadable':
      return 'The stored editor state of this material is missing from the disk or was changed there. No session was opened. Run galley fsck --repair, then try again.'
    case 'address_taken':
      return `The address ${failure.path} belongs to ${failure.materialId} (${failure.title}). No session was opened. Choose another slug.`
    case 'secrets_unavailable':
      return secretsWords[failure.state]
    case 'host_not_allowed':
      return `The service does not allow the callback URL's host for this API key (${failure.status}: ${failure.text}). No session was opened. Allow the host in the service, or correct the callback URL.`
    case 'wrong_key':
      return `The service does not accept the API key or its secret (${failure.status}: ${failure.text}). No session was opened. Check both in the site's settings.`
    case 'service_refused':
      return `The service refused to open the session (${failure.status}: ${failure.text}). Correct this, then try again.`
    case 'service_failed':
      return `The service or a proxy in front of it returned ${failure.status}. ${answerLost} Try again later.`
    case 'unexplained_refusal':
      return `The service returned ${failure.status} without a reason. No session was opened. Check the base URL, the API key and its secret.`
    case 'service_timeout':
      return `The service did not respond within ${failure.seconds} s. ${answerLost} Try again.`
    case 'service_unreachable':
      if (failure.state === 'cut') return `The connection to the service was cut. ${answerLost} Try again.`
      if (failure.state === 'unreadable')
        return `The response of the service is not valid HTTP. ${answerLost} Check the base URL.`
      if (failure.state === 'private')
        return 'The host name of the base URL resolves to a private network, so Galley did not connect. Nothing was sent or opened. Correct the base URL, or set the site to the dev environment if the service runs in your network.'
      return `The service cannot be reached: ${causeSentence(failure.reason)}. No session was opened. Check the base URL and the network.`
    case 'invalid_service_answer':
      return `The response contains no session: ${causeSentence(failure.problem)}. No session was opened. Check the base URL.`
    default:
      return assertNever(failure)
  }
}

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
    if (text === null) return fail({ kind: status >= 500 ? 'service_failed' : 'unexplained_refusal', status })
    if (/\bhost\b.*not allowed|not allowed.*\bhost\b|domain.*not allowed/i.test(text))
      return fail({ kind: 'host_not_allowed', status, text })
    if (/api.?key|signature|secret|unauthori[sz]ed/i.test(text)) return fail({ kind: 'wrong_key', status, text })
    return fail({ kind: 'service_refused', status, text })
  }
  if (!answer) return fail({ kind: 'invalid_service_answer', problem: cause('not_json_object') })
  const { session_id: sessionId, fingerprint, url, resizeMode } = answer
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !URL.canParse(url)) {
    if (text !== null) return fail({ kind: 'service_refused', status, text })
    return fail({ kind: 'invalid_service_answer', problem: cause('answer_without_url') })
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
