import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Line {
  /** The round trip. */
  readonly latencyMs?: number
  /** The rate of sent data, for all connections together. */
  readonly bytesPerSecond?: number
  /** Each connection is cut after sending this much. */
  readonly cutAfterBytes?: (connection: number) => number
  /** Nothing more arrives after so much was sent, or received, by all connections together. Nothing is closed either. */
  readonly stallAfter?: { readonly sent?: number; readonly received?: number }
}

/** A slow or broken connection to a server on loopback. */
export async function startLink(targetUrl: string, line: Line) {
  const { latencyMs = 0, bytesPerSecond = Infinity, cutAfterBytes, stallAfter = {} } = line
  const sockets = new Set<Socket>()
  let connections = 0
  let sentBytes = 0
  let receivedBytes = 0
  let freeAtMs = 0

  async function carry(from: Socket, to: Socket, isSent: boolean, limit: number): Promise<void> {
    let carried = 0
    for await (const chunk of from as AsyncIterable<Buffer>) {
      const nowMs = performance.now()
      let arrivesMs = nowMs + latencyMs / 2
      if (isSent) {
        freeAtMs = Math.max(freeAtMs, nowMs) + (chunk.length / bytesPerSecond) * 1000
        arrivesMs = freeAtMs + latencyMs / 2
        sentBytes += chunk.length
        carried += chunk.length
      } else receivedBytes += chunk.length
      if (sentBytes > (stallAfter.sent ?? Infinity) || receivedBytes > (stallAfter.received ?? Infinity)) {
        await once(from, 'close')
        return
      }
      if (arrivesMs > nowMs) await delay(arrivesMs - nowMs)
      if (carried > limit) {
        from.resetAndDestroy()
        to.destroy()
        return
      }
      if (!to.write(chunk)) await once(to, 'drain')
    }
    to.end()
  }

  const server = createServer((incoming) => {
    connections += 1
    const outgoing = connect(Number(new URL(targetUrl).port), '127.0.0.1')
    const limit = cutAfterBytes?.(connections) ?? Infinity
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    }
    const end = (): void => {
      incoming.destroy()
      outgoing.destroy()
    }
    carry(incoming, outgoing, true, limit).catch(end)
    carry(outgoing, incoming, false, Infinity).catch(end)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentBytes: () => sentBytes,
    connections: () => connections,
    close(): void {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
