import { createServer } from 'node:http'

import { startServer } from '../../platform/network/start-server.ts'

/** Whether a listener accepts saves now, and if not, the reason as a code for its operator. */
export type Readiness = 'ready' | 'starting' | 'stopping' | 'disk_failed' | 'disk_full' | 'team_offline'

/** Probes are small, few and local. */
const probeLimits = { headersMs: 2_000, requestMs: 2_000, connections: 64 }

/**
 * Answers the probes of a service manager or a load balancer on a separate port, so that a flood of the listener does
 * not make it look dead. `GET /live` answers 200 while the process responds, `GET /ready` 200 or 503 with
 * `{"ready":boolean,"state":Readiness}`. Throws ListenError.
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
        .catch((): Readiness => 'disk_failed')
        .then((state) => send(state === 'ready' ? 200 : 503, { ready: state === 'ready', state }))
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
