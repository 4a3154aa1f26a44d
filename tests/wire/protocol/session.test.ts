import { describe, expect, it } from 'vitest'

import { cause, causeSentence } from '../../../packages/wire/cause.ts'
import { failureWords } from '../../../packages/wire/failure-words.ts'
import type { OpenFailure } from '../../../packages/wire/protocol/session.ts'
import { openRequestBody, readOpenAnswer } from '../../../packages/wire/protocol/session.ts'

describe('the body of session/open', () => {
  const request = { apiKey: 'k"', callbackUrl: 'https://site.test/cb', materialId: 'p\u2028', metadata: '{ "a":1.0 }' }

  it('contains state and metadata unchanged, byte for byte', () => {
    const state = '{"n":12345678901234567890, "e":{},"n":2}'
    expect(openRequestBody({ ...request, state })).toBe(
      `{"api_key":"k\\"","callback_url":"https://site.test/cb","material_id":"p\u2028","vms_json":${state},"metadata":{ "a":1.0 }}`,
    )
  })

  it('has no vms_json without a state', () => {
    const body = openRequestBody({ ...request, state: null })
    expect(JSON.parse(body)).toEqual({
      api_key: 'k"',
      callback_url: 'https://site.test/cb',
      material_id: 'p\u2028',
      metadata: { a: 1 },
    })
  })
})

describe('the answer of session/open', () => {
  it('is a session when it has a url, with any successful status; other missing members are empty', () => {
    const body = '{"session_id":"s","fingerprint":"f","url":"https://e.test/1","resizeMode":"fluid","more":1}'
    for (const status of [200, 201, 202])
      expect(readOpenAnswer(status, body, [])).toEqual({
        ok: true,
        value: { sessionId: 's', fingerprint: 'f', url: 'https://e.test/1', resizeMode: 'fluid' },
      })
    expect(readOpenAnswer(200, '{"session_id":7,"url":"https://e.test/1","resizeMode":null}', [])).toEqual({
      ok: true,
      value: { sessionId: '', fingerprint: '', url: 'https://e.test/1', resizeMode: null },
    })
  })

  const text = (status: number, body: string, secrets: readonly string[] = []) => {
    const read = readOpenAnswer(status, body, secrets)
    return !read.ok && 'text' in read.failure ? read.failure.text : null
  }

  it('shows the usual member of an error', () => {
    expect(text(500, '{"error":"e","message":"m","detail":"d"}')).toBe('m')
    expect(text(500, '{"message":"","error":"e"}')).toBe('e')
    expect(text(500, '{"message":{"deep":1},"detail":"d"}')).toBe('d')
    expect(text(500, '{"rm":"r"}')).toBe('r')
    expect(text(500, '{"message":" \\n\\u202e","error":"e"}')).toBe('e')
  })

  it.each([
    '<html>502 Bad Gateway: api_key secret, host not allowed</html>',
    '{"code":5}',
    '["x"]',
    '"x"',
    ' \n\t ',
    '',
  ])('that gives no reason tells its status alone: %j', (body) => {
    for (const status of [500, 502, 599])
      expect(readOpenAnswer(status, body, [])).toEqual({ ok: false, failure: { code: 'service_failed', status } })
    for (const status of [302, 401, 404, 499])
      expect(readOpenAnswer(status, body, [])).toEqual({ ok: false, failure: { code: 'unexplained_refusal', status } })
  })

  it('hides known secrets everywhere; an empty secret hides nothing', () => {
    const told = (message: string, secrets: readonly string[] = []) => text(500, JSON.stringify({ message }), secrets)
    expect(told('a geheim b geheim key', ['geheim', 'key', ''])).toBe('a [redacted] b [redacted] [redacted]')
    // A secret that is cut would be shown in part.
    expect(told(`${'x'.repeat(295)} geheimnis`, ['geheimnis'])).not.toContain('gehe')
    expect(told('x'.repeat(400))).toBe(`${'x'.repeat(300)}…`)
  })
})

/** A new code does not compile until it is listed here. */
const failures: { readonly [Code in OpenFailure['code']]: readonly Extract<OpenFailure, { code: Code }>[] } = {
  unknown_site: [{ code: 'unknown_site', site: 'acme' }],
  site_unconfirmed: [{ code: 'site_unconfirmed', site: 'acme' }],
  invalid_material: [
    { code: 'invalid_material' },
    { code: 'invalid_material', state: 'long' },
    { code: 'invalid_material', state: 'surrogate' },
  ],
  invalid_metadata: [{ code: 'invalid_metadata', problem: cause('not_json_object') }],
  state_unreadable: [{ code: 'state_unreadable' }],
  address_taken: [{ code: 'address_taken', path: 'summer', materialId: 'a', title: 'A summer' }],
  secrets_unavailable: (['missing', 'locked', 'unavailable', 'changed'] as const).map((state) => ({
    code: 'secrets_unavailable',
    state,
  })),
  host_not_allowed: [{ code: 'host_not_allowed', status: 403, text: 'no' }],
  wrong_key: [{ code: 'wrong_key', status: 401, text: 'no' }],
  service_refused: [{ code: 'service_refused', status: 500, text: 'no' }],
  service_failed: [{ code: 'service_failed', status: 502 }],
  unexplained_refusal: [{ code: 'unexplained_refusal', status: 404 }],
  service_timeout: [{ code: 'service_timeout', seconds: 60 }],
  service_unreachable: [{ code: 'service_unreachable', reason: cause('host_refuses') }],
  invalid_service_answer: [{ code: 'invalid_service_answer', problem: cause('answer_without_url') }],
}

it.each(Object.values(failures).flat())('$code is described in complete sentences, with all facts', (failure) => {
  const words = failureWords(failure)
  expect(words).toMatch(/^[A-Z][^\n]*\.$/)
  expect(words).not.toMatch(/undefined|null|NaN|\[object|\$\{| {2}|\.\./)
  for (const fact of Object.values(failure).filter(
    (value) => value !== failure.code && failure.code !== 'secrets_unavailable',
  )) {
    expect(words).toContain(typeof fact === 'object' ? causeSentence(fact) : String(fact))
  }
})
