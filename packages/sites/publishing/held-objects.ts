interface Held {
  holders: number
  /** True if a failed save uploaded it, so it can be deleted. */
  isLeftOver: boolean
  deleting: Promise<void> | null
}

/**
 * The objects that saves of this process use now, by URL. One save may rely on an object that another, failed save uploaded,
 * so an object is deleted only when no save uses it.
 */
export function createHeldObjects() {
  const held = new Map<string, Held>()

  return {
    /** Waits for a running deletion. */
    async hold(address: string): Promise<void> {
      let found = held.get(address)
      while (found?.deleting) {
        await found.deleting
        found = held.get(address)
      }
      if (found) found.holders += 1
      else held.set(address, { holders: 1, isLeftOver: false, deleting: null })
    },

    /**
     * Calls `remove` when the last holder releases the object and one of them marked it as left over. `remove` must not
     * reject.
     */
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
