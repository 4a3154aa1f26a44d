interface Held {
  holders: number
  /** A save that came to nothing brought it, so nobody else misses it. */
  isLeftOver: boolean
  deleting: Promise<void> | null
}

/**
 * Which objects saves of this process rely on at this moment, by address. An object that one save brought in vain may be the
 * very one that another has found there, so it is deleted only when nobody holds it any more.
 */
export function createHeldObjects() {
  const held = new Map<string, Held>()

  return {
    /** Waits for a deletion that is under way. */
    async hold(address: string): Promise<void> {
      let found = held.get(address)
      while (found?.deleting) {
        await found.deleting
        found = held.get(address)
      }
      if (found) found.holders += 1
      else held.set(address, { holders: 1, isLeftOver: false, deleting: null })
    },

    /** `remove` is called when the last holder has gone and one of them has left it over; it must not reject. */
    async release(address: string, isLeftOver: boolean, remove: () => Promise<void>): Promise<void> {
      const found = held.get(address)
      if (!found) return
      found.holders -= 1
      found.isLeftOver ||= isLeftOver
      if (found.holders > 0) return
      if (found.isLeftOver) await (found.deleting = remove())
      held.delete(address)
    },
  }
}
