import { setTimeout as delay } from 'node:timers/promises'
import type { Refused, Unknown } from '@galley/library'
import { BucketAwayError, firstWaitMs, longer, pauseAfter } from '@galley/library'
import { CausedError } from '@galley/wire'

// Not `retrying` of platform/timing: pauses grow until the time is over.
/** Repeats a request until its answer is known. Throws CausedError, BucketAwayError. */
export async function repeatUntilKnown<Answer extends { readonly kind: string }>(
  request: () => Promise<Answer | Unknown | Refused>,
  timeLimitMs = 30_000,
): Promise<Exclude<Answer, Unknown | Refused>> {
  const startedMs = performance.now()
  for (let waitMs = firstWaitMs; ; waitMs = longer(waitMs)) {
    const answer = await request()
    if (isRefused(answer)) throw new CausedError(answer.why)
    if (!isUnknown(answer)) return answer as Exclude<Answer, Unknown | Refused>
    const pauseMs = pauseAfter(waitMs, answer)
    if (performance.now() - startedMs + pauseMs > timeLimitMs) throw new BucketAwayError()
    await delay(pauseMs)
  }
}

const isRefused = (answer: { readonly kind: string }): answer is Refused => answer.kind === 'refused'
const isUnknown = (answer: { readonly kind: string }): answer is Unknown => answer.kind === 'unknown'
