import type { BodyLimits } from './body.ts'
import type { DeliveryLimits } from './deliver.ts'

/** What anybody may take of the listener, signed or not; proxies in front of it need limits that fit (docs/operations.md). */
export interface ListenerLimits {
  readonly connections: number
  /** How long a client may take for the headers of a request, and for the whole of one. */
  readonly headersMs: number
  readonly requestMs: number
  /** How long a connection without a request stays open for the next one. */
  readonly keepAliveMs: number
  readonly requestsPerConnection: number
  /** Unfinished and unanswered callback bodies of all connections together. */
  readonly bodiesBytes: number
  readonly body: BodyLimits
  /** Public files that are served at a time. */
  readonly publicFiles: number
  readonly delivery: DeliveryLimits
}

const mebibyte = 1024 * 1024

export const listenerLimits: ListenerLimits = {
  connections: 1024,
  headersMs: 5_000,
  requestMs: 15_000,
  keepAliveMs: 5_000,
  requestsPerConnection: 100,
  bodiesBytes: 64 * mebibyte,
  // 4 MiB by docs/api.md, section 3.
  body: { bytes: 4 * mebibyte, freeBytes: 64 * 1024, timeoutMs: 15_000, paceMs: 5_000, paceBytes: 5 * 1024 },
  publicFiles: 256,
  // Slow enough for the poorest connection that still shows a page.
  delivery: { paceMs: 30_000, paceBytes: 16 * 1024, wholeMs: 30 * 60_000 },
}
