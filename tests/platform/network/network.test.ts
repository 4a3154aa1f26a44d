import dns from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { hostCause } from '../../../packages/platform/network/host-cause.ts'
import { httpClient } from '../../../packages/platform/network/http-client.ts'
import { createNetwork } from '../../../packages/platform/network/network.ts'
import { createAuthority } from '../../support/certificates.ts'
import { startProxy } from '../../support/proxy.ts'

// How requests leave this computer, with a real proxy and real certificates.

type Environment = Readonly<Record<string, string>>

const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, url, headers } = request
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }))
  })
}

async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function aProxy(options: Parameters<typeof startProxy>[0]) {
  const proxy = await startProxy(options)
  onTestFinished(proxy.close)
  return proxy
}

/** The answer to a request that leaves as this environment says, or the code of why there is none. */
async function ask(environment: Environment, url: string, reach: 'public' | 'anywhere' = 'public', body?: string) {
  const connections = createNetwork(environment).connections({ connectMs: 5_000 }, reach)
  onTestFinished(connections.destroy)
  const { request } = await httpClient()
  try {
    const method = body === undefined ? 'GET' : 'POST'
    const headers = { 'x-own': 'kept' }
    const answer = await request(url, { dispatcher: await connections.get(), method, headers, body: body ?? null })
    return { status: answer.statusCode, text: await answer.body.text() }
  } catch (error) {
    return { why: hostCause(error), message: String(error) }
  }
}

const [authority, stranger] = [createAuthority(), createAuthority()]
afterAll(authority.remove)
afterAll(stranger.remove)

describe('through a proxy', () => {
  it('plain http asks for the whole URL, with method, headers and body as they were', async () => {
    const proxy = await aProxy({ hosts: { 'service.example.test': await portOf(createServer(echo)) } })
    const { text = '' } = await ask(
      { http_proxy: proxy.url },
      'http://service.example.test/a/../b%2F?c=1',
      'public',
      'text',
    )
    expect(proxy.seen).toEqual(['POST http://service.example.test/b%2F?c=1'])
    const { headers, ...seen } = JSON.parse(text) as { readonly headers: Environment }
    expect(seen).toEqual({ method: 'POST', url: '/b%2F?c=1', body: 'text' })
    expect(headers).toMatchObject({ host: 'service.example.test', 'x-own': 'kept' })
    expect(headers).not.toHaveProperty('proxy-authorization')
  })

  it('https is a tunnel, in which the certificate of the host counts', async () => {
    const known = createSecureServer(authority.issue('service.example.test'), echo)
    const proxy = await aProxy({ hosts: { 'service.example.test': await portOf(known) } })
    const environment = { HTTPS_PROXY: proxy.url }
    expect(await ask(environment, 'https://service.example.test/x')).toMatchObject({
      why: { code: 'host_certificate', why: { code: 'certificate_issuer' } },
    })
    const trusting = { ...environment, NODE_EXTRA_CA_CERTS: authority.file }
    expect(await ask(trusting, 'https://service.example.test/x')).toMatchObject({ status: 200 })
    expect(proxy.seen).toEqual(['CONNECT service.example.test:443', 'CONNECT service.example.test:443'])
  })

  it('its own credentials are sent to it, and it is named where they lack or are wrong', async () => {
    const secure = createSecureServer(authority.issue('service.example.test'), echo)
    const hosts = {
      'service.example.test': await portOf(secure),
      'plain.example.test': await portOf(createServer(echo)),
    }
    const proxy = await aProxy({ hosts, login: 'ann:p@ss%:word' })
    const NODE_EXTRA_CA_CERTS = authority.file
    const right = proxy.urlFor('ann', 'p%40ss%25%3Aword')
    for (const url of ['https://service.example.test/', 'http://plain.example.test/']) {
      expect(await ask({ http_proxy: right, https_proxy: right, NODE_EXTRA_CA_CERTS }, url)).toMatchObject({
        status: 200,
      })
      for (const wrong of [proxy.url, proxy.urlFor('ann', 'hunter2')]) {
        const refused = await ask({ http_proxy: wrong, https_proxy: wrong, NODE_EXTRA_CA_CERTS }, url)
        expect(refused).toMatchObject({ why: { code: 'proxy_credentials' } })
        expect(JSON.stringify(refused)).not.toMatch(/hunter2|127\.0\.0\.1/)
      }
    }
  })

  it('a 407 inside of a tunnel comes from the host', async () => {
    const secure = createSecureServer(authority.issue('service.example.test'), (_, answer) => {
      answer.writeHead(407).end()
    })
    const proxy = await aProxy({ hosts: { 'service.example.test': await portOf(secure) } })
    const environment = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority.file }
    expect(await ask(environment, 'https://service.example.test/')).toMatchObject({ status: 407 })
  })

  it.each([
    ['refuses the tunnel', { refuses: 403 }, { code: 'proxy_refused', name: 403 }],
    ['does not know the host', {}, { code: 'proxy_refused', name: 502 }],
  ])('that %s is named', async (_, options, why) => {
    const proxy = await aProxy(options)
    expect(await ask({ HTTPS_PROXY: proxy.url }, 'https://service.example.test/')).toMatchObject({ why })
  })

  it.each(['https://service.example.test/', 'http://service.example.test/'])(
    'that is away is named (%s)',
    async (url) => {
      const gone = 'http://ann:hunter2@127.0.0.1:1'
      const asked = await ask({ HTTPS_PROXY: gone, HTTP_PROXY: gone }, url)
      expect(asked).toMatchObject({ why: { code: 'proxy_unreached' } })
      expect(JSON.stringify(asked)).not.toContain('hunter2')
    },
  )

  it.each(['socks5://127.0.0.1:1080', 'http://', 'not a url at all'])(
    'that Galley cannot use is named: %s',
    async (given) => {
      expect(await ask({ HTTP_PROXY: given }, 'http://service.example.test/')).toMatchObject({
        why: { code: 'proxy_unusable' },
      })
    },
  )

  it.each(['http://10.1.2.3/', 'http://192.168.0.1:8080/', 'http://[fd00::1]/', 'http://169.254.169.254/'])(
    'no private address is asked for, whoever may reach it: %s',
    async (url) => {
      const proxy = await aProxy({})
      expect(await ask({ HTTP_PROXY: proxy.url }, url, 'public')).toMatchObject({ why: { code: 'proxy_private' } })
      expect(await ask({ HTTP_PROXY: proxy.url }, url, 'anywhere')).toMatchObject({ why: { code: 'proxy_private' } })
      expect(proxy.seen).toEqual([])
    },
  )

  it('a name that this computer resolves to a private address is refused for public hosts alone', async () => {
    // The name of this computer in its own hosts file.
    const { hostname } = await import('node:os')
    const name = hostname()
    const proxy = await aProxy({ hosts: { [name.toLowerCase()]: await portOf(createServer(echo)) } })
    const environment = { HTTP_PROXY: proxy.url }
    expect(await ask(environment, `http://${name}/`)).toMatchObject({ why: { code: 'host_private' } })
    expect(proxy.seen).toEqual([])
    expect(await ask(environment, `http://${name}/`, 'anywhere')).toMatchObject({ status: 200 })
  })

  it.each(['localhost', '127.0.0.1', '127.8.9.1', '[::1]', 'app.localhost'])(
    'this computer is not reached: %s',
    async (host) => {
      const port = await portOf(createServer(echo))
      const proxy = await aProxy({})
      await ask({ HTTP_PROXY: proxy.url }, `http://${host}:${port}/`, 'anywhere')
      expect(proxy.seen).toEqual([])
    },
  )

  it('a request ends at once when it is cancelled while the name of its host is looked up', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    vi.spyOn(dns, 'lookup').mockImplementation(() => {
      ask()
      return new Promise(() => undefined)
    })
    syncBuiltinESMExports()
    // The time that a look-up may take never ends.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
    const proxy = await aProxy({})
    const connections = createNetwork({ HTTP_PROXY: proxy.url }).connections({}, 'public')
    onTestFinished(connections.destroy)
    const { request } = await httpClient()
    const stop = new AbortController()
    const asking = request('http://slow.example.test/', { dispatcher: await connections.get(), signal: stop.signal })
    await asked
    stop.abort(new Error('No longer wanted'))
    await expect(asking).rejects.toThrow('No longer wanted')
    expect(proxy.seen).toEqual([])
  })

  it('the proxy of this moment counts, since the system’s settings change with the network', async () => {
    const hosts = { 'service.example.test': await portOf(createServer(echo)) }
    const [home, work] = [await aProxy({ hosts }), await aProxy({ hosts })]
    let now = home
    const connections = createNetwork({}, () => new URL(now.url)).connections({}, 'public')
    onTestFinished(connections.destroy)
    const { request } = await httpClient()
    for (const proxy of [home, work]) {
      now = proxy
      const answer = await request('http://service.example.test/', { dispatcher: await connections.get() })
      await answer.body.dump()
      expect(proxy.seen).toHaveLength(1)
    }
  })
})

describe('a certificate', () => {
  it.each([
    [
      'of an unknown issuer',
      () => ({ issued: authority.issue('127.0.0.1'), file: stranger.file }),
      'certificate_issuer',
    ],
    [
      'that has expired',
      () => ({ issued: authority.issue('127.0.0.1', -1), file: authority.file }),
      'certificate_expired',
    ],
    ['of another host', () => ({ issued: authority.issue('other.test'), file: authority.file }), 'certificate_host'],
  ])('%s is named as such', async (_, made, code) => {
    const { issued, file } = made()
    const port = await portOf(createSecureServer(issued, echo))
    expect(await ask({ NODE_EXTRA_CA_CERTS: file }, `https://127.0.0.1:${port}/`)).toMatchObject({
      why: { code: 'host_certificate', why: { code } },
    })
  })

  it.each(['GALLEY_CA_CERTS', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])(
    'of an authority in %s is trusted',
    async (name) => {
      const port = await portOf(createSecureServer(authority.issue('127.0.0.1'), echo))
      expect(await ask({ [name]: authority.file }, `https://127.0.0.1:${port}/`)).toMatchObject({ status: 200 })
    },
  )

  it.each(['GALLEY_CA_CERTS', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])(
    'cannot be judged where the file in %s cannot be read, or has none',
    async (name) => {
      const port = await portOf(createSecureServer(authority.issue('127.0.0.1'), echo))
      const proxy = await aProxy({ hosts: { 'service.example.test': port } })
      for (const file of ['/nowhere.pem', import.meta.filename]) {
        const why = { code: 'authorities_unreadable', name }
        const asked = await ask({ [name]: file }, `https://127.0.0.1:${port}/`)
        expect(asked).toMatchObject({ why })
        expect(JSON.stringify(asked)).not.toContain(file)
        expect(await ask({ [name]: file, HTTPS_PROXY: proxy.url }, 'https://service.example.test/')).toMatchObject({
          why,
        })
      }
    },
  )

  it('is not the fault where a server does not speak TLS', async () => {
    const port = await portOf(createServer(echo))
    expect(await ask({}, `https://127.0.0.1:${port}/`)).toMatchObject({ why: { code: 'host_unreadable' } })
  })
})
