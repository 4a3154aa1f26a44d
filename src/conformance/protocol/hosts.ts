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
