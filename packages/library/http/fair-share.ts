/** A request's share of a limited resource. */
export interface Share {
  /** Takes more units; false, taking none, if too few would be left for others. */
  take(amount: number): boolean
  /** Returns all units. Later calls of `take` fail. */
  release(): void
}

/**
 * Divides `total` units of a resource among addresses. An address may hold at most as many as are still free: a single one
 * gets half, and any number of them leaves some for the next.
 */
export function createFairShare(total: number) {
  const held = new Map<string, number>()
  let free = total

  return {
    open(address: string): Share {
      let own = 0
      let ended = false
      return {
        take(amount) {
          const before = held.get(address) ?? 0
          if (ended || before + amount > free - amount) return false
          own += amount
          free -= amount
          held.set(address, before + amount)
          return true
        },
        release() {
          ended = true
          const rest = (held.get(address) ?? 0) - own
          if (rest > 0) held.set(address, rest)
          else held.delete(address)
          free += own
          own = 0
        },
      }
    },
    free: (): number => free,
  }
}
