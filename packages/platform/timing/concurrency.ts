import { setMaxListeners } from 'node:events'

/** A signal that aborts when either does. Safe for many calls with the same signals. */
export function eitherSignal(one: AbortSignal, other: AbortSignal): AbortSignal {
  const signal = AbortSignal.any([one, other])
  setMaxListeners(0, signal)
  return signal
}

/** Processes all items with limited concurrency. The first failure stops the others and is thrown after all have ended. */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  limit: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const failed = new AbortController()
  const stop = eitherSignal(signal, failed.signal)
  const failures: unknown[] = []
  async function worker(): Promise<void> {
    // All workers take from the same iterator.
    for (let next = waiting.next(); next.done !== true && !stop.aborted; next = waiting.next()) {
      try {
        await work(next.value, stop)
      } catch (error) {
        // Later errors are consequences of this one.
        failures.push(error)
        failed.abort()
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length > 0) throw failures[0]
  signal.throwIfAborted()
}

/** Limits concurrency; further callers wait for their turn. */
export function createSemaphore(places: number) {
  let free = places
  const waiting: (() => void)[] = []
  return async function enter<Value>(work: () => Promise<Value>): Promise<Value> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

export type Semaphore = ReturnType<typeof createSemaphore>
