import { describe, expect, it } from 'vitest'

import { createTrustedProxies, trustedProxyProblem } from '../../../packages/library/http/client-address.ts'

const { clientAddress } = createTrustedProxies(['10.0.0.0/8', '192.0.2.1', '::1', 'fd00::/8'])

describe('the client address of a request', () => {
  it.each([
    ['a stranger says what he likes', '203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }, '203.0.113.9'],
    ['a proxy that says nothing', '10.1.2.3', {}, '10.1.2.3'],
    ['one hop', '10.1.2.3', { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
    ['what a client wrote before', '10.1.2.3', { 'x-forwarded-for': '127.0.0.1, 198.51.100.1' }, '198.51.100.1'],
    ['two proxies of ours', '10.1.2.3', { 'x-forwarded-for': '1.1.1.1, 198.51.100.1, 192.0.2.1' }, '198.51.100.1'],
    ['proxies of ours alone', '10.1.2.3', { 'x-forwarded-for': '10.9.9.9, 192.0.2.1' }, '10.9.9.9'],
    ['a hop that is no address', '10.1.2.3', { 'x-forwarded-for': '198.51.100.1, unknown' }, '10.1.2.3'],
    ['an empty hop behind one of ours', '10.1.2.3', { 'x-forwarded-for': ', 192.0.2.1' }, '192.0.2.1'],
    ['ports', '10.1.2.3', { 'x-forwarded-for': '198.51.100.1:4711' }, '198.51.100.1'],
    ['IPv6', '::1', { 'x-forwarded-for': '2001:db8::7' }, '2001:db8:0:0::/64'],
    ['IPv6 with a port', 'fd00::2', { 'x-forwarded-for': '[2001:db8::7]:4711' }, '2001:db8:0:0::/64'],
    ['IPv6 in full', '::1', { 'x-forwarded-for': '2001:0DB8:1:2:3:4:5:6' }, '2001:db8:1:2::/64'],
    ['IPv6 without a trusted proxy', 'fe80::1:2:3%eth0', {}, 'fe80:0:0:0::/64'],
    ['IPv4 within IPv6 in hexadecimal', '::ffff:a01:203', { 'x-forwarded-for': '::FFFF:c633:6401' }, '198.51.100.1'],
    ['IPv4 within IPv6', '::ffff:10.1.2.3', { 'x-forwarded-for': '::ffff:198.51.100.1' }, '198.51.100.1'],
    ['Forwarded', '10.1.2.3', { forwarded: 'for=1.1.1.1, for=198.51.100.1;proto=https;by=10.1.2.3' }, '198.51.100.1'],
    ['Forwarded, quoted', '10.1.2.3', { forwarded: 'proto=https; For="[2001:db8::7]:47"' }, '2001:db8:0:0::/64'],
    ['Forwarded that hides', '10.1.2.3', { forwarded: 'for=198.51.100.1, for=_hidden' }, '10.1.2.3'],
    [
      "both: Forwarded may be the client's own",
      '10.1.2.3',
      { forwarded: 'for=1.1.1.1', 'x-forwarded-for': '198.51.100.1' },
      '198.51.100.1',
    ],
    ['an address that is not that of the socket any more', '', { 'x-forwarded-for': '198.51.100.1' }, ''],
  ])('%s', (_, peer, headers, expected) => {
    expect(clientAddress(peer, headers)).toBe(expected)
  })

  it('is the same for a whole /64 of IPv6, which one customer has, and another for the next', () => {
    const of = (peer: string) => clientAddress(peer, {})
    expect(of('2001:db8:0:1::1')).toBe(of('2001:db8:0:1:ffff:ffff:ffff:ffff'))
    expect(of('2001:db8:0:1::1')).not.toBe(of('2001:db8:0:2::1'))
  })

  it('is that of the socket if no proxy is trusted', () => {
    expect(createTrustedProxies([]).clientAddress('::ffff:10.1.2.3', { 'x-forwarded-for': '1.1.1.1' })).toBe('10.1.2.3')
  })
})

describe('a trusted proxy', () => {
  it.each(['127.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', '2001:db8::1/128'])('%s is accepted', (text) => {
    expect(trustedProxyProblem(text)).toBe(null)
  })

  it.each([
    '',
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::1/129',
    '10.0.0',
    '1.1.1.1 ',
  ])('%j is none', (text) => {
    expect(trustedProxyProblem(text)).toEqual(expect.any(String))
  })
})
