import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'

import { aSave, send } from '../../support/test-galley.ts'
import { expectRefused, withStoredVersion } from '../save/refused.ts'

describe('requests that are no callbacks', () => {
  test('routes, methods, types, hosts and origins', async () => {
    const fixture = await withStoredVersion()
    const { body, headers } = aSave(fixture.service)
    const json = { 'content-type': 'application/json', ...headers }
    const at = (path: string) => `${fixture.listener}${path}`
    await expectRefused(fixture, await send(at('/callback/nobody'), 'POST', body, json), 404, 'not_found')
    await expectRefused(fixture, await send(at('/elsewhere'), 'GET', null), 404, 'not_found')
    const get = await send(at('/callback/acme'), 'GET', null)
    await expectRefused(fixture, get, 405, 'method_not_allowed')
    expect(get.headers['allow']).toBe('POST')
    const health = await send(at('/health'), 'POST', body, json)
    await expectRefused(fixture, health, 405, 'method_not_allowed')
    expect(health.headers['allow']).toBe('GET, HEAD')
    await expectRefused(fixture, await send(at('/callback/acme'), 'POST', body, headers), 415, 'unsupported_type')
    await expectRefused(
      fixture,
      await send(at('/callback/acme'), 'POST', body, { ...headers, 'content-type': 'text/plain' }),
      415,
      'unsupported_type',
    )
    await expectRefused(
      fixture,
      await send(at('/callback/acme'), 'POST', body, { ...json, 'content-encoding': 'gzip' }),
      415,
      'unsupported_type',
    )
    await expectRefused(
      fixture,
      await fixture.post(body, { ...headers, host: 'rebound.evil.test' }),
      403,
      'forbidden_host',
    )
    await expectRefused(
      fixture,
      await fixture.post(body, { ...headers, origin: 'https://evil.test' }),
      403,
      'forbidden_origin',
    )
    await expectRefused(
      fixture,
      await fixture.post(body, { ...headers, 'sec-fetch-mode': 'cors' }),
      403,
      'forbidden_origin',
    )
    expect((await send(at('/health'), 'GET', null)).text).toBe('{"ok":true}')
    const foreign = await send(at('/health'), 'GET', null, { host: 'rebound.evil.test' })
    expect(foreign.status).toBe(403)
    // Readable from another origin, like the answers that have a file.
    for (const { headers: shown } of [foreign, get, await send(at('/media/elsewhere'), 'GET', null)])
      expect(shown['access-control-allow-origin']).toBe('*')
    // GETs ignore Origin and Authorization.
    expect(
      (await send(at('/health'), 'GET', null, { origin: 'https://x.test', authorization: 'Basic x' })).status,
    ).toBe(200)
  })

  test('a body over 4 MiB, declared or counted: too_large', async () => {
    const fixture = await withStoredVersion()
    await expectRefused(fixture, await fixture.post(Buffer.alloc(4 * 1024 * 1024 + 1, ' ')), 413, 'too_large')
    const { hostname, port } = new URL(fixture.listener)
    const chunked = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname)
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(text))
      socket.write(
        'POST /callback/acme HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      )
      const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
      for (let sent = 0; sent < 80; sent += 1) socket.write(chunk)
    })
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
    expect(chunked).toContain('"code":"too_large"')
  })

  test('a client that reads only after it has sent everything can read the refusal of a large body', async () => {
    const fixture = await withStoredVersion()
    const { hostname, port } = new URL(fixture.listener)
    const size = 6 * 1024 * 1024
    const socket = connect(Number(port), hostname).pause()
    const head = 'POST /callback/acme HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    socket.write(`${head}Content-Length: ${size}\r\n\r\n`)
    await new Promise<void>((resolve, reject) => {
      socket.write(Buffer.alloc(size, ' '), (error) => (error ? reject(error) : resolve()))
    })
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*"code":"too_large"/s)
  })

  test('saves beyond the capacity are asked to wait: busy', async () => {
    const fixture = await withStoredVersion()
    const release: (() => void)[] = []
    fixture.service.onDownload((_request, response) => {
      release.push(() => response.writeHead(404).end())
      return true
    })
    const saves = Array.from({ length: 70 }, () => aSave(fixture.service))
    const answers = saves.map(({ body, headers }) => fixture.post(body, headers))
    const busy = await Promise.race(answers)
    expect([busy.status, busy.json.code, busy.headers['retry-after']]).toEqual([503, 'busy', '5'])
    fixture.service.onDownload((_request, response) => (response.writeHead(404).end(), true))
    for (const free of release) free()
    const codes = (await Promise.all(answers)).map(({ json }) => json.code)
    expect(codes.filter((code) => code === 'busy')).toHaveLength(5)
    expect(codes.filter((code) => code === 'download_failed')).toHaveLength(65)
  })
})
