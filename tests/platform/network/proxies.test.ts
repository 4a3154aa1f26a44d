import { describe, expect, it } from 'vitest'

import { environmentProxies, proxySecrets, systemProxy } from '../../../packages/platform/network/proxies.ts'

/** The proxy for a URL as the environment says; null: none. */
const proxyFor = async (environment: Readonly<Record<string, string>>, url: string): Promise<string | null> => {
  const proxy = await environmentProxies(environment)?.(new URL(url))
  return proxy?.href ?? null
}

describe('the proxy of the environment', () => {
  it.each([
    [{ HTTP_PROXY: 'http://a.test:1' }, 'http://a.test:1/', null],
    [{ HTTPS_PROXY: 'http://b.test:2' }, null, 'http://b.test:2/'],
    [{ http_proxy: 'http://low.test', HTTP_PROXY: 'http://up.test' }, 'http://low.test/', null],
    [{ http_proxy: '', HTTP_PROXY: 'up.test:3128' }, 'http://up.test:3128/', null],
    [{ https_proxy: 'https://user:pass@b.test' }, null, 'https://user:pass@b.test/'],
    [{ ALL_PROXY: 'http://a.test:1' }, null, null],
    [{}, null, null],
  ])('%j', async (environment, plain, secure) => {
    expect([
      await proxyFor(environment, 'http://service.test/x'),
      await proxyFor(environment, 'https://service.test/x'),
    ]).toEqual([plain, secure])
  })

  it.each([
    ['service.test', 'https://service.test/', true],
    ['service.test', 'https://deep.SERVICE.test./', true],
    ['service.test', 'https://otherservice.test/', false],
    ['.service.test', 'https://api.service.test/', true],
    ['*.service.test', 'https://service.test/', true],
    ['SERVICE.test', 'https://service.test/', true],
    ['a.test, service.test', 'https://service.test/', true],
    ['a.test service.test', 'https://service.test/', true],
    ['service.test:443', 'https://service.test/', true],
    ['service.test:8443', 'https://service.test/', false],
    ['service.test:8443', 'https://service.test:8443/', true],
    ['*', 'https://service.test/', true],
    ['10.1.2.3', 'https://10.1.2.3/', true],
    ['10.0.0.0/8', 'https://10.200.2.3:9000/', true],
    ['10.0.0.0/8', 'https://11.0.0.1/', false],
    ['10.0.0.0/8', 'https://10.test/', false],
    ['fd00::5', 'https://[fd00:0::5]/', true],
    ['[fd00::5]:8443', 'https://[fd00::5]:8443/', true],
    ['[fd00::5]:8443', 'https://[fd00::5]/', false],
    ['fd00::/8', 'https://[fdab::1]/', true],
    ['fd00::/200', 'https://[fdab::1]/', false],
    [',, ', 'https://service.test/', false],
  ])('NO_PROXY %j for %s: %s', async (exceptions, url, isExcepted) => {
    const proxy = await proxyFor({ HTTPS_PROXY: 'http://proxy.test', NO_PROXY: exceptions }, url)
    expect(proxy === null).toBe(isExcepted)
  })

  it('has secrets', () => {
    const environment = { HTTP_PROXY: 'http://ann:one@a.test', https_proxy: 'bob:two%20@b.test' }
    expect(proxySecrets(environment)).toEqual(['one', 'ann', 'two%20', 'bob'])
  })
})

it.each([
  ['DIRECT', null],
  ['', null],
  ['PROXY proxy.test:3128', 'http://proxy.test:3128/'],
  ['PROXY a.test:1; PROXY b.test:2; DIRECT', 'http://a.test:1/'],
  ['HTTPS proxy.test:443', 'https://proxy.test/'],
])('of the system’s answer %j the first entry counts', (answer, proxy) => {
  expect(systemProxy(answer)?.href ?? null).toBe(proxy)
})

it.each(['SOCKS5 proxy.test:1080', 'SOCKS proxy.test:1080; DIRECT', 'QUIC proxy.test:443'])(
  '%s cannot be used',
  (answer) => {
    expect(() => systemProxy(answer)).toThrow('the only kind that Galley can use')
  },
)
