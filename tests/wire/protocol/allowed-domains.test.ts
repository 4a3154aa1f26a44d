import { describe, expect, it } from 'vitest'

import { isAllowedHost } from '../../../packages/wire/protocol/allowed-domains.ts'

describe('allowed domains', () => {
  it('allow everything when there are none', () => {
    for (const host of ['example.test', '127.0.0.1', '[::1]', '']) expect(isAllowedHost(host, [])).toBe(true)
  })

  it.each([
    ['example.test', ['example.test'], true],
    ['EXAMPLE.test', ['example.TEST'], true],
    ['cdn.example.test', ['example.test'], true],
    ['a.b.example.test', ['*.example.test'], true],
    ['example.test', ['*.example.test'], true],
    ['example.test', ['.example.test'], true],
    ['other.test', ['example.test', 'other.test'], true],
    ['localhost', ['localhost'], true],
    ['127.0.0.1', ['127.0.0.1'], true],
    ['[::1]', ['[::1]'], true],
    ['xn--bcher-kva.test', ['xn--bcher-kva.test'], true],
    ['xn--bcher-kva.test', ['bücher.test'], true],
    ['cdn.xn--bcher-kva.test', ['*.BÜCHER.test'], true],
    ['xn--e1afmkfd.xn--p1ai', ['пример.рф'], true],
    ['bucher.test', ['bücher.test'], false],
    ['evil.test', ['bü@evil.test'], false],
    ['evil.test', ['evil.test/bü'], false],
    ['notexample.test', ['example.test'], false],
    ['example.test.evil.test', ['example.test'], false],
    ['example.tes', ['example.test'], false],
    ['test', ['example.test'], false],
    ['example.test.', ['example.test'], false],
    ['cdn-example.test', ['example.test'], false],
    ['example.test', ['cdn.example.test'], false],
    ['exampleXtest', ['example.test'], false],
    ['1127.0.0.1', ['127.0.0.1'], false],
    ['', ['example.test'], false],
  ] as const)('%s with %j: %s', (host, domains, expected) => expect(isAllowedHost(host, domains)).toBe(expected))
})
