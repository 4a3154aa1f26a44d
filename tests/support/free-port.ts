import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * A free port of this machine. It is below the range that systems assign ports from, so that no connection and no server on
 * port 0 takes it in the meantime.
 */
export async function aFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Whether a port of this machine accepts connections. */
export async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    // Refused: nothing listens there.
    return false
  } finally {
    socket.destroy()
  }
}
