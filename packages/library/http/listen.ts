import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { storageCause } from '@galley/platform'
import { cause, describeFault, failureAnswer } from '@galley/wire'
import type { CallbackFailure } from '@galley/wire'

import { storageFailure } from '../save/answer.ts'
import { createConnections } from './connections.ts'
import { sendFailure } from './deliver.ts'
import { listenerLimits as limits } from './limits.ts'
import { limitPieces, limitRequests } from './request-limit.ts'
import type { ListenerPorts } from './requests.ts'
import { createRequests } from './requests.ts'
import { startServer } from './start-server.ts'

export interface Listener {
  readonly url: string
  /** Accepts no new connections. Resolves when the open ones have ended. */
  close(): Promise<void>
}

/** The minimum interval of log lines during a flood, in milliseconds. */
const floodLogIntervalMs = 60_000

/** After this many closed connections, or so many bytes read from them, a garbage collection is worth blocking the main thread. */
const many = { connections: 200, bytes: 32 * 1024 ** 2 }

/**
 * A collection waits for the end of a short flood, and comes before the minute is over in which memory has to be returned. It
 * blocks the main thread for 8 ms with a heap of 10 MB, 100 ms with 65 MB and 500 ms with 230 MB. Anyone can close 200
 * connections without a signature, so collections are rare: with 230 MB they take 2 % of the main thread, and took 10 % when
 * there was one every five seconds.
 */
const times = { restMs: 5_000, leastMs: 30_000 }

/**
 * Returns memory to the system after a flood of requests. Call the returned function for each closed connection, with the bytes that
 * were read from it. V8 collects garbage only when memory is allocated, so after a flood it would remain for hours.
 */
export function createMemoryReturn({ restMs, leastMs } = times): (bytes: number) => void {
  let closed = 0
  let read = 0
  let timer: NodeJS.Timeout | null = null
  let collectedMs = Number.NEGATIVE_INFINITY
  return (bytes) => {
    closed += 1
    read += bytes
    if ((closed < many.connections && read < many.bytes) || timer !== null) return
    const waitMs = Math.max(restMs, collectedMs + leastMs - performance.now())
    timer = setTimeout(() => {
      timer = null
      closed = 0
      read = 0
      collectGarbage()
      collectedMs = performance.now()
    }, waitMs).unref()
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** Starts the callback listener. Only the files in this folder use HTTP. Throws ListenError. */
export async function listen(ports: ListenerPorts, host: string, port: number): Promise<Listener> {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: 16 * 1024,
    // Node's own error response would not be JSON.
    requireHostHeader: false,
    // The parser refuses requests with conflicting lengths or malformed headers.
    insecureHTTPParser: false,
  })
  // Node would close the connection of a client that ends its side after the body, before the answer. Not in its types.
  Object.assign(server, { httpAllowHalfOpen: true })
  const onOverload = createFloodLog(ports.log)
  const connections = createConnections(limits.connections, onOverload)
  const handle = createRequests(ports, limits, connections, onOverload)
  const onClosed = createMemoryReturn()
  server.on('connection', (socket: Socket) => {
    connections.add(socket, ports.clientAddress(socket.remoteAddress ?? '', {}))
    const isLast = (count: number) =>
      count === limits.requestsPerConnection || connections.unanswered(socket) + 1 === limits.unansweredRequests
    limitRequests(socket, isLast)
    limitPieces(socket)
    socket.once('close', () => onClosed(socket.bytesRead))
  })
  const newest = new WeakMap<Socket, ServerResponse>()
  server.on('request', (request, response) => {
    newest.set(request.socket, response)
    handle(request, response).catch((error: unknown) => {
      ports.log(`request failed: ${describeFault(error)}`)
      if (response.headersSent || response.destroyed || request.method !== 'POST') return void response.destroy()
      // Without an answer, the service could not tell this from a broken connection.
      sendFailure(response, storageFailure(storageCause(error)), limits.delivery, { connection: 'close' })
    })
  })
  // Without listeners for `checkContinue` and `upgrade`, Node sends the 100 response that curl and .NET wait for, and
  // ignores an offer of HTTP/2, as Java sends it.
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    sendFailure(response, { kind: 'invalid_request', problem: cause('body_too_early') }, limits.delivery, {
      connection: 'close',
    }),
  )
  server.on('connect', (_request: IncomingMessage, socket: Socket) => socket.destroy())
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable) return void socket.destroy()
    const response = newest.get(socket)
    const isCutOff = response !== undefined && !response.req.complete && !response.writableFinished
    if (connections.unanswered(socket) > (isCutOff ? 1 : 0)) {
      // Another response would be mistaken for the response to an earlier request. A request that is cut off times
      // out later.
      if (response?.headersSent === false) response.setHeader('connection', 'close')
      return
    }
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
  return {
    url: await startServer(server, host, port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

/** Logs refusals because of too many connections or too much data, at most once a minute. */
function createFloodLog(log: (line: string) => void): (address: string) => void {
  let reportedMs = -Infinity
  return (address) => {
    const nowMs = performance.now()
    if (nowMs - reportedMs < floodLogIntervalMs) return
    reportedMs = nowMs
    log(`too many connections or too much data at once; refusing some requests from ${address}`)
  }
}
