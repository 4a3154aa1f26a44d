import { BlockList, isIP } from 'node:net'
import { cause } from '@galley/wire'

import { ConnectionError } from './connection-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy for requests to an origin, with its credentials as the user of the URL; null: none. Throws ConnectionError for a
 * proxy that Galley cannot use.
 */
export type ProxyOf = (origin: URL) => URL | null | Promise<URL | null>

const schemes = ['http', 'https'] as const

/** A variable as all programs read it: the lower-case name counts first, and an empty value is none. */
const read = (environment: Environment, name: string): string | undefined =>
  environment[name] || environment[name.toUpperCase()]

/** The proxies that the environment names (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`); null: it names none. */
export function environmentProxies(environment: Environment): ProxyOf | null {
  const given = new Map(schemes.map((scheme) => [`${scheme}:`, read(environment, `${scheme}_proxy`)]))
  if ([...given.values()].every((proxy) => proxy === undefined)) return null
  const isExcepted = exceptions(read(environment, 'no_proxy') ?? '')
  return (origin) => {
    const proxy = given.get(origin.protocol)
    return proxy === undefined || isExcepted(origin) ? null : proxyAt(proxy)
  }
}

/** The user names and passwords of these proxies, which no log may contain. */
export const proxySecrets = (environment: Environment): readonly string[] =>
  schemes.flatMap((scheme) => {
    const url = usableProxy(read(environment, `${scheme}_proxy`) ?? '')
    return url === null ? [] : [url.password, url.username].filter((part) => part.length > 0)
  })

/** Reads the answer of Chromium for one origin, such as `PROXY proxy.example:3128; DIRECT`. Only the first entry counts. */
export function systemProxy(answer: string): URL | null {
  const [kind = '', host = ''] = (answer.split(';', 1)[0] ?? '').trim().split(/\s+/)
  if (kind === '' || kind === 'DIRECT') return null
  const scheme = { PROXY: 'http', HTTPS: 'https' }[kind]
  return proxyAt(`${scheme ?? 'unsupported'}://${host}`)
}

function proxyAt(text: string): URL {
  const url = usableProxy(text)
  if (url === null) throw new ConnectionError(cause('proxy_unusable'))
  return url
}

/** Without a scheme, it is an HTTP proxy. */
function usableProxy(text: string): URL | null {
  const address = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null
}

type Exception = (host: string, port: string) => boolean

/**
 * Reads `NO_PROXY`: names with all their subdomains (a dot or `*.` before them changes nothing), addresses, networks such as
 * `10.0.0.0/8`, each with or without a port, or `*`.
 */
function exceptions(list: string): (origin: URL) => boolean {
  const all = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(exceptionOf)
  return ({ protocol, hostname, port }) => {
    const host = bareHost(hostname)
    return all.some((isExcepted) => isExcepted(host, port === '' ? (protocol === 'https:' ? '443' : '80') : port))
  }
}

/** A host name or an address, as in `URL.hostname`, without brackets and a dot at its end. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '')

function exceptionOf(text: string): Exception {
  if (text === '*') return () => true
  // An IPv6 address without brackets has no port.
  const [, name = '', wanted] = isIP(text) === 6 ? [text, text] : (/^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(text) ?? [])
  const isHost = hostMatcher(name.replace(/^\*?\./, ''))
  return (host, port) => (wanted === undefined || wanted === port) && isHost(host)
}

function hostMatcher(name: string): (host: string) => boolean {
  const [network = '', bits] = name.split('/')
  const family = isIP(network)
  if (family === 0) return (host) => name !== '' && (host === name || host.endsWith(`.${name}`))
  const longest = family === 6 ? 128 : 32
  const length = bits === undefined ? longest : Number(bits)
  const list = new BlockList()
  if (Number.isInteger(length) && length <= longest) list.addSubnet(network, length, family === 6 ? 'ipv6' : 'ipv4')
  return (host) => isIP(host) !== 0 && list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
}
