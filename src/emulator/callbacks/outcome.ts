/** How a callback ended, seen from the service (docs/api.md, section 4). */
export interface CallbackOutcome {
  /** `merged`: the answer's URLs were taken over; `rejected`: the site said rc 0; otherwise the webhook failed. */
  readonly result: 'merged' | 'rejected' | 'webhook_failed'
  /** Why the webhook failed, for programs; null unless `webhook_failed`. */
  readonly error: WebhookError | null
  /** The site's own words, or what went wrong in plain ones. */
  readonly message: string
}

export type WebhookError =
  /** The contract's own name (Errors 2): an answered asset is empty or still `dummy-`. */
  | 'dummy_client_url'
  /** An answered asset's URL is not an absolute http(s) one. */
  | 'invalid_client_url'
  /** An answered font URL is on a host that is not allowed for the site (Errors 3). */
  | 'domain_not_allowed'
  /** rc 1 without data.vms_json although files wait for their URLs. */
  | 'missing_vms_json'
  | 'http_error'
  | 'not_json'
  /** JSON, but no object with `rc` 0 or 1, or one whose state is not the one that was sent. */
  | 'invalid_answer'
  | 'answer_too_large'
  | 'timeout'
  | 'unreachable'
  | 'invalid_credentials'

export const failed = (error: WebhookError, message: string): CallbackOutcome => ({
  result: 'webhook_failed',
  error,
  message,
})
