import { setTimeout as delay } from 'node:timers/promises'

/**
 * Repeats an attempt, after each of these pauses at most once, and returns the last result. `pauseMs` returns the
 * minimum length of the next pause; null means that the result is final. When the signal aborts, the last result is
 * returned.
 */
export async function retrying<Value>(
  { waitsMs, signal }: { readonly waitsMs: readonly number[]; readonly signal: AbortSignal },
  attempt: () => Promise<Value>,
  pauseMs: (value: Value) => number | null,
): Promise<Value> {
  let value = await attempt()
  for (const waitMs of waitsMs) {
    const leastMs = pauseMs(value)
    if (leastMs === null) break
    await delay(Math.max(waitMs, leastMs), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    value = await attempt()
  }
  return value
}
