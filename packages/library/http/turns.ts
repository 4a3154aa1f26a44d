import type { Socket } from 'node:net'

/** The limits of requests that wait. A full queue no longer delays them, so that it cannot grow. */
export interface TurnLimits {
  /** How many requests begin in one turn of the event loop. */
  readonly perTurn: number
  readonly waitingBytes: number
}

interface Waiting {
  readonly connection: Pick<Socket, 'destroyed'>
  readonly begin: () => void
}

/** The memory of a request without its body. */
const requestBytes = 4 * 1024

/**
 * Lets a few requests begin in each turn of the event loop. The others wait, and the connections take turns. Requests whose
 * callers have hung up come last.
 *
 * A save needs some forty turns: its download, its worker and its syncs all come back in another one. If each turn
 * answered everything that has arrived, a save would wait forty times for all requests of a flood. A client sends its next
 * request only when it has an answer, so this also limits how many requests a turn has to read.
 */
export function createTurns({ perTurn, waitingBytes }: TurnLimits) {
  /** At most one request of each connection. */
  const waiting: Waiting[] = []
  const abandoned: Waiting[] = []
  const newest = new WeakMap<Waiting['connection'], Promise<void>>()
  let heldBytes = 0
  let left = perTurn
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      left = perTurn
      for (let next = waiting.shift(); next; next = left > 0 ? waiting.shift() : undefined) {
        if (next.connection.destroyed) abandoned.push(next)
        else start(next)
      }
      for (const next of abandoned.splice(0, left)) start(next)
      if (left < perTurn) schedule()
    })
  }

  function start({ begin }: Waiting): void {
    left -= 1
    begin()
  }

  function inTurn(connection: Waiting['connection']): Promise<void> {
    schedule()
    return new Promise((begin) => {
      if (left > 0) start({ connection, begin })
      else waiting.push({ connection, begin })
    })
  }

  /** Resolves when this request of a connection may begin: at once, unless too many have begun in this turn. */
  return async (connection: Waiting['connection'], bodyBytes = 0): Promise<void> => {
    const bytes = requestBytes + bodyBytes
    if (heldBytes + bytes > waitingBytes) return
    heldBytes += bytes
    const before = newest.get(connection)
    const turn = before ? before.then(() => inTurn(connection)) : inTurn(connection)
    newest.set(connection, turn)
    await turn
    heldBytes -= bytes
  }
}
