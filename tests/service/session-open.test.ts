import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Service } from './support/service.ts'
import { key, refusalOf, secret, startService } from './support/service.ts'
import { signed } from './support/site-stub.ts'

const callbackUrl = 'http://127.0.0.1:9/callback'
const open = { material_id: 'M1', callback_url: callbackUrl }
const path = '/integration/session/open'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.emulator.close())

describe('session/open', () => {
  test('answers a session with its editor address', async () => {
    const session = await service.opened(open)
    expect(session).toEqual({
      session_id: expect.stringMatching(uuid),
      fingerprint: expect.stringMatching(uuid),
      url: `${service.emulator.url}/editor/${session['fingerprint']}`,
      resizeMode: expect.any(String),
    })
    expect(service.emulator.baseUrl).toBe(`${service.emulator.url}/integration`)
  })

  test('there is one session per key and material', async () => {
    const first = await service.opened(open)
    expect(await service.opened({ ...open, metadata: { a: 1 } })).toEqual(first)
    expect((await service.opened({ ...open, material_id: 'M2' }))['session_id']).not.toBe(first['session_id'])
    expect((await service.opened({ ...open, material_id: 'm1' }))['session_id']).not.toBe(first['session_id'])
  })

  test('the state of the first open stays, to the character', async () => {
    const state = '{"n": 12345678901234567890, "x":1.0,"10":1,"2":{},"l":[ ],"assets":{}}'
    const body = `{"api_key":"${key}","material_id":"M1","callback_url":"${callbackUrl}","vms_json": ${state} }`
    const { fingerprint } = await service.opened(open, body)
    await service.opened({ ...open, vms_json: { other: true } })
    const text = await (await fetch(`${service.emulator.url}/_emulator/sessions/${fingerprint}`)).text()
    expect(text).toContain(`"state":${state}`)
  })

  test.each([{}, { vms_json: null, metadata: null }, { vms_json: {}, metadata: {} }, { vms_json: [], metadata: [] }])(
    'opens without a state: %j',
    async (extra) => {
      const { fingerprint = '' } = await service.opened({ ...open, ...extra })
      expect((await service.session(fingerprint)).state).toEqual({})
    },
  )

  test('the last of duplicate members counts', async () => {
    const last = `"material_id":"M1","callback_url":"${callbackUrl}","metadata":{"n":2.0},"vms_json":{"n":2.0}}`
    const { fingerprint } = await service.opened(
      open,
      `{"api_key":"other","material_id":"M2","callback_url":"x","metadata":7,"vms_json":{},"api_key":"${key}",${last}`,
    )
    const text = await (await fetch(`${service.emulator.url}/_emulator/sessions/${fingerprint}`)).text()
    expect(text).toContain('"material_id":"M1"')
    expect(text).toContain('"state":{"n":2.0}')
  })

  test.each(['Статья/1', 'a b%2F?&#', 'm:1', '🖼️', '\u0000', 'x'.repeat(5000)])(
    'any text is a material: %j',
    async (materialId) => {
      const session = await service.opened({ ...open, material_id: materialId })
      expect(await service.session(session['fingerprint'] ?? '')).toMatchObject({ material_id: materialId })
      expect(await service.opened({ ...open, material_id: materialId })).toEqual(session)
    },
  )

  test('two spellings of one letter are two materials', async () => {
    const [composed, decomposed] = [
      await service.opened({ ...open, material_id: 'é' }),
      await service.opened({ ...open, material_id: 'e\u0301' }),
    ]
    expect(decomposed['session_id']).not.toBe(composed['session_id'])
  })

  test.each([
    ['not JSON', '{"api_key":'],
    ['a list', '[]'],
    ['no key', { ...open }],
    ['a numeric id', { api_key: key, ...open, material_id: 7 }],
    ['an empty id', { api_key: key, ...open, material_id: '' }],
    ['an id with half a character', `{"api_key":"${key}","callback_url":"${callbackUrl}","material_id":"\\ud800"}`],
    ['a relative callback', { api_key: key, ...open, callback_url: '/callback' }],
    ['a callback that is no http', { api_key: key, ...open, callback_url: 'file:///etc/passwd' }],
    ['a callback with a user', { api_key: key, ...open, callback_url: 'http://a:b@127.0.0.1/' }],
    ['a state that is text', { api_key: key, ...open, vms_json: '{}' }],
    ['metadata as a list', { api_key: key, ...open, metadata: [1] }],
  ])('400 for %s', async (_name, body) => {
    const refused = await refusalOf(await service.post(path, body, { 'X-Service-Signature': '0'.repeat(64) }))
    expect(refused).toEqual([400, 'invalid_request', expect.any(String)])
  })

  test('wrong key, wrong signature and wrong host have different errors', async () => {
    const signature = (url: string) => ({ 'X-Service-Signature': signed(secret, 'M1', url) })
    const wrongKey = await service.post(path, { api_key: 'other', ...open }, signature(callbackUrl))
    expect(await refusalOf(wrongKey)).toEqual([401, 'unknown_api_key', expect.any(String)])
    const unsigned = await service.post(path, { api_key: key, ...open })
    expect(await refusalOf(unsigned)).toEqual([403, 'invalid_signature', expect.any(String)])
    const otherUrl = await service.post(path, { api_key: key, ...open }, signature(`${callbackUrl}/`))
    expect(await refusalOf(otherUrl)).toEqual([403, 'invalid_signature', expect.any(String)])
    const foreign = { ...open, callback_url: 'https://site.example/callback' }
    const wrongHost = await service.post(path, { api_key: key, ...foreign }, signature(foreign.callback_url))
    expect(await refusalOf(wrongHost)).toEqual([
      403,
      'host_not_allowed',
      'Host site.example not allowed for this API key',
    ])
  })

  test('allowed domains replace the loopback rule', async () => {
    const strict = await startService({ allowedDomains: ['site.example', '*.cms.example'] })
    try {
      const answers = await Promise.all(
        [
          'http://127.0.0.1/c',
          'https://SITE.example/c',
          'https://a.cms.example:8443/c',
          'https://xsite.example/c',
          'https://xcms.example/c',
        ].map(async (callback_url) => (await strict.open({ ...open, callback_url })).status),
      )
      expect(answers).toEqual([403, 200, 200, 403, 403])
    } finally {
      await strict.emulator.close()
    }
  })

  test('two signatures are none', async () => {
    const right = signed(secret, 'M1', callbackUrl)
    const headers = { 'content-type': 'application/json', 'X-Service-Signature': [right, right] }
    const sent = request(`${service.emulator.baseUrl}/session/open`, { method: 'POST', headers })
    const [answer] = await once(sent.end(JSON.stringify({ api_key: key, ...open })), 'response')
    answer.resume()
    expect(answer.statusCode).toBe(403)
  })

  test('the signature header can have another name', async () => {
    const other = await startService({ signatureHeader: 'X-Other-Signature' })
    try {
      expect((await other.open(open)).status).toBe(403)
      const headers = { 'X-Other-Signature': signed(secret, 'M1', callbackUrl) }
      expect((await other.post(path, { api_key: key, ...open }, headers)).status).toBe(200)
    } finally {
      await other.emulator.close()
    }
  })
})
