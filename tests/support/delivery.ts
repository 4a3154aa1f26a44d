import { request as httpRequest } from 'node:http'

import type { TestService } from './service.ts'
import { signatureOf } from './service.ts'

/** An answer of the listener, as the service would read it. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // Answers are read loosely on purpose: a test looks at what came, not at what our types say comes.
  readonly json: { rc?: number; rm?: string; code?: string; data?: Record<string, unknown> }
}

/** Sends one request with node:http, so that every header is what the test says. */
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

/** A callback body and its headers, signed over what it holds. */
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
