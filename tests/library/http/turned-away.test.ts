import { describe, expect, test } from 'vitest'

import { callbackJson } from '../../../packages/cli/outside.ts'
import { createMemoryStore } from '../../../packages/library/secrets/memory.ts'
import { fail } from '../../../packages/wire/result.ts'
import { aSave, createTestGalley, signed } from '../../support/test-galley.ts'
import { expectRefused, withStoredVersion } from '../save/refused.ts'

describe('callbacks that are refused before any download', () => {
  const flips = (signature: string): readonly string[] =>
    Array.from({ length: 64 }, (_, at) => {
      const digit = (Number.parseInt(signature.charAt(at), 16) ^ 1).toString(16)
      return signature.slice(0, at) + digit + signature.slice(at + 1)
    })

  test('signatures that are missing, altered or in another notation: invalid_signature', async () => {
    const fixture = await withStoredVersion()
    const downloads = fixture.service.downloads.length
    const { body, signature } = aSave(fixture.service)
    const odd = [
      '',
      signature.toUpperCase(),
      `${signature}zz`,
      signature.slice(1),
      `${signature}, ${signature}`,
      `sha256=${signature}`,
      '0'.repeat(64),
      'é'.repeat(64),
      Buffer.from(signature, 'hex').toString('base64'),
    ]
    for (const wrong of [...odd, ...flips(signature)]) {
      const answer = await fixture.post(body, { 'x-service-signature': Buffer.from(wrong, 'utf8').toString('latin1') })
      await expectRefused(fixture, answer, 400, 'invalid_signature')
    }
    const twice = await fixture.post(body, { 'x-service-signature': [signature, signature] })
    await expectRefused(fixture, twice, 400, 'invalid_signature')
    await expectRefused(fixture, await fixture.post(body), 400, 'invalid_signature')
    const elsewhere = await fixture.post(body, { 'x-other-signature': signature })
    // The log names the header; the answer is that of a missing signature.
    expect(fixture.lines.splice(0)).toEqual([expect.stringContaining('in the header x-other-signature')])
    await expectRefused(fixture, elsewhere, 400, 'invalid_signature')
    expect(fixture.service.downloads).toHaveLength(downloads)
    // Only surrounding white space is tolerated.
    expect((await fixture.post(body, { 'x-service-signature': `  ${signature}\t` })).json.rc).toBe(1)
  })

  test('only the header that is set for the site is accepted', async () => {
    const fixture = await createTestGalley({ site: { signatureHeader: 'X-Other-Signature' } })
    await fixture.know('post-1')
    const save = aSave(fixture.service)
    expect((await fixture.post(save.body, save.headers)).json.code).toBe('invalid_signature')
    expect((await fixture.post(save.body, { 'x-other-signature': save.signature })).json.code).toBe(undefined)
  })

  const malformed: readonly [string, Record<string, unknown> | string, string][] = [
    ['not JSON', '{"event":', 'invalid_request'],
    ['an empty body', '', 'invalid_request'],
    ['a list', '[]', 'invalid_request'],
    ['a string', '"x"', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    ['nesting without end', `{"a":${'['.repeat(100_000)}`, 'invalid_request'],
    ['no material_id', { material_id: undefined }, 'invalid_request'],
    ['a number as material_id', { material_id: 42 }, 'invalid_request'],
    ['no content_url', { content_url: undefined }, 'invalid_request'],
    ['a content_url that is null', { content_url: null }, 'invalid_request'],
    ['an event that contradicts the URL', { event: 'site_fonts_updated' }, 'unknown_event'],
    ['another origin', { content_url: 'http://localhost:1/integration/download/media/x/y' }, 'foreign_content_url'],
    ['a file URL', { content_url: 'file:///etc/passwd' }, 'foreign_content_url'],
    ['no URL at all', { content_url: 'download/media/x' }, 'foreign_content_url'],
  ]
  for (const [name, change, code] of malformed) {
    test(`${name}: ${code}`, async () => {
      const fixture = await withStoredVersion()
      const downloads = fixture.service.downloads.length
      const save = aSave(fixture.service)
      const { body, headers } =
        typeof change === 'string'
          ? { body: change, headers: save.headers }
          : signed(fixture.service, { ...save.payload, ...change })
      await expectRefused(fixture, await fixture.post(body, headers), 400, code)
      expect(fixture.service.downloads).toHaveLength(downloads)
    })
  }

  test('without an event the URL decides; any other event, or an ambiguous URL: unknown_event', async () => {
    const fixture = await withStoredVersion()
    const { payload } = aSave(fixture.service, { versionId: 'by-path', versionCdate: '2020-01-01T00:00:00Z' })
    const refused = [
      { event: undefined, content_url: `${fixture.service.baseUrl}/archives/7` },
      { event: 'article_updated', content_url: `${fixture.service.baseUrl}/archives/7` },
      { event: 'article_updated' },
      { event: null },
    ]
    for (const change of refused) {
      const callback = signed(fixture.service, { ...payload, ...change })
      await expectRefused(fixture, await fixture.post(callback.body, callback.headers), 400, 'unknown_event')
    }
    const told = signed(fixture.service, { ...payload, event: undefined })
    expect((await fixture.post(told.body, told.headers)).json).toMatchObject({ rc: 1, rm: 'Saved successfully' })
  })

  test('a material that was never opened: refused, unless the site accepts unknown materials', async () => {
    const fixture = await withStoredVersion()
    const downloads = fixture.service.downloads.length
    const save = aSave(fixture.service, { materialId: 'stranger' })
    await expectRefused(fixture, await fixture.post(save.body, save.headers), 200, 'refused')
    expect(fixture.service.downloads).toHaveLength(downloads)
    // The boundary in the signed text is ambiguous: the same signature fits another material and URL.
    const slid = {
      ...save.payload,
      material_id: `stranger:${fixture.service.origin.split('//')[0]?.slice(0, -1)}`,
      content_url: String(save.payload['content_url']).replace('http:', ''),
    }
    expect((await fixture.post(JSON.stringify(slid), save.headers)).json.rc).toBe(0)
    const open = await createTestGalley({ site: { unknownMaterials: 'accept' } })
    const welcome = aSave(open.service, { materialId: 'stranger' })
    expect((await open.post(welcome.body, welcome.headers)).json.rc).toBe(1)
  })

  test('Authorization of a protected site, missing or wrong: unauthorized', async () => {
    const fixture = await createTestGalley({ site: { callbackAuth: 'basic' } })
    await fixture.know('post-1')
    const sent = JSON.parse(fixture.service.opens.at(-1)?.body ?? '{}') as { metadata: Record<string, string> }
    const { webhook_auth_user: user, webhook_auth_password: password } = sent.metadata
    expect([user, password].every(Boolean)).toBe(true)
    const save = aSave(fixture.service)
    for (const authorization of [undefined, 'Basic eDp5', `Bearer ${password}`]) {
      const answer = await fixture.post(save.body, { ...save.headers, ...(authorization && { authorization }) })
      expect([answer.status, answer.json.code]).toEqual([401, 'unauthorized'])
      expect(answer.headers['www-authenticate']).toBe('Basic realm="callback", Bearer')
    }
    const right = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
    expect((await fixture.post(save.body, { ...save.headers, ...right })).json.rc).toBe(1)
  })

  for (const state of ['locked', 'unavailable'] as const) {
    test(`a keychain that is ${state}: secrets_unavailable, and nothing is written to it`, async () => {
      let lost = false
      let now = new Date('2026-11-01T10:00:00Z')
      const keychain = createMemoryStore()
      const gone = () => Promise.resolve(fail(state))
      const fixture = await createTestGalley({
        edges: {
          now: () => now,
          secrets: {
            read: (account) => (lost ? gone() : keychain.read(account)),
            write: (account, value) => (lost ? Promise.reject(new Error('written')) : keychain.write(account, value)),
            remove: keychain.remove,
          },
        },
      })
      lost = true
      // A secret is cached for a minute.
      now = new Date('2026-11-01T10:01:01Z')
      const save = aSave(fixture.service)
      const answer = await fixture.post(save.body, save.headers)
      expect([answer.status, answer.json.code]).toEqual([503, 'secrets_unavailable'])
      expect(fixture.service.downloads).toEqual([])
      lost = false
    })
  }
})

test('the log says of each signature whether it was valid, wrong, absent or not looked at', async () => {
  const fixture = await withStoredVersion()
  const { body, headers, payload } = aSave(fixture.service)
  const odd = signed(fixture.service, { ...payload, event: 'other' })
  const sent: readonly (readonly [string, string, Record<string, string>, string, string])[] = [
    ['not_found', body, headers, '/callback/nobody', 'unchecked'],
    ['unsupported_type', body, { ...headers, 'content-type': 'text/plain' }, '/callback/acme', 'unchecked'],
    ['forbidden_origin', body, { ...headers, origin: 'https://editor.test' }, '/callback/acme', 'unchecked'],
    ['forbidden_host', body, { ...headers, host: 'other.test' }, '/callback/acme', 'unchecked'],
    ['forbidden_host', body, { host: 'other.test' }, '/callback/acme', 'missing'],
    ['too_large', 'x'.repeat(5_000_000), headers, '/callback/acme', 'unchecked'],
    ['unsupported_type', body, { 'content-type': 'text/plain' }, '/callback/acme', 'missing'],
    ['invalid_request', '{', headers, '/callback/acme', 'unchecked'],
    ['unknown_event', odd.body, odd.headers, '/callback/acme', 'valid'],
    ['invalid_signature', body, {}, '/callback/acme', 'missing'],
    ['invalid_signature', body, { 'x-service-signature': ' ' }, '/callback/acme', 'missing'],
  ]
  for (const [code, text, given, path, signature] of sent) {
    const answer = await fixture.post(text, given, path)
    const [newest] = fixture.galley.index.callbacks.list({ site: null, outcome: null, limit: 1 })
    expect([answer.json.code, newest?.code, newest?.signature], `${code} ${path}`).toEqual([code, code, signature])
    const json = newest && callbackJson(newest)
    const known = signature === 'unchecked' ? { signature: 'invalid', signature_checked: false } : { signature }
    expect(json, `${code} ${path}`).toMatchObject(known)
  }
})

test('every callback is in the log, but no secret or signature', async () => {
  const fixture = await withStoredVersion()
  const save = aSave(fixture.service, {
    payload: { signature: 'canary', metadata: { timeLimitedAuthToken: 'canary' } },
  })
  await fixture.post(save.body, save.headers)
  await fixture.post(save.body, { 'x-service-signature': '0'.repeat(64) })
  await fixture.post('no json', save.headers)
  const log = fixture.galley.index.callbacks.list({ site: null, outcome: null, limit: 10 })
  expect(log.map(({ outcome, signature, code }) => [outcome, signature, code])).toEqual([
    ['rejected', 'unchecked', 'invalid_request'],
    ['rejected', 'invalid', 'invalid_signature'],
    ['stored', 'valid', null],
    ['stored', 'valid', null],
  ])
  const payloads = log.map(({ id }) => fixture.galley.index.callbacks.payload(id) ?? '').join()
  expect(payloads).not.toContain('canary')
  expect(payloads).not.toContain(save.signature)
  expect(log[2]?.steps.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['download', 'unpack', 'place', 'index']),
  )
})
