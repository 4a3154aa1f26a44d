import type { IncomingHttpHeaders } from 'node:http'

/** A request, reduced to what handlers need. */
export interface Incoming {
  readonly method: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** IP address of the client. */
  readonly remoteAddress: string
  /** The whole body, or null when it is larger than the limit. */
  readonly readBody: (limitBytes: number) => Promise<Buffer | null>
}

/** A body sent in pieces. If the pieces are shorter than its size, the connection is closed. */
export interface PiecewiseBody {
  readonly sizeBytes: number
  readonly pieces: Iterable<Buffer> | AsyncIterable<Buffer>
}

/** A response; Content-Length is set from the body. */
export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string | Buffer | PiecewiseBody
  readonly headers?: Readonly<Record<string, string>>
}

/** A response with an existing JSON text. */
export const jsonReply = (status: number, text: string): Reply => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: text,
})

/** An error response: status, error code and message. The contract leaves both open (Errors 5). */
export const refusal = (status: number, error: string, message: string): Reply =>
  jsonReply(status, JSON.stringify({ error, message }))

/** The value of a header; the first one if it is repeated. */
export function headerValue(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}
