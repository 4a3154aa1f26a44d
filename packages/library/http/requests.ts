import type { IncomingMessage, ServerResponse } from 'node:http'
import { cause, defaultSignatureHeader, percentDecoded } from '@galley/wire'
import type { CallbackFailure, Sha256, SiteId } from '@galley/wire'

import type { Site } from '../records/site.ts'
import type { IncomingDelivery } from '../save/admit.ts'
import type { Answer } from '../save/answer.ts'
import type { UnreadRequest } from '../save/receive.ts'
import type { ReceivedBody } from './body.ts'
import { readBody } from './body.ts'
import type { TrustedProxies } from './client-address.ts'
import type { Connections } from './connections.ts'
import type { StoredBlob } from './deliver.ts'
import { sendAnswer, sendFailure, watchDelivery } from './deliver.ts'
import { createFairShare } from './fair-share.ts'
import type { ListenerLimits } from './limits.ts'
import type { PublicFiles } from './public-files.ts'
import { createTurns } from './turns.ts'

/** The interface of the HTTP layer to the rest. */
export interface ListenerPorts {
  readonly findSite: (id: string) => Site | null
  /** Applies the newest entries of the team; false if the bucket cannot be reached. Null outside a team library. */
  readonly syncTeam: (() => Promise<boolean>) | null
  /** The accepted host names in lower case, in addition to 127.0.0.1 and localhost. */
  readonly knownHosts: () => ReadonlySet<string>
  readonly receive: (delivery: IncomingDelivery) => Promise<Answer>
  readonly refuseDelivery: (site: SiteId, failure: CallbackFailure, request: UnreadRequest) => Promise<Answer>
  readonly files: PublicFiles
  readonly openBlob: (blob: Sha256) => StoredBlob
  readonly clientAddress: TrustedProxies['clientAddress']
  readonly log: (line: string) => void
}

/** Handles the requests of a listener: routes them and enforces their shares of limited resources. */
export function createRequests(
  ports: ListenerPorts,
  limits: ListenerLimits,
  connections: Connections,
  /** Called with an address that was refused because too many requests are running. */
  onRefused: (address: string) => void,
) {
  const bodies = createFairShare(limits.bodiesBytes)
  const publicFiles = createFairShare(limits.publicFiles)
  const turn = createTurns(limits.turns)

  /** Refuses a request that is no callback. An editor at another origin can read why (docs/api.md, section 3). */
  const refuse = (response: ServerResponse, failure: CallbackFailure, headers?: Record<string, string>): void =>
    sendFailure(response, failure, limits.delivery, { 'access-control-allow-origin': '*', ...headers })
  const answer = (response: ServerResponse, given: Answer, headers?: Record<string, string>): void =>
    sendAnswer(response, given, ports.openBlob, limits.delivery, headers)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedMs = performance.now()
    const { path, authority } = targetOf(request.url ?? '/')
    const site = /^\/callback\/([^/]+)$/.exec(path)?.[1]
    const address = ports.clientAddress(request.socket.remoteAddress ?? '', request.headers)
    response.once('close', connections.begin(request.socket, address, site === undefined ? 'file' : 'callback'))

    const problem = hostProblem(ports, request, authority)
    // Callbacks wait when their bodies have arrived: a caller that hangs up meanwhile has sent them.
    if (problem || site === undefined || request.method !== 'POST') await turn(request.socket)
    if (problem) {
      if (request.method !== 'POST' || site === undefined) return refuse(response, problem)
      const signature = signatureIn(request, ports.findSite(decoded(site)))
      return answer(response, await ports.refuseDelivery(decoded(site), problem, { signature, startedMs }))
    }
    if (site !== undefined) return callback(request, response, decoded(site), address)
    if (request.method === 'GET' || request.method === 'HEAD') return publicFile(path, request, response, address)
    if (!(await ports.files.exists(path))) return refuse(response, { kind: 'not_found' })
    refuse(response, { kind: 'method_not_allowed' }, { allow: 'GET, HEAD' })
  }

  /** `GET|HEAD /media`, `/fonts`, `/health`: slow or many readers do not delay callbacks. */
  async function publicFile(path: string, request: IncomingMessage, response: ServerResponse, address: string) {
    // The caller hung up while the request waited. Its `close` event has passed, so nothing would release the share.
    if (request.socket.destroyed) return
    const share = publicFiles.open(address)
    response.once('close', share.release)
    if (path !== '/health' && !share.take(1)) {
      onRefused(address)
      return refuse(response, { kind: 'busy', state: 'readers' }, { connection: 'close' })
    }
    const found = await ports.files.serve(path, request, response, () => watchDelivery(response, limits.delivery))
    if (!found) refuse(response, { kind: 'not_found' })
  }

  /** `POST /callback/<site>`: checks route, method, origin, type and size, then hands it on. */
  async function callback(request: IncomingMessage, response: ServerResponse, id: string, address: string) {
    const startedMs = performance.now()
    // Another member of the team may just have added it.
    const site = ports.findSite(id) ?? ((await ports.syncTeam?.()) ? ports.findSite(id) : null)
    const signature = signatureIn(request, site)
    const refuseDelivery = async (failure: CallbackFailure, headers?: Record<string, string>) => {
      await turn(request.socket)
      answer(response, await ports.refuseDelivery(id, failure, { signature, startedMs }), headers)
    }

    if (!site)
      return request.method === 'POST' ? refuseDelivery({ kind: 'not_found' }) : refuse(response, { kind: 'not_found' })
    if (request.method !== 'POST') return refuse(response, { kind: 'method_not_allowed' }, { allow: 'POST' })
    if (isFromBrowser(request)) return refuseDelivery({ kind: 'forbidden_origin' })
    if (!isPlainJson(request)) return refuseDelivery({ kind: 'unsupported_type' })
    const budget = bodies.open(address)
    let received: ReceivedBody | null = null
    try {
      const body = await readBody(request, limits.body, budget)
      if (!body.ok && body.failure.kind === 'busy') onRefused(address)
      if (!body.ok) return await refuseDelivery(body.failure, { connection: 'close' })
      received = body.value
      await turn(request.socket, received.bytes.length)
      const given = await ports.receive({
        site,
        signature,
        authorization: request.headers.authorization,
        headers: request.headers,
        body: received.bytes,
        onSigned: () => connections.markSigned(request.socket),
      })
      return answer(response, given)
    } finally {
      // In every case: until here, the body or parts of it were in memory.
      received?.free()
      budget.release()
    }
  }

  return handle
}

/** The signature of a callback. An unknown site has the header that sites have unless they name another. */
function signatureIn({ headers }: IncomingMessage, site: Site | null): string | undefined {
  const signature = headers[(site?.signatureHeader ?? defaultSignatureHeader).toLowerCase()]
  return Array.isArray(signature) ? signature.join(', ') : signature
}

function isFromBrowser({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || Object.keys(headers).some((name) => name.startsWith('sec-fetch-'))
}

const isPlainJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '') &&
  (headers['content-encoding'] ?? 'identity') === 'identity'

/** Splits a request target. Proxies may send the whole URL (RFC 9112, section 3.2.2); otherwise there is no authority. */
function targetOf(target: string): { readonly path: string; readonly authority: string | null } {
  const [, authority = null, rest = ''] = /^(?:https?:\/\/([^/?]*))?(.*)$/is.exec(target) ?? []
  return { path: rest.split('?', 1)[0] || '/', authority }
}

function hostProblem(ports: ListenerPorts, request: IncomingMessage, authority: string | null): CallbackFailure | null {
  // Node returns the first of two Host headers, but a proxy may have used the other.
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
  const { host } = request.headers
  if (host === undefined) return { kind: 'invalid_request', problem: cause('no_host') }
  const isOther = authority !== null && authority.toLowerCase() !== host.toLowerCase()
  if (hosts > 1 || host.includes(',') || isOther) return { kind: 'invalid_request', problem: cause('two_hosts') }
  const name = host.replace(/:\d*$/, '').toLowerCase()
  const isKnown = name === '127.0.0.1' || name === 'localhost' || ports.knownHosts().has(name)
  return isKnown ? null : { kind: 'forbidden_host' }
}

const decoded = (segment: string): string => percentDecoded(segment) ?? segment
