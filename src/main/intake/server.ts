import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Readable } from 'node:stream'

import { cause } from '../../contract/cause.ts'
import { failureAnswer } from '../../contract/answer.ts'
import type { CallbackFailure } from '../../contract/failure.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { percentDecoded } from '../../contract/public-url.ts'
import type { Site } from '../../contract/site.ts'
import { faultPlace } from '../fault-place.ts'
import type { Delivery } from './admission.ts'
import type { Answer } from './answers.ts'
import { readBody } from './body.ts'
import type { PublicFiles } from './public-files.ts'

/** The largest callback body (INTERFACES section 3). */
const bodyLimitBytes = 4 * 1024 * 1024

/** How long a client may take; the headers, then the whole request. */
const headersTimeoutMs = 5_000
const requestTimeoutMs = 15_000

/** What the HTTP side asks of the rest. */
export interface ListenerPorts {
  readonly findSite: (id: string) => Site | null
  /** Host names, lower case, that requests may be addressed to, besides 127.0.0.1 and localhost. */
  readonly knownHosts: () => ReadonlySet<string>
  readonly receive: (delivery: Delivery) => Promise<Answer>
  /** `startedMs`: when the request came, by `performance.now()`. */
  readonly turnAway: (site: string, failure: CallbackFailure, startedMs: number) => Promise<Answer>
  readonly files: PublicFiles
  /** A stored blob to stream into an answer; the size is known beforehand. */
  readonly openBlob: (blob: Sha256) => { readonly sizeBytes: number; readonly stream: Readable }
  readonly log: (line: string) => void
}

export interface Listener {
  readonly url: string
  /** Takes no new connections; resolves when the open ones have ended. */
  close(): Promise<void>
}

/** The address is taken, or may not be used; `code` as the system names it. */
export class ListenError extends Error {
  readonly code: string
  constructor(code: string, host: string, port: number) {
    super(
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is taken by another program. Callbacks would not reach Galley. End that program, or use another port.`
        : `Galley cannot listen on ${host}, port ${port} (${code}).`,
    )
    this.code = code
  }
}

/** Starts the callback listener. Nothing but this folder's HTTP files know of HTTP. Throws ListenError. */
export async function listen(ports: ListenerPorts, host: string, port: number): Promise<Listener> {
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16 * 1024,
    // A request with both lengths, or with a header that only a lenient parser takes, is refused by the parser.
    insecureHTTPParser: false,
  })
  server.maxConnections = 1024
  server.maxRequestsPerSocket = 100
  server.on('request', (request, response) => {
    handle(ports, request, response).catch((error: unknown) => {
      ports.log(`request failed: ${faultPlace(error)}`)
      response.destroy()
    })
  })
  // 100-continue is asked for by nobody who sends callbacks; neither are upgrades and tunnels.
  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    server.on(event, (_request: IncomingMessage, response: ServerResponse) =>
      sendFailure(response, { kind: 'invalid_request', problem: cause('body_too_early') }, { connection: 'close' }),
    )
  }
  for (const event of ['upgrade', 'connect'] as const) {
    server.on(event, (_request: IncomingMessage, socket: Socket) => socket.destroy())
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable) return void socket.destroy()
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const failure: CallbackFailure = late
      ? { kind: 'timeout' }
      : { kind: 'invalid_request', problem: cause('not_http') }
    const { httpStatus, body } = failureAnswer(failure)
    const text = JSON.stringify(body)
    socket.end(
      `HTTP/1.1 ${httpStatus} ${late ? 'Request Timeout' : 'Bad Request'}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    )
  })
  await started(server, host, port)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

function started(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new ListenError(error.code ?? 'unknown', host, port)))
    server.listen({ port, host }, () => resolve())
  })
}

async function handle(ports: ListenerPorts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedMs = performance.now()
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const site = /^\/callback\/([^/]+)$/.exec(path)?.[1]
  if (!isKnownHost(ports, request)) {
    const failure = { kind: 'forbidden_host' } as const
    if (request.method !== 'POST' || site === undefined) return sendFailure(response, failure)
    return send(ports, response, await ports.turnAway(decoded(site), failure, startedMs))
  }
  if (site !== undefined) return callback(ports, request, response, decoded(site))
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendFailure(
      response,
      (await ports.files.exists(path)) ? { kind: 'method_not_allowed' } : { kind: 'not_found' },
    )
  }
  if (await ports.files.serve(path, request, response)) return
  return sendFailure(response, { kind: 'not_found' })
}

/** `POST /callback/<site>`: route, method, origin, type, size; then it is intake's. */
async function callback(ports: ListenerPorts, request: IncomingMessage, response: ServerResponse, id: string) {
  const startedMs = performance.now()
  const turnAway = async (failure: CallbackFailure, headers?: Record<string, string>) =>
    send(ports, response, await ports.turnAway(id, failure, startedMs), headers)

  const site = ports.findSite(id)
  if (!site)
    return request.method === 'POST' ? turnAway({ kind: 'not_found' }) : sendFailure(response, { kind: 'not_found' })
  if (request.method !== 'POST') return sendFailure(response, { kind: 'method_not_allowed' }, { allow: 'POST' })
  const { headers } = request
  const fromBrowser = headers.origin !== undefined || Object.keys(headers).some((name) => name.startsWith('sec-fetch-'))
  if (fromBrowser) return turnAway({ kind: 'forbidden_origin' })
  const encoding = headers['content-encoding'] ?? 'identity'
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '') || encoding !== 'identity') {
    return turnAway({ kind: 'unsupported_type' })
  }
  const body = await readBody(request, bodyLimitBytes, requestTimeoutMs)
  if (!body.ok) return turnAway(body.failure, { connection: 'close' })
  const signature = headers[site.signatureHeader.toLowerCase()]
  const answer = await ports.receive({
    site,
    signature: Array.isArray(signature) ? signature.join(', ') : signature,
    authorization: headers.authorization,
    headers,
    body: body.value,
  })
  return send(ports, response, answer, answer.httpStatus === 503 ? { 'retry-after': '5' } : {})
}

function isKnownHost(ports: ListenerPorts, request: IncomingMessage): boolean {
  const name = (request.headers.host ?? '').replace(/:\d*$/, '').toLowerCase()
  return name === '127.0.0.1' || name === 'localhost' || ports.knownHosts().has(name)
}

const decoded = (segment: string): string => percentDecoded(segment) ?? segment

function sendFailure(response: ServerResponse, failure: CallbackFailure, headers: Record<string, string> = {}): void {
  const { httpStatus, body } = failureAnswer(failure)
  const text = JSON.stringify(body)
  response.writeHead(httpStatus, { ...jsonHeaders(Buffer.byteLength(text)), ...headers }).end(text)
}

const jsonHeaders = (bytes: number) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': bytes,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})

/** Sends an answer, streaming its blob: an editor state may be as large as an archive allows. */
function send(
  ports: ListenerPorts,
  response: ServerResponse,
  answer: Answer,
  headers: Record<string, string> = {},
): void {
  const data = answer.blob === null ? null : ports.openBlob(answer.blob)
  const bytes = Buffer.byteLength(answer.before) + (data?.sizeBytes ?? 0) + Buffer.byteLength(answer.after)
  response.writeHead(answer.httpStatus, { ...jsonHeaders(bytes), ...headers })
  response.write(answer.before)
  if (!data) return void response.end(answer.after)
  // The caller may hang up: the save is stored all the same, and a repeat gets the same answer.
  data.stream.on('error', () => response.destroy())
  data.stream.on('end', () => response.end(answer.after))
  data.stream.pipe(response, { end: false })
}
