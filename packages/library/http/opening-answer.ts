import { createServer } from 'node:http'

import { sendFailure } from './deliver.ts'
import { listenerLimits } from './limits.ts'

/** A faster start needs no temporary listener: refused callers try again. */
const minWaitMs = 300

/**
 * Opens a library that will be served. If that takes long, for example during a rebuild, the library's last URL responds
 * with 503 `busy`, so that callers retry instead of treating Galley as offline.
 */
export async function answeringWhile<Value>(address: string | null, open: () => Promise<Value>): Promise<Value> {
  if (address === null) return open()
  const server = createServer({ requestTimeout: listenerLimits.requestMs }, (request, response) => {
    request.resume()
    sendFailure(response, { kind: 'busy', state: 'opening' }, listenerLimits.delivery, { connection: 'close' })
  })
  server.maxConnections = listenerLimits.connections
  // If the port is in use, the later start of the listener reports it.
  server.on('error', () => undefined)
  const { hostname, port } = new URL(address)
  const timer = setTimeout(() => server.listen(Number(port), hostname.replace(/^\[|\]$/g, '')), minWaitMs)
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
