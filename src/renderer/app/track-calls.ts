import type { Bridge } from '../../ipc/calls.ts'

/**
 * Wraps a bridge so that a caller can wait until all calls made so far have settled, or the limit has passed. A listener
 * that throws is reported as a fault of the page, and the others get the event too.
 */
export function trackCalls(bridge: Bridge): {
  readonly bridge: Bridge
  readonly callsSettled: (limitMs: number) => Promise<void>
} {
  const calls = new Set<Promise<unknown>>()
  const call: Bridge['call'] = (name, input) => {
    const answer = bridge.call(name, input)
    calls.add(answer)
    return answer
  }
  const callsSettled = async (limitMs: number): Promise<void> => {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const limit = setTimeout(resolve, limitMs)
    await Promise.race([Promise.allSettled(calls), late])
    clearTimeout(limit)
  }
  const on: Bridge['on'] = (name, listener) =>
    bridge.on(name, (event) => {
      try {
        listener(event)
      } catch (error) {
        reportError(error)
      }
    })
  return { bridge: { call, on }, callsSettled }
}
