import type { Socket } from 'node:net'

/**
 * The states of a connection, in the order in which they are closed when there are too many: idle, reading a public file,
 * sending an unverified callback, sending a callback with a verified signature.
 */
const ranks = ['idle', 'file', 'callback', 'signed'] as const
export type Doing = (typeof ranks)[number]

interface Connection {
  readonly socket: Socket
  address: string
  doing: Doing
  /** It has sent a signed callback before, and may send another. */
  isKnown: boolean
  /** Unanswered requests. More than one if a client pipelines. */
  activeRequests: number
}

/**
 * The open connections of a listener: at most `limit`. A new one replaces the least important one, unless all have verified
 * callbacks.
 */
export function createConnections(limit: number, onClosed: (address: string) => void) {
  // Oldest first: a connection whose request ends moves to the end.
  const open = new Map<Socket, Connection>()

  /** The oldest connection of the lowest rank, of the address with the most connections of that rank. */
  function leastImportant(): Connection | null {
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
    /** Adds a connection, and closes another one if there are too many. */
    add(socket: Socket, address: string): void {
      if (open.size >= limit) {
        const victim = leastImportant()
        const closed = victim?.socket ?? socket
        onClosed(victim?.address ?? address)
        open.delete(closed)
        closed.destroy()
        if (closed === socket) return
      }
      open.set(socket, { socket, address, doing: 'idle', isKnown: false, activeRequests: 0 })
      socket.once('close', () => open.delete(socket))
    },

    /** Registers a request. Call the returned function when its response has been sent or its connection has closed. */
    begin(socket: Socket, address: string, doing: Doing): () => void {
      const connection = open.get(socket)
      if (!connection) return () => undefined
      connection.address = address
      connection.activeRequests += 1
      if (ranks.indexOf(doing) > ranks.indexOf(connection.doing)) connection.doing = doing
      return () => {
        connection.activeRequests -= 1
        if (connection.activeRequests > 0 || !open.delete(socket)) return
        connection.doing = connection.isKnown ? 'callback' : 'idle'
        open.set(socket, connection)
      }
    },

    /** Marks a connection whose request has a verified signature. */
    markSigned(socket: Socket): void {
      const connection = open.get(socket)
      if (!connection) return
      connection.doing = 'signed'
      connection.isKnown = true
    },

    unanswered: (socket: Socket): number => open.get(socket)?.activeRequests ?? 0,

    count: (): number => open.size,
  }
}

export type Connections = ReturnType<typeof createConnections>
