import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Determines client addresses from trusted proxies. */
export interface TrustedProxies {
  /**
   * The client address of a request according to trusted proxies; of IPv6 its /64 network, since one client has a whole
   * one. `peer` is the address of the socket.
   */
  clientAddress(peer: string, headers: IncomingHttpHeaders): string
}

/** Why the text is not an address or network such as `203.0.113.7`, `10.0.0.0/8`, `::1` or `fd00::/8`; null if it is. */
export function trustedProxyProblem(text: string): string | null {
  const { address, bits } = parsedNetwork(text)
  const version = isIP(address)
  if (version === 0) return `${text} is not an IP address or a network such as 10.0.0.0/8`
  const most = version === 4 ? 32 : 128
  if (bits !== null && (!/^\d{1,3}$/.test(bits) || Number(bits) > most))
    return `${text} must end with a prefix length from /0 to /${most}`
  return null
}

function parsedNetwork(text: string): { readonly address: string; readonly bits: string | null } {
  const slash = text.indexOf('/')
  return slash === -1 ? { address: text, bits: null } : { address: text.slice(0, slash), bits: text.slice(slash + 1) }
}

/** `trusted`: addresses and networks that pass `trustedProxyProblem`. */
export function createTrustedProxies(trusted: readonly string[]): TrustedProxies {
  const list = new BlockList()
  for (const text of trusted) {
    const { address, bits } = parsedNetwork(text)
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === null) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  function client(peer: string, headers: IncomingHttpHeaders): string {
    let nearest = plain(peer)
    if (trusted.length === 0 || !isTrusted(nearest)) return nearest
    // From right to left: each hop was added by the one after it, so the first untrusted hop is the client. Hops to its
    // left can be forged.
    for (const hop of hopsOf(headers).toReversed()) {
      const address = addressOf(hop)
      if (address === null) return nearest
      nearest = address
      if (!isTrusted(address)) return nearest
    }
    return nearest
  }

  return { clientAddress: (peer, headers) => networkOf(client(peer, headers)) }
}

/**
 * `X-Forwarded-For` takes precedence: proxies that set only `Forwarded` are rare, and others pass on the client's own
 * header.
 */
function hopsOf(headers: IncomingHttpHeaders): readonly string[] {
  const forwardedFor = headers['x-forwarded-for']
  if (forwardedFor !== undefined) return String(forwardedFor).split(',')
  const { forwarded } = headers
  if (forwarded === undefined) return []
  return forwarded.split(',').map((hop) => {
    const node = hop.split(';').find((pair) => /^\s*for\s*=/i.test(pair))
    return node?.slice(node.indexOf('=') + 1) ?? ''
  })
}

/** Parses `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `"[2001:db8::1]:80"`; null for anything else, such as `unknown`. */
function addressOf(hop: string): string | null {
  const text = hop.trim().replace(/^"(.*)"$/, '$1')
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? null : plain(address)
}

/** A dual-stack socket reports IPv4 addresses as IPv4-mapped IPv6 ones. */
function plain(address: string): string {
  if (isIP(address) !== 6) return address
  const [a, b, c, d, e, f, high = 0, low = 0] = groupsOf(address)
  const isMapped = [a, b, c, d, e].every((group) => group === 0) && f === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : address
}

/** An IPv4 address as it is; the /64 network of an IPv6 address. */
const networkOf = (address: string): string =>
  isIP(address) === 6
    ? `${groupsOf(address)
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`
    : address

/** The eight groups of an IPv6 address, in whatever form it is written. */
function groupsOf(address: string): readonly number[] {
  // Without its zone, which names an interface of this machine. A URL writes a dotted part as two groups.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}
