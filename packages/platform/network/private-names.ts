import { lookup } from 'node:dns/promises'

import { isInner } from './private-addresses.ts'

/** A name server inside a company may not answer at all for names outside; the proxy knows them. */
const limitMs = 5_000
const keptMs = 60_000

/** Whether this computer finds a private address for a name. One that it cannot resolve in time counts as public. */
export function createPrivateNames() {
  const known = new Map<string, { readonly untilMs: number; readonly isPrivate: Promise<boolean> }>()
  return (name: string): Promise<boolean> => {
    const before = known.get(name)
    if (before && performance.now() < before.untilMs) return before.isPrivate
    const isPrivate = isFoundPrivate(name)
    known.set(name, { untilMs: performance.now() + keptMs, isPrivate })
    return isPrivate
  }
}

async function isFoundPrivate(name: string): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), limitMs)
  // The proxy chooses among the addresses, so each of them has to be public.
  const found = lookup(name, { all: true }).then(
    (addresses) => addresses.some(({ address }) => isInner(address)),
    () => false,
  )
  return Promise.race([found, late]).finally(() => clearTimeout(timer))
}
