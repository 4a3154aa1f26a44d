import type { CallbackPorts } from '../callbacks/callback-ports.ts'
import { deliveryReport } from '../callbacks/report.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import { judgeSaved } from '../saving/judge-saved.ts'
import { parseDraft } from '../saving/parse-save.ts'
import { savedCallback } from '../saving/saved-callback.ts'
import { storeVersion } from '../saving/store-version.ts'
import { siteOfKey } from '../admission.ts'

/** 200 MiB of files in base64, and the texts. */
const bodyLimitBytes = 300 * 1024 * 1024

/**
 * `POST /_emulator/sessions/<fingerprint>/save`: what the editor's Save button does. The version is stored and current
 * whatever the site answers; only the URLs depend on the answer. 400 for a malformed body, 404 for an unknown session.
 */
export const saveRoute = ({ sites, store, addresses, deliver, nowMs }: CallbackPorts): Route => ({
  method: 'POST',
  path: '/_emulator/sessions/:fingerprint/save',
  async handle(incoming, fingerprint = '') {
    const body = await readJsonBody(incoming, bodyLimitBytes)
    if (!body.ok) return body.failure
    const draft = parseDraft(body.value)
    if (!draft.ok) return refusal(400, 'invalid_request', `${draft.failure}.`)
    const session = store.sessions.byFingerprint(fingerprint)
    if (session === null) return refusal(404, 'not_found', 'There is no such session.')
    const site = siteOfKey(sites, session.apiKey)
    if (!site.ok) return site.failure

    store.sessions.touch(session.sessionId, nowMs())
    const version = storeVersion(store, session, draft.value, incoming.remoteAddress, nowMs())
    const delivery = await deliver(savedCallback(site.value, session, version, addresses))
    const verdict = judgeSaved(delivery, version.state)
    store.versions.settle(version.versionId, verdict.state, verdict.outcome)
    return jsonReply(200, deliveryReport(delivery, verdict.outcome, { version_id: version.versionId }))
  },
})
