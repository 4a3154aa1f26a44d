import type { Bridge } from '../../contract/ipc/calls.ts'

/** The same bridge, and a wait for the answers to all calls made through it so far, whatever they are; a late one ends it. */
export function overhear(bridge: Bridge): {
  readonly bridge: Bridge
  readonly answered: (limitMs: number) => Promise<void>
} {
  const calls = new Set<Promise<unknown>>()
  const call: Bridge['call'] = (name, input) => {
    const answer = bridge.call(name, input)
    calls.add(answer)
    return answer
  }
  const answered = async (limitMs: number): Promise<void> => {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const limit = setTimeout(resolve, limitMs)
    await Promise.race([Promise.allSettled(calls), late])
    clearTimeout(limit)
  }
  return { bridge: { call, on: bridge.on }, answered }
}
