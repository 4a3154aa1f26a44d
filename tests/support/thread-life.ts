import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Reports when the threads of a test's own script end. `script` gives each a connection that lives as long as the thread,
 * and two promises: `open` resolves when the connection exists, `told` when the test calls `tell`.
 */
export async function watchThreads() {
  const ends: Promise<unknown>[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    sockets.push(socket)
    ends.push(once(socket, 'close'))
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    script: `const alive = require('node:net').connect(${port}, '127.0.0.1').unref()
      const open = new Promise((resolve) => alive.on('connect', resolve))
      const told = new Promise((resolve) => alive.once('data', resolve))\n`,
    /** One per started thread, resolved when the thread has ended. */
    ends,
    /** Resolves once so many threads have connected: this side may learn of a connection after the thread has used it. */
    async begun(count: number): Promise<void> {
      while (ends.length < count) await once(server, 'connection')
    },
    tell(): void {
      for (const socket of sockets) socket.write('.')
    },
  }
}
