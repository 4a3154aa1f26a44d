import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'

const inner = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inner.addSubnet(network, bits)
  // The same networks as IPv6 may spell them.
  inner.addSubnet(`::ffff:${network}`, 96 + bits, 'ipv6')
}
// This machine and the old spelling of IPv4 in IPv6, translated IPv4, and the three kinds of local networks.
inner.addSubnet('::', 96, 'ipv6')
inner.addSubnet('64:ff9b::', 96, 'ipv6')
inner.addSubnet('fc00::', 7, 'ipv6')
inner.addSubnet('fe80::', 10, 'ipv6')
inner.addSubnet('fec0::', 10, 'ipv6')

/** Whether an address belongs to this machine or a private network. */
export const isInner = (address: string): boolean => inner.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether a configured host plainly names this machine or a private address, and so means it. */
export function namesInnerHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || bare.endsWith('.localhost') || (isIP(bare) !== 0 && isInner(bare))
}

/**
 * A DNS look-up that refuses inner addresses at the moment of connecting: a name that pointed outside when it was
 * configured cannot be bent towards this machine's own services later (DNS rebinding).
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const open = error ? [] : addresses.filter(({ address }) => !isInner(address))
    const [first] = open
    if (error) callback(error, [])
    else if (!first) callback(Object.assign(new Error('private address'), { code: 'EPRIVATEADDRESS' }), [])
    else if (options.all) callback(null, open)
    else callback(null, first.address, first.family)
  })
}
