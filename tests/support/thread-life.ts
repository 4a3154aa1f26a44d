import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Tells when threads of a test's own script end: `script` gives each a connection that lives as long as the thread, and
 * a promise `open` that resolves when it is there.
 */
export async function watchThreads() {
  const ends: Promise<unknown>[] = []
  const server = createServer(
    (socket) =>
      void ends.push(
        once(
          socket.on('error', () => undefined),
          'close',
        ),
      ),
  )
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    script: `const alive = require('node:net').connect(${port}, '127.0.0.1').unref()
      const open = new Promise((resolve) => alive.on('connect', resolve))\n`,
    /** One for each thread that was started, resolved when it has ended. */
    ends,
  }
}
