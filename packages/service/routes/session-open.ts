import type { Addresses } from '../http/addresses.ts'
import { originOf, proxyOf } from '../http/addresses.ts'
import type { Reply } from '../http/exchange.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import type { Restoring } from '../restoring/restore.ts'
import { openSession } from '../sessions/open-session.ts'
import { parseOpenRequest } from '../sessions/parse-open.ts'
import { callbackHost } from '../sites/admission.ts'
import { refuseHost, refuseUnsigned, siteOfKey } from '../sites/admission.ts'
import type { ServiceSites } from '../sites/service-site.ts'
import type { Sessions } from '../store/sessions.ts'

/**
 * How long the response waits for the files of a restored session. The rest is fetched in the background, and the editor
 * waits. A site that handles one request at a time can only send its files after this response.
 */
const restoreWaitMs = 2_000

/** A state is text; media are transferred separately. */
const bodyLimitBytes = 32 * 1024 * 1024

interface SessionOpenPorts {
  readonly sites: ServiceSites
  readonly sessions: Sessions
  readonly addresses: Addresses
  readonly nowMs: () => number
  readonly restoring: Restoring
}

/**
 * `POST /integration/session/open` (contract, Endpoints). Refusals: 400 for a malformed request, 401 for an unknown
 * key, and 403 for a wrong signature or a callback host the key does not allow, with different error codes.
 */
export const sessionOpenRoute = ({ sites, sessions, addresses, nowMs, restoring }: SessionOpenPorts): Route => ({
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

    const opened = openSession(sessions, { ...request.value, origin: originOf(incoming.headers) }, nowMs())
    const { session } = opened
    restoring.begin(opened, site.value)
    await restoring.ended(session.sessionId, restoreWaitMs)
    const answer = {
      session_id: session.sessionId,
      fingerprint: session.fingerprint,
      url: addresses.editor(session.fingerprint, proxyOf(incoming.headers)),
      resizeMode: 'auto',
    }
    return jsonReply(200, JSON.stringify(answer))
  },
})
