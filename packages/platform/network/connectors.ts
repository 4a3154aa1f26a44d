import type { SecureContext } from 'node:tls'
import { cause } from '@galley/wire'
import type { buildConnector } from 'undici'

import { ConnectionError } from './connection-error.ts'
import { publicLookup } from './private-addresses.ts'
import { bareHost } from './proxies.ts'
import { openTunnel } from './tunnel.ts'

type Connector = buildConnector.connector

export interface ConnectorOptions {
  readonly build: typeof buildConnector
  readonly timeoutMs: number
  /** The private addresses to which host names may lead; null: any. */
  readonly privateOnes: readonly string[] | null
  readonly secureContext: () => SecureContext
}

/** Connections for plain http and for https. */
function byScheme(
  { build, timeoutMs, secureContext }: ConnectorOptions,
  options: buildConnector.BuildOptions,
): Connector {
  const plain = build({ timeout: timeoutMs, ...options })
  let secure: Connector | null = null
  return (target, done) => {
    if (target.protocol !== 'https:') return plain(target, done)
    // At the first https request, because reading all authorities takes a moment.
    secure ??= build({ timeout: timeoutMs, ...options, secureContext: secureContext() })
    secure(target, done)
  }
}

/** Connections that all fail for this reason. */
export const failing =
  (error: Error): Connector =>
  (_, done) =>
    done(error, null)

/** How the sockets of an agent are opened. */
export function createConnectors(options: ConnectorOptions) {
  const { timeoutMs, secureContext, privateOnes } = options
  // A proxy may be in a private network, and what it reaches is checked before.
  const anywhere = byScheme(options, {})
  return {
    directly: privateOnes === null ? anywhere : byScheme(options, { lookup: publicLookup(privateOnes) }),

    /** Through a proxy: a tunnel for https, a connection to the proxy itself for http. */
    through(proxy: URL): Connector {
      const { protocol, host, hostname, port } = proxy
      const own = { protocol, host, hostname: bareHost(hostname), port: port || (protocol === 'https:' ? '443' : '80') }
      const overTunnel = async (...[target, done]: Parameters<Connector>): Promise<void> => {
        const name = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname
        try {
          const httpSocket = await openTunnel(proxy, `${name}:${target.port || 443}`, { timeoutMs, secureContext })
          anywhere({ ...target, httpSocket }, done)
        } catch (error) {
          failing(error instanceof Error ? error : new Error('The tunnel failed'))(target, done)
        }
      }
      return (target, done) => {
        if (target.protocol === 'https:') return void overTunnel(target, done)
        anywhere(own, (error, socket) =>
          error === null ? done(null, socket) : done(new ConnectionError(cause('proxy_unreached')), null),
        )
      }
    },
  }
}
