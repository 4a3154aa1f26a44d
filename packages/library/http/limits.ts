import type { BodyLimits } from './body.ts'
import type { DeliveryLimits } from './deliver.ts'
import type { TurnLimits } from './turns.ts'

/**
 * Resource limits for all clients, signed or not. Proxies in front of the listener need matching limits
 * (docs/operations.md).
 */
export interface ListenerLimits {
  readonly connections: number
  /** The time limits for the headers of a request, and for a whole request. */
  readonly headersMs: number
  readonly requestMs: number
  /** How long an idle connection stays open. */
  readonly keepAliveMs: number
  readonly requestsPerConnection: number
  /** The maximum of unanswered requests of a connection, for clients that send requests without waiting for answers. */
  readonly unansweredRequests: number
  readonly turns: TurnLimits
  /** The memory for incomplete and unanswered callback bodies of all connections. */
  readonly bodiesBytes: number
  readonly body: BodyLimits
  /** The maximum of concurrently served public files. */
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
  // Refusing a callback takes the main thread 0.3 ms.
  unansweredRequests: 16,
  turns: { perTurn: 8, waitingBytes: 64 * mebibyte },
  bodiesBytes: 64 * mebibyte,
  // 4 MiB, see docs/api.md, section 3.
  body: {
    bytes: 4 * mebibyte,
    freeBytes: 64 * 1024,
    timeoutMs: 15_000,
    paceMs: 5_000,
    paceBytes: 5 * 1024,
    discardBytes: 12 * mebibyte,
    discardMs: 2_000,
  },
  publicFiles: 256,
  // The rate of the slowest connection that can still display a page.
  delivery: { paceMs: 30_000, paceBytes: 16 * 1024, wholeMs: 30 * 60_000 },
}
