import { request as httpRequest } from 'node:http'

import type { TestService } from './service.ts'
import { signatureOf } from './service.ts'

/** The listener's answer, as the service would read it. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // Not validated, because tests check what was received, not what our types promise.
  readonly json: { rc?: number; rm?: string; code?: string; data?: Record<string, unknown> }
}

/** Sends one request with node:http, so that the test controls every header. */
export function send(
  url: string,
  method: string,
  body: string | Buffer | null,
  headers: Record<string, string | string[]> = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) })
      })
    })
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

function parsed(text: string): Answered['json'] {
  try {
    return JSON.parse(text) as Answered['json']
  } catch {
    return {}
  }
}

/** The body and headers of a callback, signed over its content. */
export function signed(
  service: Pick<TestService, 'secret'>,
  payload: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  const text = (name: string) => (payload[name] as string | undefined) ?? ''
  const signature = signatureOf(service.secret, text('material_id'), text('content_url'))
  return {
    body: JSON.stringify(payload),
    headers: { 'x-service-signature': signature, ...headers },
    payload,
    signature,
  }
}
