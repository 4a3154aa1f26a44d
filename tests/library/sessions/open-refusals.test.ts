import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'

import { cause } from '../../../packages/wire/cause.ts'
import type { OpenFailure } from '../../../packages/wire/protocol/session.ts'
import { signatureOf } from '../../support/service.ts'
import { setUp } from './fixture.ts'

describe('refusals', () => {
  const told: readonly (readonly [number, string, OpenFailure['code']])[] = [
    [403, '{"message":"Callback host is not allowed for this site"}', 'host_not_allowed'],
    [400, '{"error":"domain example.test not allowed"}', 'host_not_allowed'],
    [401, '{"message":"Invalid API key"}', 'wrong_key'],
    [403, '{"detail":"api_key unknown"}', 'wrong_key'],
    [400, '{"rm":"Bad signature"}', 'wrong_key'],
    [401, 'Unauthorized', 'unexplained_refusal'],
    [400, '{"message":"material_id too long"}', 'service_refused'],
    [500, '<h1>Internal error</h1>', 'service_failed'],
    [502, '{"message":"No editor is free"}', 'service_refused'],
    [503, '', 'service_failed'],
    [201, '{"message":"Quota used up"}', 'service_refused'],
    [204, '', 'invalid_service_answer'],
    [302, '', 'unexplained_refusal'],
    [404, '<html>', 'unexplained_refusal'],
    [200, '{"message":"Quota used up"}', 'service_refused'],
    [200, '{"session_id":"s"}', 'invalid_service_answer'],
    [200, '{"url":5}', 'invalid_service_answer'],
    [200, '{"url":"not a url"}', 'invalid_service_answer'],
    [200, '{"url":""}', 'invalid_service_answer'],
    [200, '{"url":"javascript:alert(1)"}', 'invalid_service_answer'],
    [200, '[]', 'invalid_service_answer'],
    [200, 'null', 'invalid_service_answer'],
    [200, '', 'invalid_service_answer'],
    [200, '<html>', 'invalid_service_answer'],
    [200, `{"url":"https://e.test/${'x'.repeat(1024 * 1024)}"}`, 'invalid_service_answer'],
  ]
  for (const [status, body, kind] of told) {
    it(`${status} ${body.slice(0, 50)} is ${kind}`, async () => {
      const { refusal } = await setUp({ listen: false })
      const failure = await refusal(status, body)
      expect(failure.code).toBe(kind)
      if ('status' in failure) expect(failure.status).toBe(status)
    })
  }

  it('show the message of the service on one line, truncated, and without secrets', async () => {
    const { refusal, service, listener, open, metadataSent } = await setUp({
      listen: false,
      site: { callbackAuth: 'basic' },
    })
    await open()
    const password = String(metadataSent()['webhook_auth_password'])
    const signature = signatureOf(service.secret, 'post-1', `${listener}/callback/acme`)
    const secrets = [service.secret, service.apiKey, password, signature]
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJpZGEifQ.c2ln'
    const text = `first\nsecond\u202e ${secrets.join(' and ')} ${token} ${'long '.repeat(200)}`
    const failure = await refusal(400, JSON.stringify({ message: text }))
    const shown = 'text' in failure ? failure.text : ''
    expect(shown).toMatch(/^first second /)
    expect(shown).toContain('[redacted] and [redacted] and [redacted] and [redacted] [redacted] long')
    for (const secret of [...secrets, token]) expect(shown).not.toContain(secret)
    expect(shown.length).toBeLessThanOrEqual(301)
  })

  it('include redirects: nothing is sent to another URL', async () => {
    let reached = 0
    const other = createServer((_request, response) => {
      reached += 1
      response.end()
    }).listen(0, '127.0.0.1')
    const redirect = createServer((request, response) => {
      request.resume()
      response.writeHead(307, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` }).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void [other.close(), redirect.close()])
    const { open, changeSite, service } = await setUp({ listen: false })
    changeSite({ baseUrl: `http://127.0.0.1:${(redirect.address() as AddressInfo).port}` })
    expect(await open()).toMatchObject({ ok: false, failure: { code: 'unexplained_refusal', status: 307 } })
    expect([reached, service.opens.length]).toEqual([0, 0])
  })

  it('name a service that does not respond in time, is unreachable, disconnects, or does not send HTTP', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    const dripping = createServer((_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    }).listen(0, '127.0.0.1')
    const rude = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1')
    const garbled = createServer((request) => request.socket.end('SSH-2.0-OpenSSH\r\n\r\n')).listen(0, '127.0.0.1')
    onTestFinished(() => {
      for (const server of [silent, dripping, rude, garbled]) {
        server.closeAllConnections()
        server.close()
      }
    })
    const { open, changeSite } = await setUp({ listen: false, site: { requestTimeoutMs: 1000 } })
    const at = async (baseUrl: string) => {
      changeSite({ baseUrl })
      const opened = await open()
      return opened.ok ? null : opened.failure
    }
    const on = (server: typeof silent) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await at(on(silent))).toEqual({ code: 'service_timeout', seconds: 1 })
    expect(await at(on(dripping))).toEqual({ code: 'service_timeout', seconds: 1 })
    expect(await at(on(rude))).toEqual({ code: 'service_unreachable', reason: cause('connection_cut'), state: 'cut' })
    expect(await at(on(garbled))).toEqual({
      code: 'service_unreachable',
      reason: cause('host_unreadable'),
      state: 'unreadable',
    })
    expect(await at('http://127.0.0.1:1')).toEqual({
      code: 'service_unreachable',
      reason: cause('host_refuses'),
    })
    expect(await at('http://no-such-host.invalid')).toMatchObject({
      code: 'service_unreachable',
      reason: { code: expect.stringMatching(/^host_unknown/) },
    })
  })

  it('include a material ID that callbacks could not name, without a request', async () => {
    const { open, service } = await setUp({ listen: false })
    const longest = 'x'.repeat(8192)
    const long = { code: 'invalid_material', state: 'long' }
    expect(await open({ materialId: `${longest}x` })).toEqual({ ok: false, failure: long })
    const surrogate = { code: 'invalid_material', state: 'surrogate' }
    expect(await open({ materialId: 'a\ud800' })).toEqual({ ok: false, failure: surrogate })
    expect(service.opens).toEqual([])
    expect(await open({ materialId: longest })).toMatchObject({ ok: true })
  })

  it('report the state of the keychain, without a request', async () => {
    const { open, galley, service } = await setUp({ listen: false })
    galley.index.secretMarks.markSecret('acme', 'another mark')
    expect(await open()).toEqual({ ok: false, failure: { code: 'secrets_unavailable', state: 'changed' } })
    galley.index.secretMarks.markSecret('acme', null)
    expect(await open()).toEqual({ ok: false, failure: { code: 'secrets_unavailable', state: 'missing' } })
    expect(service.opens).toEqual([])
  })
})
