import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { isLoopback, originOf } from './addresses.ts'
import type { Incoming, PiecewiseBody, Reply } from './exchange.ts'
import { refusal } from './exchange.ts'
import type { Route } from './router.ts'
import { dispatch } from './router.ts'

/** Reads a request body; null as soon as it exceeds `limitBytes`. Rejects when the client disconnects. */
async function readCapped(message: IncomingMessage, limitBytes: number): Promise<Buffer | null> {
  if (Number(message.headers['content-length'] ?? 0) > limitBytes) return null
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // Not `for await`: leaving an iterator early would destroy the socket before the answer is sent.
  return new Promise((resolve, reject) => {
    message.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes <= limitBytes) chunks.push(chunk)
      else {
        message.pause()
        message.removeAllListeners('data')
        resolve(null)
      }
    })
    // The listeners live as long as the request, so they must not keep the chunks.
    message.once('end', () => resolve(Buffer.concat(chunks.splice(0))))
    message.once('error', reject)
    message.once('close', () => reject(new Error('The request ended before its body was complete')))
  })
}

/** How long close() waits for running requests before it aborts them. */
const closeGraceMs = 5_000

/** How long a client may stop reading a large body: longer than any delay of a slow-download fault. */
const stalledReaderMs = 150_000

export interface HttpServer {
  readonly port: number
  /** Stops listening, lets running requests finish, and resolves when no handler is running. */
  readonly close: () => Promise<void>
}

interface ServerOptions {
  readonly host: string
  /** More names by which it may be called. */
  readonly allowedHosts: readonly string[]
  readonly port: number
  readonly onProblem: (problem: unknown) => void
}

/** The names by which containers reach the computer that they run on. No public name server knows them. */
const containerHosts: ReadonlySet<string> = new Set(['host.docker.internal', 'host.containers.internal'])

/** Checks the Host header, which protects against DNS rebinding. */
function isOwnHost(host: string | undefined, own: Pick<ServerOptions, 'host' | 'allowedHosts'>): boolean {
  const address = `http://${host ?? ''}`
  if (!URL.canParse(address)) return false
  const { hostname } = new URL(address)
  const known = [own.host, `[${own.host}]`, ...own.allowedHosts].map((name) => name.toLowerCase())
  return isLoopback(hostname) || containerHosts.has(hostname) || known.includes(hostname)
}

/** Requests of embedded content that the page itself cannot read, such as pictures in a sandboxed preview. */
const embedded: ReadonlySet<unknown> = new Set(['image', 'video', 'audio'])

/**
 * Whether a web page of another origin sent this, according to browser headers, which backends and scripts do not send.
 * Paths under /_emulator/ control the emulator, so such pages must not even read them.
 */
function isForeignPage({ method, headers }: IncomingMessage, { pathname }: URL): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && (!pathname.startsWith('/_emulator/') || embedded.has(headers['sec-fetch-dest']))) return false
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined && origin !== originOf(headers)) return true
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** The requested URL: a path, or an absolute URL as proxies send it (RFC 9112, 3.2). */
function addressOf({ url = '/' }: IncomingMessage): URL | null {
  const address = /^https?:\/\//i.test(url) ? url : `http://emulator${url}`
  return URL.canParse(address) ? new URL(address) : null
}

function incomingOf(message: IncomingMessage, url: URL): Incoming {
  return {
    method: message.method ?? 'GET',
    query: url.searchParams,
    headers: message.headers,
    remoteAddress: message.socket.remoteAddress ?? '',
    readBody: (limitBytes) => readCapped(message, limitBytes),
  }
}

const sizeOf = (body: Reply['body']): number =>
  typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.byteLength(body) : body.sizeBytes

async function sendPieces(response: ServerResponse, { sizeBytes, pieces }: PiecewiseBody): Promise<void> {
  let sentBytes = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      sentBytes += piece.length
      yield piece
    }
  }
  response.flushHeaders()
  response.setTimeout(stalledReaderMs, () => response.destroy())
  // A client that disconnects halfway is not an error.
  await pipeline(Readable.from(counted(), { objectMode: false }), response, { end: false }).catch(() =>
    response.destroy(),
  )
  if (sentBytes === sizeBytes) response.end()
  // Ends the connection only after flushing, so that the fault truncates at the exact byte.
  else response.socket?.destroySoon()
}

async function send(response: ServerResponse, message: IncomingMessage, reply: Reply, isLast: boolean): Promise<void> {
  response.writeHead(reply.status, {
    'Cache-Control': 'no-store',
    ...reply.headers,
    'Content-Type': reply.contentType,
    'Content-Length': sizeOf(reply.body),
    'X-Content-Type-Options': 'nosniff',
    // An unread body would be parsed as the next request on this connection.
    ...(isLast || !message.complete ? { Connection: 'close' } : {}),
  })
  const { body } = reply
  if (message.method === 'HEAD') response.end()
  else if (typeof body === 'string' || Buffer.isBuffer(body)) response.end(body)
  else await sendPieces(response, body)
}

/**
 * The only file that uses node:http: limits, checks for all routes, and graceful shutdown. Routes are created once the
 * port is known, because their URLs contain it.
 */
export async function listen(
  routesAt: (port: number) => readonly Route[],
  options: ServerOptions,
): Promise<HttpServer> {
  const server = createServer({ headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 5_000 })
  server.maxHeadersCount = 100
  const port = await startListening(server, options)
  const routes = routesAt(port)
  const running = new Set<Promise<void>>()
  server.on('request', (message, response) => {
    const work = serve(routes, message, response, options, server).finally(() => running.delete(work))
    running.add(work)
  })
  return {
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const cutOff = setTimeout(() => server.closeAllConnections(), closeGraceMs)
      await closed
      clearTimeout(cutOff)
      await Promise.allSettled(running)
    },
  }
}

async function serve(
  routes: readonly Route[],
  message: IncomingMessage,
  response: ServerResponse,
  options: ServerOptions,
  server: Server,
): Promise<void> {
  try {
    const reply = await answer(routes, message, options)
    if (!response.destroyed) await send(response, message, reply, !server.listening)
  } catch (problem) {
    // A client that disconnects while sending expects no answer, and is not an error.
    if (message.destroyed && !message.complete) return
    options.onProblem(problem)
    if (response.headersSent) response.destroy()
    else await send(response, message, refusal(500, 'internal_error', 'The emulator failed.'), true)
  }
}

async function answer(routes: readonly Route[], message: IncomingMessage, own: ServerOptions): Promise<Reply> {
  if (!isOwnHost(message.headers.host, own))
    return refusal(403, 'forbidden_host', 'The emulator is not known by this host name. Allow it with --allow-host.')
  const url = addressOf(message)
  if (url === null) return refusal(400, 'invalid_request', 'The request address cannot be read.')
  if (isForeignPage(message, url))
    return refusal(403, 'forbidden_origin', 'Web pages from other origins cannot use this address.')
  return dispatch(routes, incomingOf(message, url), url.pathname)
}

/** Resolves with the bound port. Rejects with the system's error, such as EADDRINUSE. */
function startListening(server: Server, { host, port }: ServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}
