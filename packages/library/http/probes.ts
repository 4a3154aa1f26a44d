import { createServer } from 'node:http'
import { storageCause } from '@galley/platform'
import type { Cause, CauseCode } from '@galley/wire'
import { causeSentence } from '@galley/wire'

import type { TeamReadiness } from '../records/listener-state.ts'
import { startServer } from './start-server.ts'

/**
 * Whether a listener stores saves now, and what keeps it from that. `disk_failed`: until it is restarted. A `CauseCode`: a fault of
 * the disk, a lack of descriptors, or the reason why no site can receive a save; until that is gone.
 */
export interface Readiness {
  readonly state: 'ready' | 'starting' | 'stopping' | 'disk_failed' | CauseCode | TeamReadiness['state']
  readonly why?: Cause
}

/** Probes are small, few and local. */
const probeLimits = { headersMs: 2_000, requestMs: 2_000, connections: 64 }

/**
 * Answers the probes of a service manager or a load balancer on a separate port, so that a flood of the listener does
 * not make it look dead. `GET /live` answers 200 while the process responds, `GET /ready` 200 or 503 with
 * `{"ready":boolean,"state":string}`, and where the cause is known with `reason`, a code, and `message`, its sentence. Throws
 * ListenError.
 */
export async function serveProbes(
  host: string,
  port: number,
  readiness: () => Promise<Readiness>,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer(
    { headersTimeout: probeLimits.headersMs, requestTimeout: probeLimits.requestMs },
    (request, response) => {
      request.resume()
      const send = (status: number, body: unknown): void => {
        response.writeHead(status, {
          'Content-Type': 'application/json',
          'Cache-Control': 'no-store',
          Connection: 'close',
        })
        response.end(request.method === 'HEAD' ? '' : JSON.stringify(body))
      }
      const path = request.url?.split('?')[0]
      if (request.method !== 'GET' && request.method !== 'HEAD') return send(405, { code: 'method_not_allowed' })
      if (path === '/live') return send(200, { live: true })
      if (path !== '/ready') return send(404, { code: 'not_found' })
      void readiness()
        .catch((error: unknown): Readiness => {
          const why = storageCause(error)
          return { state: why.code, why }
        })
        .then(({ state, why }) =>
          send(state === 'ready' ? 200 : 503, {
            ready: state === 'ready',
            state,
            ...(why && { reason: why.code, message: causeSentence(why) }),
          }),
        )
    },
  )
  server.maxConnections = probeLimits.connections
  return {
    url: await startServer(server, host, port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
