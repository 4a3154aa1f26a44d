import type { BridgeOf } from '../../contract/ipc/calls.ts'
import type { ReviewCalls, ReviewEvents } from '../../contract/ipc/review-window.ts'

/** The review window's connection to main. */
export type ReviewBridge = BridgeOf<ReviewCalls, ReviewEvents>
