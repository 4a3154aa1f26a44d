import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that reached the receiver. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly message: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> }
}

/** A receiver of webhooks on this computer, which answers 204 unless `answer` does. */
export async function startReceiver(tls?: { readonly key: Buffer; readonly cert: Buffer }, host = '127.0.0.1') {
  const received: Received[] = []
  const state = {
    answer: (response: ServerResponse): void => void response.writeHead(204).end(),
    connections: 0,
  }
  const server = tls ? createSecureServer(tls) : createServer()
  server.on('connection', () => (state.connections += 1))
  server.on('request', (request, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      received.push({ headers: request.headers, body, message: JSON.parse(body) as Received['message'] })
      state.answer(response)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { received, state, port, url: `http://127.0.0.1:${port}/hook?of=acme` }
}

/** Verifies a message as the specification of Standard Webhooks says, without any code of Galley. */
export function isVerified({ headers, body }: Received, secret: string, now: Date): boolean {
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  if (id.includes('.') || Math.abs(now.getTime() / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .some((each) => {
      const [version, signature = ''] = each.split(',')
      const given = Buffer.from(signature, 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
}
