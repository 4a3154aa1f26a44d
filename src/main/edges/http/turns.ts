/** The limits of requests that wait. A full queue no longer delays them, so that it cannot grow. */
export interface TurnLimits {
  /** How many requests begin in one turn of the event loop. */
  readonly perTurn: number
  readonly waitingBytes: number
}

/** The memory of a request without its body. */
const requestBytes = 4 * 1024

/**
 * Lets a few requests begin in each turn of the event loop; the others wait, and the addresses take turns.
 *
 * A save needs some forty turns: its download, its worker and its syncs all come back in another one. If each turn
 * answered everything that has arrived, a save would wait forty times for all requests of a flood. A client sends its next
 * request only when it has an answer, so this also limits how many requests a turn has to read.
 */
export function createTurns({ perTurn, waitingBytes }: TurnLimits) {
  /** The waiting requests of each address. The first address is next. */
  const waiting = new Map<string, (() => void)[]>()
  let heldBytes = 0
  let left = perTurn
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      left = perTurn
      for (const [address, begins] of waiting) {
        if (left === 0) break
        left -= 1
        begins.shift()?.()
        waiting.delete(address)
        // Behind the others. The loop comes back to it if there is room for more than one of each.
        if (begins.length > 0) waiting.set(address, begins)
      }
      if (left < perTurn) schedule()
    })
  }

  /** Resolves when a request of this address may begin: at once, unless too many have begun in this turn. */
  return async (address: string, bodyBytes = 0): Promise<void> => {
    const bytes = requestBytes + bodyBytes
    schedule()
    if (left > 0 || heldBytes + bytes > waitingBytes) {
      left = Math.max(0, left - 1)
      return
    }
    heldBytes += bytes
    await new Promise<void>((resolve) => {
      const begins = waiting.get(address)
      if (begins) begins.push(resolve)
      else waiting.set(address, [resolve])
    })
    heldBytes -= bytes
  }
}
