import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'

import type { OpenFailure } from '../../../src/contract/session.ts'
import type { OpenWish } from '../../../src/main/sessions/open-session.ts'
import { signatureOf } from '../../support/service.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

const wish = (parts: Partial<OpenWish> = {}): OpenWish => ({
  site: 'acme',
  materialId: 'post-1',
  title: null,
  slug: null,
  metadata: null,
  ...parts,
})

type Options = Parameters<typeof createTestGalley>[0]

async function house(options: Options = {}) {
  const made = await createTestGalley(options)
  const open = (parts: Partial<OpenWish> = {}) => made.galley.sessions.open(wish(parts))
  const lastBody = () => made.service.opens.at(-1)?.body ?? ''
  const metadataSent = () => (JSON.parse(lastBody()) as { metadata: Record<string, unknown> }).metadata
  const refusal = async (status: number, body: string): Promise<OpenFailure> => {
    made.service.answerOpen({ status, body })
    const opened = await open()
    if (opened.ok) throw new Error('The session was opened')
    return opened.failure
  }
  return { ...made, open, lastBody, metadataSent, refusal }
}

describe('what is sent', () => {
  it('is signed over material and callback URL, without a state before the first save', async () => {
    const { open, service, lastBody, listener } = await house({ listen: false })
    expect(await open({ materialId: 'post "1"/ü' })).toMatchObject({
      ok: true,
      value: {
        sessionId: 's-1',
        fingerprint: 'f-1',
        url: `${service.origin}/editor/f-1`,
        resizeMode: 'fluid',
        reused: false,
      },
    })
    expect(JSON.parse(lastBody())).toEqual({
      api_key: service.apiKey,
      callback_url: `${listener}/callback/acme`,
      material_id: 'post "1"/ü',
      metadata: { version: 'galley_0.0.0-test' },
    })
    expect(service.opens.at(-1)?.signature).toBe(signatureOf(service.secret, 'post "1"/ü', `${listener}/callback/acme`))
  })

  it('carries the current state sign by sign: big integers, 1.0, order, empty and doubled keys', async () => {
    const { open, post, service, know, lastBody } = await house()
    await know('post-1')
    const state = '{ "z":12345678901234567890, "a":1.0,"e":{}, "l":[ ] ,"k":1,"k":2,"u":"\\u00e9é","assets":{}}'
    const current = aSave(service, { versionCdate: '2026-11-02T00:00:00Z', html: '<p>', files: {}, state })
    const older = aSave(service, { versionCdate: '2026-11-01T00:00:00Z', html: '<p>', files: {}, state: '{"older":1}' })
    for (const save of [current, older]) expect((await post(save.body, save.headers)).json.rc).toBe(1)
    await open()
    expect(lastBody()).toContain(`,"vms_json":${state},"metadata":`)
  })

  it('labels the client in metadata, unless the caller has a version of its own', async () => {
    const { open, lastBody, metadataSent } = await house({ listen: false })
    await open({ metadata: '{"n":12345678901234567890, "deep":{"version":1}}' })
    expect(lastBody()).toContain(
      '"metadata":{"n":12345678901234567890, "deep":{"version":1},"version":"galley_0.0.0-test"}',
    )
    await open({ metadata: '{"version":null,"b":1}' })
    expect(metadataSent()).toEqual({ version: null, b: 1 })
  })

  it('is the last metadata again when none is given, and nothing of a refused open', async () => {
    const { open, metadataSent, refusal, service } = await house({ listen: false })
    await open({ metadata: '{"lang":"de"}' })
    await open()
    expect(metadataSent()).toEqual({ lang: 'de', version: 'galley_0.0.0-test' })
    service.answerOpen({ status: 500, body: '{}' })
    await open({ metadata: '{"lang":"fr"}' })
    await refusal(500, '{}')
    service.answerOpen(null)
    await open()
    expect(metadataSent()).toEqual({ lang: 'de', version: 'galley_0.0.0-test' })
    await open({ metadata: '{}' })
    await open()
    expect(metadataSent()).toEqual({ version: 'galley_0.0.0-test' })
    // Each material has its own.
    await open({ materialId: 'post-2' })
    expect(metadataSent()).toEqual({ version: 'galley_0.0.0-test' })
  })

  it('takes credentials from the keychain alone', async () => {
    const { open, metadataSent, service } = await house({ listen: false, site: { callbackAuth: 'basic' } })
    await open({ metadata: '{"a":1}' })
    const sent = metadataSent()
    expect(sent).toEqual({
      a: 1,
      version: 'galley_0.0.0-test',
      webhook_auth_user: 'galley',
      webhook_auth_password: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    })
    await open()
    expect(metadataSent()).toEqual(sent)
    const before = service.opens.length
    expect(await open({ metadata: '{"webhook_auth_user":"me"}' })).toMatchObject({
      ok: false,
      failure: { kind: 'invalid_metadata' },
    })
    expect(service.opens).toHaveLength(before)
  })

  it('has a token as user and no password for a bearer site', async () => {
    const { open, metadataSent } = await house({ listen: false, site: { callbackAuth: 'bearer' } })
    await open()
    expect(metadataSent()).toEqual({ version: 'galley_0.0.0-test', webhook_auth_user: expect.any(String) })
  })

  it('uses the header that the site is set to', async () => {
    const { open, service } = await house({ listen: false, site: { signatureHeader: 'X-Other' } })
    await open()
    expect(service.opens.at(-1)?.signature).toBe(undefined)
  })

  for (const metadata of ['', '[]', '"x"', 'null', '{"a":', '{} {}', '\uFEFF{}']) {
    it(`is nothing for metadata that is no JSON object: ${JSON.stringify(metadata)}`, async () => {
      const { open, service, galley } = await house({ listen: false })
      expect(await open({ metadata })).toMatchObject({ ok: false, failure: { kind: 'invalid_metadata' } })
      expect(service.opens).toEqual([])
      expect(galley.index.materials.find('acme', 'post-1')).toBe(null)
    })
  }
})

describe('what comes back', () => {
  it('is reused when it is the session this library got last', async () => {
    const { open, service } = await house({ listen: false })
    const answer = (session: string) =>
      service.answerOpen({
        status: 200,
        body: JSON.stringify({ session_id: session, fingerprint: 'f', url: 'https://e.test/1' }),
      })
    const reused = async (materialId = 'post-1') => {
      const opened = await open({ materialId })
      return opened.ok && opened.value.reused
    }
    answer('a')
    expect([await reused(), await reused()]).toEqual([false, true])
    expect(await reused('post-2')).toBe(false)
    answer('b')
    expect([await reused(), await reused()]).toEqual([false, true])
    answer('a')
    expect(await reused()).toBe(false)
  })

  it('without a session_id is never a session that was there before', async () => {
    const { open, service } = await house({ listen: false })
    service.answerOpen({ status: 200, body: '{"url":"https://e.test/1"}' })
    for (const _time of [1, 2])
      expect(await open()).toMatchObject({ ok: true, value: { sessionId: '', reused: false } })
  })

  it('is recorded only when it is a session', async () => {
    const { galley, open, refusal, service } = await house({ listen: false })
    await refusal(400, '{"message":"no"}')
    expect(galley.index.materials.find('acme', 'post-1')).toBe(null)
    service.answerOpen(null)
    await open({ title: 'Harbour', slug: 'harbour' })
    expect(galley.index.materials.find('acme', 'post-1')).toMatchObject({
      title: 'Harbour',
      slug: 'harbour',
      session: { sessionId: 's-1', fingerprint: 'f-1' },
    })
    await refusal(400, '{"message":"no"}')
    expect(galley.index.materials.find('acme', 'post-1')).toMatchObject({ session: { sessionId: 's-1' } })
  })

  it('for a site that is not there is nothing, and asks nobody', async () => {
    const { open, service } = await house({ listen: false })
    expect(await open({ site: 'nobody' })).toEqual({ ok: false, failure: { kind: 'unknown_site', site: 'nobody' } })
    expect(service.opens).toEqual([])
  })
})

describe('refusals', () => {
  const told: readonly (readonly [number, string, OpenFailure['kind']])[] = [
    [403, '{"message":"Callback host is not allowed for this site"}', 'host_not_allowed'],
    [400, '{"error":"domain example.test not allowed"}', 'host_not_allowed'],
    [401, '{"message":"Invalid API key"}', 'wrong_key'],
    [403, '{"detail":"api_key unknown"}', 'wrong_key'],
    [400, '{"rm":"Bad signature"}', 'wrong_key'],
    [401, 'Unauthorized', 'wrong_key'],
    [400, '{"message":"material_id too long"}', 'service_refused'],
    [500, '<h1>Internal error</h1>', 'service_refused'],
    [503, '', 'service_refused'],
    [201, '{"url":"https://e.test"}', 'service_refused'],
    [204, '', 'service_refused'],
    [302, '', 'service_refused'],
    [200, '{"message":"Quota used up"}', 'service_refused'],
    [200, '{"session_id":"s"}', 'invalid_service_answer'],
    [200, '{"url":5}', 'invalid_service_answer'],
    [200, '{"url":"not a url"}', 'invalid_service_answer'],
    [200, '{"url":""}', 'invalid_service_answer'],
    [200, '[]', 'invalid_service_answer'],
    [200, 'null', 'invalid_service_answer'],
    [200, '', 'invalid_service_answer'],
    [200, '<html>', 'invalid_service_answer'],
    [200, `{"url":"https://e.test/${'x'.repeat(1024 * 1024)}"}`, 'invalid_service_answer'],
  ]
  for (const [status, body, kind] of told) {
    it(`${status} ${body.slice(0, 50)} is ${kind}`, async () => {
      const { refusal } = await house({ listen: false })
      const failure = await refusal(status, body)
      expect(failure.kind).toBe(kind)
      if ('status' in failure) expect(failure.status).toBe(status)
    })
  }

  it('show the text of the service, on one line, not endless, and never what is secret', async () => {
    const { refusal, service, listener, open, metadataSent } = await house({
      listen: false,
      site: { callbackAuth: 'basic' },
    })
    await open()
    const password = String(metadataSent()['webhook_auth_password'])
    const signature = signatureOf(service.secret, 'post-1', `${listener}/callback/acme`)
    const secrets = [service.secret, service.apiKey, password, signature]
    const text = `first\nsecond\u202e ${secrets.join(' and ')} ${'long '.repeat(200)}`
    const failure = await refusal(400, JSON.stringify({ message: text }))
    const shown = 'text' in failure ? failure.text : ''
    expect(shown).toMatch(/^first second /)
    expect(shown).toContain('[redacted] and [redacted] and [redacted] and [redacted] long')
    for (const secret of secrets) expect(shown).not.toContain(secret)
    expect(shown.length).toBeLessThanOrEqual(301)
    expect(((await refusal(500, '')) as { text: string }).text).toBe('no text')
  })

  it('of a redirect are refusals: nothing is sent elsewhere', async () => {
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
    const { open, galley, service } = await house({ listen: false })
    const site = galley.index.sites.find('acme')
    if (site)
      galley.index.sites.put({ ...site, baseUrl: `http://127.0.0.1:${(redirect.address() as AddressInfo).port}` })
    expect(await open()).toMatchObject({ ok: false, failure: { kind: 'service_refused', status: 307 } })
    expect([reached, service.opens.length]).toEqual([0, 0])
  })

  it('name a service that does not answer in time, that is not there, or that hangs up', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    const dripping = createServer((_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    }).listen(0, '127.0.0.1')
    const rude = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1')
    onTestFinished(() => {
      for (const server of [silent, dripping, rude]) {
        server.closeAllConnections()
        server.close()
      }
    })
    const { open, galley } = await house({ listen: false, site: { requestTimeoutMs: 1000 } })
    const at = async (baseUrl: string) => {
      const site = galley.index.sites.find('acme')
      if (site) galley.index.sites.put({ ...site, baseUrl })
      const opened = await open()
      return opened.ok ? null : opened.failure
    }
    const on = (server: typeof silent) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await at(on(silent))).toEqual({ kind: 'service_timeout', seconds: 1 })
    expect(await at(on(dripping))).toEqual({ kind: 'service_timeout', seconds: 1 })
    expect(await at(on(rude))).toEqual({ kind: 'service_unreachable', reason: 'the connection was cut' })
    expect(await at('http://127.0.0.1:1')).toEqual({
      kind: 'service_unreachable',
      reason: 'nothing answers at its address',
    })
    expect(await at('http://no-such-host.invalid')).toMatchObject({
      kind: 'service_unreachable',
      reason: expect.stringMatching(/^its name (is not known|cannot be looked up)/),
    })
  })

  it('say which state the keychain is in, and ask nobody', async () => {
    const { open, galley, service } = await house({ listen: false })
    galley.index.sites.markSecret('acme' as never, 'another mark')
    expect(await open()).toEqual({ ok: false, failure: { kind: 'secrets_unavailable', state: 'changed' } })
    galley.index.sites.markSecret('acme' as never, null)
    expect(await open()).toEqual({ ok: false, failure: { kind: 'secrets_unavailable', state: 'missing' } })
    expect(service.opens).toEqual([])
  })
})
