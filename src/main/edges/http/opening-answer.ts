import { createServer } from 'node:http'

import { sendFailure } from './deliver.ts'
import { listenerLimits } from './limits.ts'

/** What opens sooner is not worth a port: a caller that is refused the connection tries again. */
const patienceMs = 300

/**
 * Opens a library that is about to be served. While that takes long, as when its index is made anew, the place where it was
 * served last (an http URL) answers 503 `busy`, so that callers wait and nobody takes Galley for gone.
 */
export async function answeringWhile<Value>(place: string | null, open: () => Promise<Value>): Promise<Value> {
  if (place === null) return open()
  const server = createServer({ requestTimeout: listenerLimits.requestMs }, (request, response) => {
    request.resume()
    sendFailure(response, { kind: 'busy', state: 'opening' }, listenerLimits.delivery, { connection: 'close' })
  })
  server.maxConnections = listenerLimits.connections
  // Whoever has the port will show when it is wanted.
  server.on('error', () => undefined)
  const { hostname, port } = new URL(place)
  const timer = setTimeout(() => server.listen(Number(port), hostname.replace(/^\[|\]$/g, '')), patienceMs)
  try {
    return await open()
  } finally {
    clearTimeout(timer)
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  }
}
