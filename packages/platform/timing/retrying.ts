import { setTimeout as delay } from 'node:timers/promises'

/**
 * Makes an attempt, and another one after each of `waitsMs`, until a result is final or the signal aborts; returns the last
 * result. `pauseMs` returns the minimum length of the next pause; null means that the result is final.
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
