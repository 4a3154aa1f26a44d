import type { BridgeOf } from '../../ipc/calls.ts'
import type { ReviewCalls, ReviewEvents } from '../../ipc/review-window.ts'

/** The review window's connection to main. */
export type ReviewBridge = BridgeOf<ReviewCalls, ReviewEvents>
