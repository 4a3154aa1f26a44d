import type { IncomingHttpHeaders } from 'node:http'

/** One request, as far as the handlers need to know it. */
export interface Incoming {
  readonly method: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** IP address of the other end. */
  readonly remoteAddress: string
  /** The whole body, or null when it is larger than the limit. */
  readonly readBody: (limitBytes: number) => Promise<Buffer | null>
}

/** A body that is sent piece by piece. When the pieces come to less than its size, the connection is cut. */
export interface PiecewiseBody {
  readonly sizeBytes: number
  readonly pieces: Iterable<Buffer> | AsyncIterable<Buffer>
}

/** What is answered; Content-Length is the length of the body. */
export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string | Buffer | PiecewiseBody
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer of a JSON text that is already written. */
export const jsonReply = (status: number, text: string): Reply => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: text,
})

/** A refusal: a plain status, a code for programs and a text for people. The contract leaves both open (Errors 5). */
export const refusal = (status: number, error: string, message: string): Reply =>
  jsonReply(status, JSON.stringify({ error, message }))

/** The single value of a header; of a repeated one the first. */
export function headerValue(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}
