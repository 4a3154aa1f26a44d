import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Serving } from './serving.ts'
import { whole } from './serving.ts'

/** A request for an archive, as it came. */
export interface Download {
  readonly method: string
  /** Behind the `?`, undecoded; empty when there was none. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
}

/** A session that the backend opened while the kit was running. */
export interface SessionOpen {
  readonly body: string
  readonly headers: IncomingHttpHeaders
  /** When it came, by `performance.now()`. */
  readonly atMs: number
}

/** One archive under its address. */
export interface Offer {
  readonly path: string
  /** Every request for it so far; grows while it is offered. */
  readonly downloads: readonly Download[]
}

interface Shelf {
  readonly archive: Buffer
  readonly serving: Serving
  readonly downloads: Download[]
}

/** The address could not be listened on; `code` as the system names it. */
export class CannotListen extends Error {
  readonly code: string
  constructor(code: string, port: number) {
    super(
      code === 'EADDRINUSE'
        ? `Port ${port} is taken by another program; the backend would download from that one. End it, or give another --port and base URL.`
        : `The kit cannot listen on port ${port} (${code}).`,
    )
    this.code = code
  }
}

/**
 * The downloads of the service, as the contract describes them. It gives an archive to everybody who knows its address
 * and remembers how it was asked for: a backend that asks wrongly fails the one case about that, and not all of them.
 */
export async function startArchiveServer(host: string, port: number) {
  const shelves = new Map<string, Shelf>()
  const opens: SessionOpen[] = []
  const news = new EventEmitter()
  const server = createServer((request, response) => {
    // The other side may go away at any time; what it has asked for is on record.
    response.on('error', () => undefined)
    const [address = '', query = ''] = split(request.url ?? '/')
    if (request.method === 'POST' && address.endsWith('/session/open')) {
      const opened = (open: SessionOpen) => void (opens.push(open), news.emit('open'))
      return void openSession(request, response, opened).catch(() => response.destroy())
    }
    const shelf = shelves.get(downloadPath(address))
    request.resume()
    if (!shelf) return void response.writeHead(404).end()
    const time = shelf.downloads.length
    shelf.downloads.push({ method: request.method ?? '', query, headers: request.headers })
    Promise.resolve(shelf.serving(response, shelf.archive, time)).catch(() => response.destroy())
  })
  await started(server, host, port)

  return {
    port: (server.address() as AddressInfo).port,
    opens: opens as readonly SessionOpen[],
    /** Resolves when a session was opened, or when nobody has opened one in time. */
    async firstOpen(timeoutMs: number, signal: AbortSignal): Promise<void> {
      if (opens.length > 0) return
      const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal])
      await once(news, 'open', { signal: limit }).catch(() => undefined)
    },
    /** Every download so far, of whatever archive. */
    requests: (): readonly Download[] => [...shelves.values()].flatMap(({ downloads }) => downloads),
    /** Puts an archive on offer; `id` is the last part of its path. */
    offer(kind: 'media' | 'fonts' | 'other', id: string, archive: Buffer, serving: Serving = whole): Offer {
      const path = `/download/${kind}/${randomUUID()}/${id}`
      const shelf: Shelf = { archive, serving, downloads: [] }
      shelves.set(path, shelf)
      return { path, downloads: shelf.downloads }
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type ArchiveServer = Awaited<ReturnType<typeof startArchiveServer>>

const split = (url: string): readonly string[] => {
  const at = url.indexOf('?')
  return at === -1 ? [url] : [url.slice(0, at), url.slice(at + 1)]
}

/** The part behind the API root, whatever that is. */
const downloadPath = (address: string): string => address.slice(Math.max(0, address.lastIndexOf('/download/')))

async function started(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new CannotListen((error as NodeJS.ErrnoException).code ?? 'unknown', port)
  }
}

/** More than any state that a material is opened with. */
const openMaxBytes = 32 * 1024 * 1024

/** Answers as the service would, so that a material can be opened against the kit. */
async function openSession(
  request: IncomingMessage,
  response: ServerResponse,
  opened: (open: SessionOpen) => void,
): Promise<void> {
  const atMs = performance.now()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > openMaxBytes) return void response.destroy()
    chunks.push(chunk)
  }
  opened({ body: Buffer.concat(chunks).toString('utf8'), headers: request.headers, atMs })
  const fingerprint = randomUUID()
  const url = `http://${request.headers.host ?? 'localhost'}/editor/${fingerprint}`
  const answer = JSON.stringify({ session_id: randomUUID(), fingerprint, url, resizeMode: 'fluid' })
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
}
