import type { BridgeOf } from '../../ipc/call.ts'
import type { reviewCalls, ReviewEvents } from '../../ipc/review-window.ts'

/** The review window's connection to main. */
export type ReviewBridge = BridgeOf<typeof reviewCalls, ReviewEvents>
