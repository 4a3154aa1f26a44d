import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { member, readExactly, stringIn } from '../protocol/exact-json.ts'
import type { DownloadHandler } from './download-handlers.ts'
import { whole } from './download-handlers.ts'

/** A received archive request. */
export interface Download {
  readonly method: string
  /** The raw query string after `?`; may be empty. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
}

/** A session that the backend opened during the run. */
export interface SessionOpen {
  readonly body: string
  readonly headers: IncomingHttpHeaders
  /** When it arrived, in `performance.now()` time. */
  readonly atMs: number
}

/** What names a session to the site and to the browser. */
interface SessionIdentity {
  readonly sessionId: string
  readonly fingerprint: string
}

/** The metadata of a session, as it was passed at session/open. */
export type Metadata = Readonly<Record<string, unknown>>

/** One archive with its URL. */
export interface Offer {
  readonly path: string
  /** All requests for it so far; grows while the archive is offered. */
  readonly downloads: readonly Download[]
}

interface OfferedArchive {
  readonly archive: Buffer
  readonly handler: DownloadHandler
  readonly downloads: Download[]
}

/** The address could not be bound; `code` is the system's error code. */
export class CannotListen extends Error {
  readonly code: string
  constructor(code: string, port: number) {
    super(
      code === 'EADDRINUSE'
        ? `Port ${port} is in use by another program, from which the backend would download. Stop it, or use another --port and base URL.`
        : `The kit cannot listen on port ${port} (${code}).`,
    )
    this.code = code
  }
}

/**
 * The download server of the service (contract, Endpoints). It serves every request and records it, so that a backend
 * with a wrong request fails only the case about that. Without a host it listens on every address.
 */
export async function startArchiveServer(host: string | undefined, port: number) {
  const offers = new Map<string, OfferedArchive>()
  const opens: SessionOpen[] = []
  const sessions = new Map<string, Metadata>()
  const identities = new Map<string, SessionIdentity>()
  const news = new EventEmitter()
  const server = createServer((request, response) => {
    // The client may disconnect at any time; its request is already recorded.
    response.on('error', () => undefined)
    const [address = '', query = ''] = split(request.url ?? '/')
    if (request.method === 'POST' && address.endsWith('/session/open')) {
      const opened = (open: SessionOpen) => {
        opens.push(open)
        keepMetadata(sessions, open)
        news.emit('open')
      }
      return void openSession(request, response, identities, opened).catch(() => response.destroy())
    }
    const offered = offers.get(downloadPath(address))
    request.resume()
    if (!offered) return void response.writeHead(404).end()
    const time = offered.downloads.length
    offered.downloads.push({ method: request.method ?? '', query, headers: request.headers })
    Promise.resolve(offered.handler(response, offered.archive, time)).catch(() => response.destroy())
  })
  await started(server, host, port)

  return {
    port: (server.address() as AddressInfo).port,
    opens: opens as readonly SessionOpen[],
    /** The metadata of the session of each opened material. */
    sessions: sessions as ReadonlyMap<string, Metadata>,
    /** Resolves when a session was opened or the time is up. */
    async firstOpen(timeoutMs: number, signal: AbortSignal): Promise<void> {
      if (opens.length > 0) return
      const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal])
      await once(news, 'open', { signal: limit }).catch(() => undefined)
    },
    /** All downloads of all archives so far. */
    requests: (): readonly Download[] => [...offers.values()].flatMap(({ downloads }) => downloads),
    /** Offers an archive; `id` is the last path segment. */
    offer(kind: 'media' | 'fonts' | 'other', id: string, archive: Buffer, handler: DownloadHandler = whole): Offer {
      const path = `/download/${kind}/${randomUUID()}/${id}`
      const offered: OfferedArchive = { archive, handler, downloads: [] }
      offers.set(path, offered)
      return { path, downloads: offered.downloads }
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

/** The path below the API root, whatever that is. */
const downloadPath = (address: string): string => address.slice(Math.max(0, address.lastIndexOf('/download/')))

async function started(server: Server, host: string | undefined, port: number): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new CannotListen((error as NodeJS.ErrnoException).code ?? 'unknown', port)
  }
}

/** The passed metadata replaces the earlier one; without any, that stays (contract, session/open rule 2). */
function keepMetadata(sessions: Map<string, Metadata>, { body }: SessionOpen): void {
  // Also keeps out what is nested too deeply to be sent again.
  const json = readExactly(body) ?? undefined
  const material = stringIn(member(json, 'material_id'))
  if (material === undefined) return
  const isPassed = member(json, 'metadata')?.kind === 'object'
  const passed = isPassed ? (JSON.parse(body) as { readonly metadata: Metadata }).metadata : undefined
  sessions.set(material, passed ?? sessions.get(material) ?? {})
}

/** Larger than any state that a session is opened with. */
const openMaxBytes = 32 * 1024 * 1024

/** Answers session/open like the service, so a material can be opened against the kit. */
async function openSession(
  request: IncomingMessage,
  response: ServerResponse,
  identities: Map<string, SessionIdentity>,
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
  const body = Buffer.concat(chunks).toString('utf8')
  opened({ body, headers: request.headers, atMs })
  const material = stringIn(member(readExactly(body) ?? undefined, 'material_id')) ?? ''
  // A repeated open has the same session (contract, session/open rule 1).
  const identity = identities.get(material) ?? { sessionId: randomUUID(), fingerprint: randomUUID() }
  identities.set(material, identity)
  const { sessionId, fingerprint } = identity
  const url = `http://${request.headers.host ?? 'localhost'}/editor/${fingerprint}`
  const answer = JSON.stringify({ session_id: sessionId, fingerprint, url, resizeMode: 'fluid' })
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
}
