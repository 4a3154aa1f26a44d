import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

import { signatureOf } from '../../support/service.ts'

/** One callback and its answer, as transferred. */
export interface Exchange {
  readonly materialId: string
  readonly versionId: string
  readonly versionCdate: string
  readonly isSigned: boolean
  readonly status: number
  readonly rc: number
  /** The answer's text. */
  readonly answer: string
}

interface Callback {
  readonly material_id: string
  readonly content_url: string
  readonly metadata: { readonly version_id: string; readonly version_cdate: string }
}

/**
 * The line between service and site: it passes everything on unchanged and notes every callback with its answer. What
 * the site promised is known from here, whatever either side believes afterwards.
 */
export async function startWire(secret: string) {
  const exchanges: Exchange[] = []
  let target = ''

  const note = (message: IncomingMessage, body: Buffer, status: number, answer: string): void => {
    const { material_id: materialId, content_url: contentUrl, metadata } = JSON.parse(String(body)) as Callback
    const { rc } = JSON.parse(answer) as { rc: number }
    const isSigned = message.headers['x-service-signature'] === signatureOf(secret, materialId, contentUrl)
    const { version_id: versionId, version_cdate: versionCdate } = metadata
    exchanges.push({ materialId, versionId, versionCdate, isSigned, status, rc, answer })
  }

  const pass = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(message)
    const onward = request(target + message.url, { method: message.method, headers: message.headers, agent: false })
    onward.end(body)
    const [answer] = (await once(onward, 'response')) as [IncomingMessage]
    const answered = await bytesOf(answer)
    const { statusCode = 0, headers } = answer
    if (message.method === 'POST') note(message, body, statusCode, String(answered))
    response.writeHead(statusCode, headers).end(answered)
  }

  const server = createServer((message, response) => void pass(message, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    leadTo(origin: string): void {
      target = origin
    },
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
