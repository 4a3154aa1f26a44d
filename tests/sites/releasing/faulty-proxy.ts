import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Passes requests on to a storage, except those that `fault` answers with a status; `stored` is called after each write. The
 * storage checks the signed host.
 */
export async function startProxy(
  url: string,
  fault: (method: string, path: string) => number | null,
  stored: (path: string) => void = () => undefined,
) {
  const { hostname, port } = new URL(url)
  const server = createServer((incoming, response) => {
    const status = fault(incoming.method ?? '', incoming.url ?? '')
    if (status !== null) {
      incoming.resume().on('end', () => response.writeHead(status).end())
      return
    }
    const { method, headers } = incoming
    const onward = httpRequest({ hostname, port, path: incoming.url, method, headers }, (answer) => {
      if (method === 'PUT' && answer.statusCode === 200) stored(incoming.url ?? '')
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
