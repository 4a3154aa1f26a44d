import type { Addresses } from '../addresses.ts'
import type { Reply } from '../http/exchange.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import type { ServiceSites } from '../service-site.ts'
import { openSession } from '../sessions/open-session.ts'
import { callbackHost, parseOpenRequest } from '../sessions/parse-open.ts'
import type { Sessions } from '../store/sessions.ts'
import { refuseHost, refuseUnsigned, siteOfKey } from '../admission.ts'

/** A state is text; its media travel elsewhere. */
const bodyLimitBytes = 32 * 1024 * 1024

interface SessionOpenPorts {
  readonly sites: ServiceSites
  readonly sessions: Sessions
  readonly addresses: Addresses
  readonly nowMs: () => number
}

/**
 * `POST /integration/session/open` (contract, Endpoints). Refusals: 400 for a malformed request, 401 for an unknown
 * key, 403 for a wrong signature and, told apart by `error` and text, for a callback host the key may not use.
 */
export const sessionOpenRoute = ({ sites, sessions, addresses, nowMs }: SessionOpenPorts): Route => ({
  method: 'POST',
  path: '/integration/session/open',
  async handle(incoming): Promise<Reply> {
    const body = await readJsonBody(incoming, bodyLimitBytes)
    if (!body.ok) return body.failure
    const request = parseOpenRequest(body.value)
    if (!request.ok) return refusal(400, 'invalid_request', `${request.failure}.`)
    const { apiKey, materialId, callbackUrl } = request.value
    const site = siteOfKey(sites, apiKey)
    if (!site.ok) return site.failure
    const refused =
      refuseUnsigned(site.value, incoming, materialId, callbackUrl) ??
      refuseHost(site.value, callbackHost(callbackUrl) ?? '')
    if (refused !== null) return refused

    const session = openSession(sessions, request.value, nowMs())
    const answer = {
      session_id: session.sessionId,
      fingerprint: session.fingerprint,
      url: addresses.editor(session.fingerprint),
      resizeMode: 'auto',
    }
    return jsonReply(200, JSON.stringify(answer))
  },
})
