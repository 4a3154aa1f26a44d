import { setTimeout as delay } from 'node:timers/promises'

import { CausedError } from '../../../contract/cause.ts'
import type { Refused } from '../team/requests.ts'
import { BucketAwayError, firstWaitMs, longer } from '../team/requests.ts'
import type { Unknown } from './shared-bucket.ts'

/** Sends a request that may be repeated until its answer is known. Throws CausedError, BucketAwayError. */
export async function patiently<Answer extends { readonly kind: string }>(
  request: () => Promise<Answer | Unknown | Refused>,
  patienceMs = 30_000,
): Promise<Exclude<Answer, Unknown | Refused>> {
  const startedMs = performance.now()
  for (let waitMs = firstWaitMs; ; waitMs = longer(waitMs)) {
    const answer = await request()
    if (isRefused(answer)) throw new CausedError(answer.why)
    if (answer.kind !== 'unknown') return answer as Exclude<Answer, Unknown | Refused>
    if (performance.now() - startedMs > patienceMs) throw new BucketAwayError()
    await delay(waitMs)
  }
}

const isRefused = (answer: { readonly kind: string }): answer is Refused => answer.kind === 'refused'
