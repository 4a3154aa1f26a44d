import type { CallbackFailure, FailureCode } from './failure.ts'
import { describeFailure } from './failure.ts'

/** The result of a callback, as named in the log and in docs/api.md, section 2. */
export type Outcome = 'stored' | 'duplicate' | 'refused' | 'rejected' | 'failed' | 'interrupted'

/** The HTTP status of each failure (docs/api.md, section 3) and the outcome in the log. */
const failures: Record<FailureCode, { readonly httpStatus: number; readonly outcome: Outcome }> = {
  forbidden_host: { httpStatus: 403, outcome: 'rejected' },
  forbidden_origin: { httpStatus: 403, outcome: 'rejected' },
  not_found: { httpStatus: 404, outcome: 'rejected' },
  method_not_allowed: { httpStatus: 405, outcome: 'rejected' },
  unsupported_type: { httpStatus: 415, outcome: 'rejected' },
  too_large: { httpStatus: 413, outcome: 'rejected' },
  timeout: { httpStatus: 408, outcome: 'rejected' },
  busy: { httpStatus: 503, outcome: 'failed' },
  unauthorized: { httpStatus: 401, outcome: 'rejected' },
  invalid_request: { httpStatus: 400, outcome: 'rejected' },
  secrets_unavailable: { httpStatus: 503, outcome: 'failed' },
  invalid_signature: { httpStatus: 400, outcome: 'rejected' },
  unknown_event: { httpStatus: 400, outcome: 'rejected' },
  foreign_content_url: { httpStatus: 400, outcome: 'rejected' },
  site_unconfirmed: { httpStatus: 503, outcome: 'failed' },
  refused: { httpStatus: 200, outcome: 'refused' },
  download_failed: { httpStatus: 502, outcome: 'failed' },
  content_too_large: { httpStatus: 200, outcome: 'rejected' },
  invalid_archive: { httpStatus: 200, outcome: 'rejected' },
  missing_asset: { httpStatus: 200, outcome: 'rejected' },
  domain_not_allowed: { httpStatus: 200, outcome: 'rejected' },
  version_conflict: { httpStatus: 200, outcome: 'rejected' },
  storage_failed: { httpStatus: 500, outcome: 'failed' },
  archive_not_kept: { httpStatus: 500, outcome: 'failed' },
}

/** The response to a callback that was not stored: `rc` 0 with the reason in `rm` (contract, Errors 1). */
export interface FailureAnswer {
  readonly httpStatus: number
  readonly outcome: Outcome
  readonly body: { readonly rc: 0; readonly rm: string; readonly code: FailureCode }
}

export function failureAnswer(failure: CallbackFailure): FailureAnswer {
  return { ...failures[failure.kind], body: { rc: 0, rm: describeFailure(failure), code: failure.kind } }
}

/** The messages of the success responses shown in the contract (Events 3). */
export const successMessage = {
  article_saved: 'Saved successfully',
  site_fonts_updated: 'Fonts saved successfully',
} as const

const dataKey = { article_saved: 'vms_json', site_fonts_updated: 'fonts' } as const

/**
 * The success response around a stored JSON text, in two halves, so that the text can be streamed from its blob unchanged
 * (contract, Callback answer). A fonts callback without a tree has no `data.fonts`.
 */
export function successFrame(event: keyof typeof successMessage, hasData: boolean): { before: string; after: string } {
  const opening = `{"rc":1,"rm":${JSON.stringify(successMessage[event])},"data":{`
  return hasData ? { before: `${opening}"${dataKey[event]}":`, after: '}}' } : { before: opening, after: '}}' }
}
