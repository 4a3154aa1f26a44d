import type { BridgeOf } from '../../contract/ipc/calls.ts'
import type { ReviewCalls, ReviewEvents } from '../../contract/ipc/review-window.ts'

/** The way from the frame of a review window to main. */
export type ReviewBridge = BridgeOf<ReviewCalls, ReviewEvents>
