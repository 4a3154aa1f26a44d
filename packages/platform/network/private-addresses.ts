import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'

// The networks that the IANA special-purpose registries do not list as globally reachable, and multicast.
const inner4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  // Protocol assignments, then documentation; two more documentation networks below.
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // IPv4-IPv6 relays, deprecated in 2015.
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
  // The same networks as IPv4-mapped IPv6 addresses.
  inner4.addSubnet(`::ffff:${network}`, 96 + bits, 'ipv6')
}

const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

// Only 2000::/3 is assigned to the public. All other addresses are this computer, local networks, multicast, or IPv4 through
// a translator (64:ff9b::/96, 64:ff9b:1::/48, ::/96), which can reach private IPv4 addresses.
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

/** Whether an address belongs to this computer, to a private network, or to no host on the public internet. */
export function isInner(address: string): boolean {
  if (isIP(address) === 4) return inner4.check(address, 'ipv4')
  if (isIP(address) !== 6) return true
  return (mapped.check(address, 'ipv6') ? inner4 : inner6).check(address, 'ipv6')
}

/** Whether a configured host explicitly names this computer or a private address. */
export function namesInnerHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || bare.endsWith('.localhost') || (isIP(bare) !== 0 && isInner(bare))
}

/** The error code for a name that resolves only to private addresses. */
export const privateAddressCode = 'EPRIVATEADDRESS'

/** `address`: the one that was refused, if only one name was looked up. */
export const privateAddressError = (address?: string): Error & { readonly address?: string | undefined } =>
  Object.assign(new Error('private address'), { code: privateAddressCode, address })

/**
 * A DNS lookup that refuses private addresses when connecting: a name that was public when it was configured cannot be
 * redirected to local services later (DNS rebinding). `allowed`: private addresses that it may lead to.
 */
export const publicLookup =
  (allowed: readonly string[]): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const open = error ? [] : addresses.filter(({ address }) => !isInner(address) || allowed.includes(address))
      const [first] = open
      if (error) callback(error, [])
      else if (!first) callback(privateAddressError(addresses[0]?.address), [])
      else if (options.all) callback(null, open)
      else callback(null, first.address, first.family)
    })
  }
