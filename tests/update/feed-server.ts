import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An update server on this computer. `answers`: by path; what it does not have is 404. */
export async function startFeedServer() {
  const answers = new Map<string, string | Buffer | ((response: ServerResponse) => void)>()
  const requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers })
    const answer = answers.get(request.url ?? '')
    if (typeof answer === 'function') return answer(response)
    response.writeHead(answer === undefined ? 404 : 200).end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    feed: `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases/updates.json`,
    answers,
    requests,
    async close(): Promise<void> {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
