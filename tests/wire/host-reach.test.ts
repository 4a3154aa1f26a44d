import { expect, test } from 'vitest'

import { isReached, reachOf } from '../../packages/wire/host-reach.ts'

test.for([
  ['machine', ['localhost', 'a.localhost', 'localhost.', '127.0.0.1', '127.255.0.9', '0.0.0.0', '[::1]', '[::]']],
  [
    'network',
    ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.127.255.255'],
  ],
  ['network', ['printer', 'nas.local', 'wiki.corp.internal', 'x.home.arpa', 'router.lan', 'nas.local.']],
  ['network', ['[fc00::1]', '[fdab::1]', '[fe80::1]', '[febf::1]', '[::ffff:a00:1]']],
  ['public', ['9.255.255.255', '11.0.0.1', '172.15.0.1', '172.32.0.1', '192.167.1.1', '169.253.1.1', '1.1.1.1']],
  ['public', ['100.63.255.255', '100.128.0.1', '101.64.0.1', '171.16.0.1', '193.168.0.1', '168.254.0.1']],
  ['public', ['example.com', 'local.example.com', '[2001:db8::1]', '[fec0::1]', '[::ffff:808:808]']],
] as const)('the reach of a host is its %s', ([reach, hosts]) => {
  const expected = hosts.map((host) => [host, reach])
  expect(hosts.map((host) => [host, reachOf(host)])).toEqual(expected)
})

test('readers reach hosts that are as public as they are, or more', () => {
  expect(isReached('public', 'network')).toBe(true)
  expect(isReached('network', 'network')).toBe(true)
  expect(isReached('machine', 'network')).toBe(false)
})
