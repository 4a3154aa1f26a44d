/** A proxy before a storage that delays, cuts and refuses requests, and can lose it altogether. */

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** What the proxy does now. Can be changed at any time. */
interface Roughness {
  /** Waits this long before it passes a request on. */
  delayMs: number
  /** Cuts every 20th request, in turns before and after the storage has it, and answers 503 to every 10th. */
  isRough: boolean
  /** Cuts every connection. */
  isAway: boolean
  /** Takes the condition away from entries of the log; the probe of the bucket would notice it elsewhere. */
  ignoresCondition: boolean
}

export async function startRoughProxy(storageUrl: string) {
  const { hostname, port } = new URL(storageUrl)
  const how: Roughness = { delayMs: 0, isRough: false, isAway: false, ignoresCondition: false }
  const agent = new Agent({ keepAlive: true })
  const counts = { requests: 0, cut: 0, refused: 0 }

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    counts.requests += 1
    const nth = counts.requests
    const cutsBefore = how.isAway || (how.isRough && nth % 40 === 0)
    const cutsAfter = how.isRough && nth % 40 === 20
    if (cutsBefore || cutsAfter) counts.cut += 1
    if (how.delayMs > 0) await wait(how.delayMs)
    if (cutsBefore) return void request.socket.destroy()
    if (how.isRough && nth % 10 === 5) {
      counts.refused += 1
      return void response.writeHead(503).end()
    }
    const { 'if-none-match': condition, ...headers } = request.headers
    const isDropped = how.ignoresCondition && request.url?.includes('/log/') === true
    const kept = isDropped || condition === undefined ? headers : { ...headers, 'if-none-match': condition }
    const outgoing = send({ hostname, port, agent, path: request.url, method: request.method, headers: kept })
    outgoing.end(Buffer.concat(chunks))
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of answer as AsyncIterable<Buffer>) parts.push(part)
    if (cutsAfter) return void request.socket.destroy()
    response.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(parts))
  }

  const server = createServer((request, response) => {
    // A listener that was killed, or a storage that is gone: the connection ends.
    passOn(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    how,
    counts,
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      agent.destroy()
      await once(server, 'close')
    },
  }
}
