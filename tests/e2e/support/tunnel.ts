import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

import { atEnd } from './at-end.ts'

/** A tunnel to a port of this machine, like one in front of an office's listener. It can be interrupted. */
export async function startTunnel(to: number) {
  const sockets = new Set<Socket>()
  const server = createServer((inward) => {
    const outward = connect(to, '127.0.0.1')
    for (const [socket, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => other.destroy())
      socket.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const breakDown = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  atEnd(breakDown)
  return { url: `http://127.0.0.1:${port}`, breakDown }
}
