import type { Background } from '@galley/platform'
import type { CallbackFailure, CallbackHead, Result } from '@galley/wire'

import type { WholeCallback } from './read-callback.ts'
import { headOf, wholeOf } from './read-callback.ts'

/** Reads callback bodies in two steps: the signed members, and the rest once the signature is verified. */
export interface BodyReader {
  head(body: Uint8Array): Promise<Result<CallbackHead, CallbackFailure>>
  whole(body: Uint8Array): Promise<Result<WholeCallback, CallbackFailure>>
}

/** The jobs of a background thread for large callback bodies. */
export interface CallbackJobs {
  callbackHead: { input: Uint8Array; output: Result<CallbackHead, CallbackFailure> }
  callbackWhole: { input: Uint8Array; output: Result<WholeCallback, CallbackFailure> }
}

/** The maximum size to parse on the main thread: in the worst case it takes about a millisecond. */
const inPlaceBytes = 32 * 1024

/** Larger bodies are read by a single background thread in sequence, so that they never block the main thread. */
export function createBodyReader(background: Background<CallbackJobs>): BodyReader {
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<Value>(read: () => Promise<Value>): Promise<Value> {
    const turn = last.then(read)
    // A failure must not affect the next one.
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    head: async (body) =>
      body.length <= inPlaceBytes ? headOf(body) : inTurn(() => background.run('callbackHead', body)),
    whole: async (body) =>
      body.length <= inPlaceBytes ? wholeOf(body) : inTurn(() => background.run('callbackWhole', body)),
  }
}
