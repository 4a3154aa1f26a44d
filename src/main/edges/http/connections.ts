import type { Socket } from 'node:net'

/**
 * What a connection is doing, from the first to be closed when there are too many to the last: nothing (no request yet,
 * or none any more), reading a public file, sending a callback of anybody, sending one whose signature was verified.
 */
const ranks = ['idle', 'file', 'callback', 'signed'] as const
export type Doing = (typeof ranks)[number]

interface Connection {
  readonly socket: Socket
  address: string
  doing: Doing
  /** It has brought a signed callback before, and may be about to bring the next. */
  isKnown: boolean
  /** Requests that are not answered yet; several when a client does not wait for answers. */
  underWay: number
}

/** The open connections of a listener: at most `limit` of them, and a new one always gets in. */
export function createConnections(limit: number, onClosed: (address: string) => void) {
  // Oldest first: a connection that ends a request is put in again at the end.
  const open = new Map<Socket, Connection>()

  /** The oldest of the lowest rank, among those of the address that has the most connections of that rank. */
  function leastNeeded(): Connection | null {
    for (const rank of ranks) {
      if (rank === 'signed') return null
      const counts = new Map<string, number>()
      for (const { doing, address } of open.values())
        if (doing === rank) counts.set(address, (counts.get(address) ?? 0) + 1)
      const most = Math.max(...counts.values())
      for (const connection of open.values())
        if (connection.doing === rank && counts.get(connection.address) === most) return connection
    }
    return null
  }

  return {
    /** Takes a new connection in; closes another one for it where there are too many. */
    add(socket: Socket, address: string): void {
      if (open.size >= limit) {
        const victim = leastNeeded()
        const closed = victim?.socket ?? socket
        onClosed(victim?.address ?? address)
        open.delete(closed)
        closed.destroy()
        if (closed === socket) return
      }
      open.set(socket, { socket, address, doing: 'idle', isKnown: false, underWay: 0 })
      socket.once('close', () => open.delete(socket))
    },

    /** Registers a request; call the returned function when its answer has been sent or its connection has closed. */
    begin(socket: Socket, address: string, doing: Doing): () => void {
      const connection = open.get(socket)
      if (!connection) return () => undefined
      connection.address = address
      connection.underWay += 1
      if (ranks.indexOf(doing) > ranks.indexOf(connection.doing)) connection.doing = doing
      return () => {
        connection.underWay -= 1
        if (connection.underWay > 0 || !open.delete(socket)) return
        connection.doing = connection.isKnown ? 'callback' : 'idle'
        open.set(socket, connection)
      }
    },

    /** The signature of a request on this connection was verified. */
    markSigned(socket: Socket): void {
      const connection = open.get(socket)
      if (!connection) return
      connection.doing = 'signed'
      connection.isKnown = true
    },

    count: (): number => open.size,
  }
}

export type Connections = ReturnType<typeof createConnections>
