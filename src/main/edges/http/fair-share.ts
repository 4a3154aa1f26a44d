/** What one request holds of something limited. */
export interface Share {
  /** Takes so much more; false, and nothing taken, when others would be left with too little. */
  take(amount: number): boolean
  /** Gives all of it back; what is taken afterwards is refused. */
  release(): void
}

/**
 * Divides `total` units of something among addresses. An address may hold at most as much as is still free: one alone
 * gets half, and however many come, there is always something left for the next.
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
