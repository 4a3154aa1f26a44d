import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A web host in front of a storage that has none: it answers the address of a folder with the `index.html` in it. */
export async function startIndexPages(storageUrl: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\/$/, '/index.html')
    const { host: _host, ...headers } = request.headers
    const asked = ask(`${storageUrl}${path}`, { headers }, (found) => {
      response.writeHead(found.statusCode ?? 500, found.headers)
      found.pipe(response)
    })
    asked.on('error', () => response.destroy())
    asked.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
