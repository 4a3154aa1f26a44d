import { redactPayload } from '@galley/wire'

import type { IndexReads } from '../db/library-index.ts'
import type { CallbackDetail } from '../views/callbacks.ts'
import { callbackBudgetMs } from '../views/callbacks.ts'

/** The details of a callback, without secrets; null if it is not in the log. */
export function inspectCallback(index: IndexReads, id: string): CallbackDetail | null {
  const callback = index.callbacks.find(id)
  const row = index.callbackList.find(id)
  const request = index.callbackRequests.find(id)
  if (!callback || !row || !request) return null
  const site = index.sites.find(callback.site)
  const siteExists = site !== null
  const { signedIn } = request.facts
  return {
    callback,
    row,
    budgetMs: callbackBudgetMs,
    totalMs: row.durationMs ?? callback.steps.reduce((sum, { ms }) => sum + ms, 0),
    request: {
      headers: request.headers,
      // Redacted again, because the stored text was redacted by the rules of its time.
      body: request.payload && redactPayload(request.payload),
      bodyBytes: request.bodyBytes,
      signedMembers: ['material_id', 'content_url'],
    },
    facts: request.facts,
    siteExists,
    canAdoptHeader: site !== null && typeof signedIn === 'string' && signedIn !== site.signatureHeader.toLowerCase(),
    isOpenFailure: index.failedSaves.isOpen(callback.id),
    canReplay: siteExists && callback.signature === 'valid',
  }
}
