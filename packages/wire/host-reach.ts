/** From where a host can be reached: its own machine, its network, or everywhere. */
export type HostReach = 'machine' | 'network' | 'public'

/** Domain endings for use inside a network (RFC 6762, RFC 8375, ICANN's `internal`), and two that routers assign. */
const innerName = /\.(?:local|internal|home\.arpa|lan|localdomain)$/

/** Reads a host in the form of `URL.hostname`: lower case, IPv4 with four numbers, IPv6 in brackets and shortened. */
export function reachOf(hostname: string): HostReach {
  const host = hostname.replace(/\.$/, '')
  if (host.startsWith('[')) return reachOf6(host.slice(1, -1))
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return reachOf4(host.split('.').map(Number))
  if (host === 'localhost' || host.endsWith('.localhost')) return 'machine'
  // A name without a dot is known in one network only.
  return innerName.test(host) || !host.includes('.') ? 'network' : 'public'
}

function reachOf4([a = 0, b = 0]: readonly number[]): HostReach {
  if (a === 127 || a === 0) return 'machine'
  const isInner =
    a === 10 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    // Shared by the customers of a carrier.
    (a === 100 && b >= 64 && b < 128)
  return isInner ? 'network' : 'public'
}

function reachOf6(address: string): HostReach {
  if (address === '::1' || address === '::') return 'machine'
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? []
  if (high !== undefined && low !== undefined) {
    const numbers = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
    return reachOf4(numbers.flatMap((number) => [number >> 8, number & 0xff]))
  }
  // Unique local addresses (fc00::/7) and those of one link (fe80::/10).
  return /^(?:f[cd]|fe[89ab])[0-9a-f]*:/.test(address) ? 'network' : 'public'
}

const reaches: readonly HostReach[] = ['machine', 'network', 'public']

/** Whether a host is reachable for readers who can reach the site itself. */
export const isReached = (host: HostReach, readers: HostReach): boolean =>
  reaches.indexOf(host) >= reaches.indexOf(readers)
