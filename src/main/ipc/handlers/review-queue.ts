import type { Reviewing } from '@galley/library'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { reviewQueueCalls } from '../../../ipc/review-queue.ts'

export interface ReviewQueuePorts {
  readonly reviewing: Reviewing
}

/** Calls about pages that wait for a decision, and what changed in them. */
export const reviewQueueHandlers = ({ reviewing }: ReviewQueuePorts): HandlersOf<typeof reviewQueueCalls> => ({
  reviewQueue: (query) => reviewing.queue(query),
  compareVersions: (pair) => reviewing.compare(pair),
})
