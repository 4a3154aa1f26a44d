import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

const internal = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  internal.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  internal.addSubnet(network, bits, 'ipv6')

/** Host names that resolve only on a machine or its own network (RFC 6761, RFC 6762, and names reserved by ICANN). */
const internalName = /^(?:[^.]*|.*\.(?:localhost|local|internal|lan|home\.arpa))$/

/** Whether a URL's host cannot be public: a loopback or private address, or a reserved name. */
export function isInternalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const family = isIP(host)
  if (family === 0) return internalName.test(host.toLowerCase())
  return internal.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

/** Whether a URL's host is this machine. `hostname` is as the URL parser writes it. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

/** The addresses of a host name; empty if the name does not resolve. */
type Resolve = (hostname: string) => Promise<readonly string[]>

/** What a connection would use: the hosts file counts as well. */
const systemResolve: Resolve = (hostname) =>
  lookup(hostname, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )

/**
 * Judges hosts by name and by address, because a public name may resolve to a private network. A name with one public
 * address counts as public. So does one that cannot be resolved: fetching from it reports that.
 */
export function createHostJudge(resolve: Resolve = systemResolve) {
  const known = new Map<string, Promise<boolean>>()
  const look = async (hostname: string): Promise<boolean> => {
    const addresses = await resolve(hostname)
    return addresses.length > 0 && addresses.every(isInternalHost)
  }
  const isInternal = (hostname: string): Promise<boolean> => {
    if (isInternalHost(hostname)) return Promise.resolve(true)
    if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return Promise.resolve(false)
    const judged = known.get(hostname) ?? look(hostname)
    known.set(hostname, judged)
    return judged
  }
  return {
    isInternal,
    /** The hosts of all http URLs in a text of JSON that are not public. */
    async internalIn(text: string): Promise<ReadonlySet<string>> {
      const origins = text.replaceAll('\\/', '/').match(/https?:\/\/[^/\s"'()\\?#]+/gi) ?? []
      const hosts = new Set(origins.filter((origin) => URL.canParse(origin)).map((origin) => new URL(origin).hostname))
      const judged = await Promise.all([...hosts].map(async (host) => ({ host, isInner: await isInternal(host) })))
      return new Set(judged.filter(({ isInner }) => isInner).map(({ host }) => host))
    },
  }
}
