import type { BridgeOf } from '../../contract/ipc.ts'
import type { ReviewCalls, ReviewEvents } from '../../contract/review.ts'

/** The way from the frame of a review window to main. */
export type ReviewBridge = BridgeOf<ReviewCalls, ReviewEvents>
