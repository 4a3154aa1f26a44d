import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'

// The networks that the IANA registries of special-purpose addresses do not call globally reachable, and multicast.
const inner4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Shared by the customers of a carrier.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  // Protocol assignments, then documentation; two more networks of documentation below.
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // Relays between IPv4 and IPv6, given up in 2015.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  // Benchmarks.
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  inner4.addSubnet(network, bits)
  // The same networks as IPv6 may spell them.
  inner4.addSubnet(`::ffff:${network}`, 96 + bits, 'ipv6')
}

const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

// Only 2000::/3 is handed out to the public. What lies outside of it is this machine, a local network, multicast, or IPv4
// behind a translator (64:ff9b::/96, 64:ff9b:1::/48, ::/96), which leads wherever the IPv4 address leads.
const inner6 = new BlockList()
for (const [network, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  // Protocol assignments, with Teredo (2001::/32) and benchmarks (2001:2::/48).
  ['2001::', 23],
  // Documentation.
  ['2001:db8::', 32],
  ['3fff::', 20],
  // IPv4 inside IPv6 (6to4).
  ['2002::', 16],
] as const) {
  inner6.addSubnet(network, bits, 'ipv6')
}

/** Whether an address leads to this machine or a private network, or to nobody on the public internet. */
export function isInner(address: string): boolean {
  if (isIP(address) === 4) return inner4.check(address, 'ipv4')
  if (isIP(address) !== 6) return true
  return (mapped.check(address, 'ipv6') ? inner4 : inner6).check(address, 'ipv6')
}

/** Whether a configured host plainly names this machine or a private address, and so means it. */
export function namesInnerHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || bare.endsWith('.localhost') || (isIP(bare) !== 0 && isInner(bare))
}

/** The code of the error of a name that leads to inner addresses alone. */
export const privateAddressCode = 'EPRIVATEADDRESS'

/**
 * A DNS look-up that refuses inner addresses at the moment of connecting: a name that pointed outside when it was
 * configured cannot be bent towards this machine's own services later (DNS rebinding).
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const open = error ? [] : addresses.filter(({ address }) => !isInner(address))
    const [first] = open
    if (error) callback(error, [])
    else if (!first) callback(Object.assign(new Error('private address'), { code: privateAddressCode }), [])
    else if (options.all) callback(null, open)
    else callback(null, first.address, first.family)
  })
}
