/** The result of a callback from the service's view (docs/api.md, section 4). */
export interface CallbackOutcome {
  /** `merged`: the answered URLs were stored; `rejected`: the site answered rc 0; otherwise the webhook failed. */
  readonly result: 'merged' | 'rejected' | 'webhook_failed'
  /** Error code of a failed webhook; null otherwise. */
  readonly error: WebhookError | null
  /** The site's own message, or a description of the error. */
  readonly message: string
}

export type WebhookError =
  /** Defined by the contract (Errors 2): the URL of an answered asset is empty or still `dummy-`. */
  | 'dummy_client_url'
  /** The URL of an answered asset is not an absolute http(s) one. */
  | 'invalid_client_url'
  /** The URL of an answered font is on a host that is not allowed for the site (Errors 3). */
  | 'domain_not_allowed'
  /** rc 1 without data.vms_json although files have no URL yet. */
  | 'missing_vms_json'
  | 'http_error'
  | 'not_json'
  /** JSON, but not an object with `rc` 0 or 1, or with a state that differs from the sent one. */
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
