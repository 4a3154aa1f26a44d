import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { OutgoingCallback } from '../callbacks/deliver.ts'
import { deliveryReport } from '../callbacks/report.ts'
import type { Exchange } from '../callbacks/sent-callbacks.ts'
import type { Incoming, Reply } from '../http/exchange.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import { judgeSaved } from '../saving/judge-saved.ts'
import { parseDraft } from '../saving/parse-save.ts'
import { savedCallback } from '../saving/saved-callback.ts'
import { unresolvedFiles, withTemporaryUrls } from '../saving/state-assets.ts'
import { storeVersion } from '../saving/store-version.ts'
import { siteOfKey } from '../sites/admission.ts'
import type { CallbackPorts } from './callback-ports.ts'
import { callbackGone, noSession } from './refusals.ts'

/** 200 MiB of files in base64, plus the texts. */
const bodyLimitBytes = 300 * 1024 * 1024

const sessionMovedOn = refusal(
  409,
  'session_moved_on',
  'This save is based on a version that is no longer current in the session.',
)

interface TakenSave {
  readonly sessionId: string
  readonly versionId: string
  readonly materialId: string
  /** The names of the files without a public URL when the callback is first sent. */
  readonly waiting: readonly string[]
  readonly callback: OutgoingCallback
}

/** Reads and stores the version. A separate function, so that the request body can be freed while the site answers. */
async function takeSave(
  { sites, store, addresses, nowMs }: CallbackPorts,
  incoming: Incoming,
  fingerprint: string,
): Promise<Result<TakenSave, Reply>> {
  const body = await readJsonBody(incoming, bodyLimitBytes)
  if (!body.ok) return body
  const draft = parseDraft(body.value)
  if (!draft.ok) return fail(refusal(400, 'invalid_request', `${draft.failure}.`))
  const session = store.sessions.byFingerprint(fingerprint)
  if (session === null) return fail(noSession)
  const site = siteOfKey(sites, session.apiKey)
  if (!site.ok) return site
  const { over } = draft.value
  if (over !== undefined && over !== session.baseVersionId) return fail(sessionMovedOn)
  const version = storeVersion(store, session, draft.value, incoming.remoteAddress, nowMs())
  const { sessionId, materialId } = session
  const { versionId, state } = version
  const callback = savedCallback(site.value, session, version, addresses)
  return ok({ sessionId, versionId, materialId, waiting: unresolvedFiles(state), callback })
}

/**
 * Sends a version's callback and judges the answer, any number of times, always against the originally sent state:
 * after a merge, the stored state has the answered URLs. A failed answer leaves them in place.
 */
function exchangeOf({ store: { versions }, delivery }: CallbackPorts, taken: TakenSave): Exchange {
  const { sessionId, versionId, waiting, callback } = taken
  let isMerged = false
  return async () => {
    const stored = versions.page(sessionId, versionId)?.state
    if (stored === undefined) return null
    const sentState = isMerged ? withTemporaryUrls(stored, waiting) : stored
    const delivered = await delivery.save(callback, sessionId)
    const { outcome, state } = judgeSaved(delivered, sentState)
    const isNewlyMerged = outcome.result === 'merged'
    if (isNewlyMerged || !isMerged) versions.settle(versionId, state, outcome)
    isMerged ||= isNewlyMerged
    return { delivery: delivered, outcome, report: deliveryReport(delivered, outcome, { version_id: versionId }) }
  }
}

/**
 * `POST /_emulator/sessions/<fingerprint>/save`: the editor's Save button. The version is stored and becomes current
 * whatever the site answers; only the URLs depend on the answer. 400 for a malformed body, 404 for an unknown session,
 * 409 `session_moved_on` when a given `base_version_id` is not the session's current one.
 */
export const saveRoute = (ports: CallbackPorts): Route => ({
  method: 'POST',
  path: '/_emulator/sessions/:fingerprint/save',
  async handle(incoming, fingerprint = '') {
    const taken = await takeSave(ports, incoming, fingerprint)
    if (!taken.ok) return taken.failure
    const { materialId, callback } = taken.value
    const facts = {
      event: 'article_saved',
      materialId,
      url: callback.url,
      payload: callback.payload,
    } as const
    const report = await ports.sent.send(facts, exchangeOf(ports, taken.value))
    return report === null ? callbackGone : jsonReply(200, report)
  },
})
