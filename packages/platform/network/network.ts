import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { SecureContext } from 'node:tls'
import { cause, reachOf } from '@galley/wire'
import type { Agent, Dispatcher } from 'undici'

import { trustedContext } from './authorities.ts'
import { ConnectionError } from './connection-error.ts'
import { createConnectors, failing } from './connectors.ts'
import { httpClient } from './http-client.ts'
import { isInner, namesInnerHost, privateAddressError } from './private-addresses.ts'
import type { ProxyOf } from './proxies.ts'
import { bareHost, environmentProxies } from './proxies.ts'
import { proxyAuthorization, proxyRefusal } from './tunnel.ts'

/** A name server inside a company may not answer at all for names outside; the proxy knows them. */
const limitMs = 5_000
const keptMs = 60_000

/** Whether this computer finds a private address for a name. One that it cannot resolve in time counts as public. */
function createPrivateNames() {
  const known = new Map<string, { readonly untilMs: number; readonly isPrivate: Promise<boolean> }>()
  return (name: string): Promise<boolean> => {
    const before = known.get(name)
    if (before && performance.now() < before.untilMs) return before.isPrivate
    const isPrivate = isFoundPrivate(name)
    known.set(name, { untilMs: performance.now() + keptMs, isPrivate })
    return isPrivate
  }
}

async function isFoundPrivate(name: string): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), limitMs)
  // The proxy chooses among the addresses, so each of them has to be public.
  const found = lookup(name, { all: true }).then(
    (addresses) => addresses.some(({ address }) => isInner(address)),
    () => false,
  )
  return Promise.race([found, late]).finally(() => clearTimeout(timer))
}

/** Options of connections. `connectMs`: how long opening one may take. */
export type ConnectionOptions = Omit<Agent.Options, 'connect' | 'connectTimeout'> & { readonly connectMs?: number }

/** An agent that is created, with the HTTP client, at its first use. */
export interface LazyAgent {
  get(): Promise<Agent>
  /** Aborts running requests. */
  destroy(): Promise<void>
}

/**
 * The one place that decides how HTTP requests leave this computer: directly or through a proxy, and which certificates they
 * trust. `proxyOf`: null if all of them go directly; as the environment says if it is not given.
 */
export function createNetwork(
  environment: Readonly<Record<string, string | undefined>>,
  proxyOf: ProxyOf | null = environmentProxies(environment),
) {
  let context: SecureContext | null = null
  const secureContext = (): SecureContext => (context ??= trustedContext(environment))
  const isPrivateName = createPrivateNames()

  /** The proxy for an origin; null: none. Rejects with what may not be asked of a proxy. */
  async function proxyFor(origin: URL, isPublicOnly: boolean): Promise<URL | null> {
    if (proxyOf === null || reachOf(origin.hostname) === 'machine') return null
    const proxy = await proxyOf(origin)
    if (proxy === null) return null
    const host = bareHost(origin.hostname)
    if (isIP(host) !== 0) {
      if (isInner(host)) throw new ConnectionError(cause('proxy_private'))
    } else if (isPublicOnly && (await isPrivateName(host))) throw privateAddressError()
    return proxy
  }

  async function createAgent(
    { connectMs = 10_000, ...options }: ConnectionOptions,
    privateOnes: readonly string[] | null,
  ) {
    const { Agent: Pools, buildConnector: build } = await httpClient()
    const connectors = createConnectors({ build, timeoutMs: connectMs, privateOnes, secureContext })
    const proxied = new Map<string, Agent>()

    function agentOf(proxy: URL): Agent {
      const known = proxied.get(proxy.href) ?? new Pools({ ...options, connect: connectors.through(proxy) })
      proxied.set(proxy.href, known)
      return known
    }

    /** Asks for each request, because the system's settings change with the network. */
    class RoutedAgent extends Pools {
      override dispatch(request: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
        if (proxyOf === null) return super.dispatch(request, handler)
        const directly = (): boolean => super.dispatch(request, handler)
        void unlessCancelled(request, proxyFor(new URL(String(request.origin)), privateOnes !== null)).then(
          (proxy) =>
            proxy === null
              ? directly()
              : agentOf(proxy).dispatch(forProxy(request, proxy), isPlain(request) ? withoutLogin(handler) : handler),
          // Like a connection that fails, so the request ends as for any other reason.
          (error: Error) => new Pools({ connect: failing(error) }).dispatch(request, handler),
        )
        return true
      }
    }
    const agent = new RoutedAgent({ ...options, connect: connectors.directly })
    return { agent, destroy: () => Promise.all([agent, ...proxied.values()].map((each) => each.destroy())) }
  }

  /**
   * Connections that may go anywhere, or that host names cannot redirect to this computer or a private network, but for the given
   * addresses there.
   */
  function connections(options: ConnectionOptions, reach: 'anywhere' | 'public' | readonly string[]): LazyAgent {
    const privateOnes = reach === 'anywhere' ? null : reach === 'public' ? [] : reach
    let created: ReturnType<typeof createAgent> | null = null
    return {
      get: () => (created ??= createAgent(options, privateOnes)).then(({ agent }) => agent),
      destroy: async () => void (await (await created)?.destroy()),
    }
  }

  return {
    connections,
    /** The proxy for requests to an origin that may be anywhere; null: none. Throws ConnectionError. */
    proxyFor: (origin: URL) => proxyFor(origin, false),
    /** Connections to the service of a site. */
    agents(options: ConnectionOptions) {
      const anywhere = connections(options, 'anywhere')
      const publicOnly = connections(options, 'public')
      return {
        /** The agent for requests to this host. Development sites and explicit private addresses may use the private network. */
        for({ environment: kind }: { readonly environment: 'dev' | 'prod' }, hostname: string): Promise<Agent> {
          return (kind === 'dev' || namesInnerHost(hostname) ? anywhere : publicOnly).get()
        },
        /** Aborts running requests. */
        destroy: (): Promise<void> => Promise.all([anywhere.destroy(), publicOnly.destroy()]).then(() => undefined),
      }
    },
  }
}

/** What is found for a request. Rejects when the request is cancelled before: a name may take seconds. */
function unlessCancelled<Found>({ signal }: Partial<Dispatcher.RequestOptions>, found: Promise<Found>): Promise<Found> {
  if (!(signal instanceof AbortSignal)) return found
  const { promise, reject } = Promise.withResolvers<never>()
  const cancel = (): void => reject(signal.reason)
  signal.addEventListener('abort', cancel)
  return Promise.race([found, promise]).finally(() => signal.removeEventListener('abort', cancel))
}

export type Network = ReturnType<typeof createNetwork>

const isPlain = ({ origin }: Agent.DispatchOptions): boolean => String(origin).startsWith('http:')

/** Plain http has no tunnel, because many proxies refuse one to its port: the proxy gets the whole URL. */
function forProxy(request: Agent.DispatchOptions, proxy: URL): Agent.DispatchOptions {
  const { origin, path, headers } = request
  if (!isPlain(request)) return request
  const authorization = proxyAuthorization(proxy)
  const own = authorization === null ? [] : ['proxy-authorization', authorization]
  return { ...request, path: `${new URL(String(origin)).origin}${path}`, headers: [...flat(headers), ...own] }
}

/** Headers as a list of names and values in turn. */
function flat(headers: Dispatcher.DispatchOptions['headers']): string[] {
  if (!headers) return []
  if (Array.isArray(headers)) return headers
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return entries.flatMap(([name, value]) => (value === undefined ? [] : [value].flat().flatMap((each) => [name, each])))
}

const loginAsked = 407

/** Ends a request that the proxy answers itself by asking for credentials. */
function withoutLogin(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return new Proxy(handler, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        const status = name === 'onHeaders' ? given[0] : name === 'onResponseStart' ? given[1] : null
        if (status === loginAsked) throw proxyRefusal(loginAsked)
        return Reflect.apply(value, target, given)
      }
    },
  })
}
