import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cause } from '../../../packages/wire/cause.ts'
import { redactMetadata, redactPayload } from '../../../packages/wire/protocol/redaction.ts'
import { hideCredentials } from '../../../packages/wire/protocol/secret-values.ts'
import { ok } from '../../../packages/wire/result.ts'
import { jsonText } from '../support/json-documents.ts'
import { jsonTokens } from '../support/json-tokens.ts'

/** An object with these keys, all of them redacted. */
const marked = (...keys: readonly string[]): string => `{${keys.map((key) => `"${key}":"[redacted]"`).join(',')}}`

describe('redactMetadata', () => {
  it.each([
    ['{"webhook_auth_user":"u","a":1.0}', '{"a":1.0}'],
    ['{"a" : 1 , "webhook_auth_user":"u" , "webhook_auth_password":"p"}', '{"a" : 1}'],
    ['[{"x":{"\\u0077ebhook_auth_user":{"webhook_auth_x":1}}}, {}]', '[{"x":{}}, {}]'],
    ['{"webhook_auth_":1,"webhook_auth_user":2,"b":{"webhook_auth_user":3,"c":[]},"b":4}', '{"b":{"c":[]},"b":4}'],
  ])('removes credentials from %s', (text, expected) => {
    expect(redactMetadata(text)).toEqual({ ok: true, value: { text: expected, changed: true } })
  })

  it('does not change a text without them', () => {
    const text =
      ' {"webhook_auth":1, "Webhook_auth_user":"webhook_auth_user", "n":12345678901234567890, "s":"\\u0041"} '
    expect(redactMetadata(text)).toEqual({ ok: true, value: { text, changed: false } })
  })

  it('reports why a text cannot be read', () => {
    expect(redactMetadata('{"a":')).toEqual({ ok: false, failure: { problem: cause('ends_early'), offset: 5 } })
  })

  it.each([
    ['{"timeLimitedAuthToken":"abc","n":1.0}', '{"timeLimitedAuthToken":"[redacted]","n":1.0}'],
    [
      '{"API-Key":"a","apikey":"b","x_api_key":"c","PrivateKey":"d"}',
      marked('API-Key', 'apikey', 'x_api_key', 'PrivateKey'),
    ],
    [
      '{"Passwd":"a","db_password":"b","clientSecret":"c","AUTHORIZATION":"d"}',
      marked('Passwd', 'db_password', 'clientSecret', 'AUTHORIZATION'),
    ],
    [
      '{"session_id":"a","Set-Cookie":"b","bearer":"c","jwt":"d","credentials":"e"}',
      marked('session_id', 'Set-Cookie', 'bearer', 'jwt', 'credentials'),
    ],
    ['{"\\u0074oken":"a"}', '{"\\u0074oken":"[redacted]"}'],
    ['{"token":"a","token":"b"}', '{"token":"[redacted]","token":"[redacted]"}'],
    [
      '{"tokens":["a",{"of":"b","id":"c"},[["d"]],5,null,true,""]}',
      '{"tokens":["[redacted]",{"of":"[redacted]","id":"[redacted]"},[["[redacted]"]],5,null,true,""]}',
    ],
    [
      '{"password":4711,"passwords":[1,{"pin":2}]}',
      '{"password":"[redacted]","passwords":["[redacted]",{"pin":"[redacted]"}]}',
    ],
    ['[["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig"]]', '[["[redacted]"]]'],
    [
      '{"note":"Bearer abcdef","say":"send Basic aG9vazpwdw== now"}',
      '{"note":"[redacted]","say":"send [redacted] now"}',
    ],
    [
      '{"feed":"https://ida:pw@h.test/x?a=1&access_token=abc&b=2"}',
      '{"feed":"https://[redacted]@h.test/x?a=1&access_token=[redacted]&b=2"}',
    ],
    [
      '{"a":"https://h.test/#access_token=abc","b":"https://h.test/?a=1;token=abc","c":"https://h.test/#a=1&api_key=b"}',
      '{"a":"https://h.test/#access_token=[redacted]","b":"https://h.test/?a=1;token=[redacted]","c":"https://h.test/#a=1&api_key=[redacted]"}',
    ],
    ['{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig":{"AKIAIOSFODNN7EXAMPLE":1}}', '{"[redacted]":{"[redacted]":1}}'],
    ['{"pwd":"a","OTP":"b","csrf_x":"c","sid":"d","X-Auth":"e"}', marked('pwd', 'OTP', 'csrf_x', 'sid', 'X-Auth')],
    ['{"key":"-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY-----"}', '{"key":"[redacted]"}'],
    [
      '{"a":"AKIAIOSFODNN7EXAMPLE","b":"ghp_0123456789abcdef","c":"sk_live_0123456789"}',
      '{"a":"[redacted]","b":"[redacted]","c":"[redacted]"}',
    ],
  ])('marks the secrets of %s', (text, expected) => {
    expect(redactMetadata(text)).toEqual({ ok: true, value: { text: expected, changed: true } })
    expect(redactMetadata(expected)).toEqual({ ok: true, value: { text: expected, changed: false } })
  })

  it.each([
    '{"tokens_used":5,"hasToken":true,"token":null,"secret":""}',
    '{"footprint":"a","side":"b","inside":"c","x_author":"d"}',
    '{"secretary":"Jane","author":"Ida","section_id":"front","customContainers":[{"name":"eyJ"}]}',
    '{"title":"Bearer of good news","text":"A basic introduction to basic facts","link":"https://h.test/a?b=c"}',
    '{"version_id":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s","content_url":"https://h.test/?token=x"}',
    '{"id":"9b2f1c34-5d6e-4f70-8a9b-0c1d2e3f4a5b","hash":"f3a9c2d1e4b5a6978899aabbccddeeff00"}',
  ])('finds none in %s', (text) => {
    expect(redactMetadata(text)).toEqual({ ok: true, value: { text, changed: false } })
  })

  it('keeps generated documents valid and otherwise unchanged', () => {
    // Every key becomes `k`, and in the planted text each is preceded by a credential.
    const keys = (text: string, key: string): string =>
      text.replaceAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g, (string, colon) => (colon === undefined ? string : key + colon))
    const planted = jsonText.map((text) => ({
      plain: keys(text, '"k"'),
      text: keys(text, '"webhook_auth_user" : {"webhook_auth_x":[]},"k"'),
    }))
    fc.assert(
      fc.property(planted, ({ plain, text }) => {
        const result = redactMetadata(text)
        expect(result).toMatchObject({ ok: true, value: { changed: text !== plain } })
        if (result.ok) expect(jsonTokens(result.value.text)).toEqual(jsonTokens(plain))
      }),
      { seed: 20_260_808, numRuns: 300 },
    )
  })
})

describe('secrets anywhere in a document', () => {
  const canary = 'canary-5f2e'
  const secretKey = fc.constantFrom(
    'timeLimitedAuthToken',
    'Secret',
    'db-password',
    'API_KEY',
    'sessionId',
    'x.credential',
  )
  const jwt = `eyJhbGciOiJIUzI1NiJ9.${canary}.${canary}`
  /** A value with a secret inside, recognizable by its key or its form. */
  const { planted } = fc.letrec<{ planted: string }>((tie) => ({
    planted: fc.oneof(
      { depthSize: 'small' },
      fc.tuple(secretKey, jsonText).map(([key, other]) => `{"a":${other},"${key}":{"b":[${other},"${canary}"]}}`),
      fc.constantFrom(
        JSON.stringify(jwt),
        JSON.stringify(`x Bearer 1${canary}`),
        JSON.stringify(`//u:${canary}@h://u:${canary}@h`),
        JSON.stringify(`https://h/#access_token=${canary}`),
        JSON.stringify(`https://h/?a=1;token=${canary}`),
        `{"${jwt}":1}`,
      ),
      fc.tuple(jsonText, tie('planted'), jsonText).map(([a, b, c]) => `[${a},${b},${c}]`),
      fc.tuple(jsonText, tie('planted')).map(([a, b]) => `{"a":${a},"b":${b}}`),
    ),
  }))

  it('are gone, and the rest is as it was', () => {
    fc.assert(
      fc.property(planted, (text) => {
        for (const redacted of [redactMetadata(text), ok({ text: redactPayload(text), changed: true })]) {
          if (!redacted.ok) throw new Error(redacted.failure.problem.code)
          expect(redacted.value.changed).toBe(true)
          expect(redacted.value.text).not.toContain(canary)
          const [before, after] = [jsonTokens(text), jsonTokens(redacted.value.text)]
          expect(after.length).toBe(before.length)
          const differing = after.filter((token, at) => token !== before[at])
          expect(differing.every((token) => token.includes('[redacted]'))).toBe(true)
          // Redacted text does not change again: a kept archive is not rewritten at every repair.
          expect(redactMetadata(redacted.value.text)).toEqual(ok({ text: redacted.value.text, changed: false }))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('are found in linear time', () => {
    const tricky = [
      'eyJ-',
      'eyJaaaaaaaaa.',
      'bearer ',
      'bearer a',
      'basic ',
      '://a:',
      '://',
      '?token',
      '?&',
      '#;',
      ';token',
      'a?',
      '-----BEGIN PRIVATE KEY',
      'sk_live_',
      ' ',
    ]
    const textOf = (piece: string) => piece.repeat(Math.ceil(2 ** 20 / piece.length))
    for (const piece of tricky) {
      const before = process.threadCpuUsage()
      hideCredentials(textOf(piece))
      expect(process.threadCpuUsage(before).user / 1000, piece).toBeLessThan(2000)
    }
  })
})

describe('redactPayload', () => {
  it('hides likely secrets and drops signatures', () => {
    const text =
      '{"signature":"s","material_id":"1","metadata":{"timeLimitedAuthToken":{"a":"t"},"webhook_auth_user":"u","webhook_auth_password":7,"PASSWORD":1,"x_Secret":[],"authorization":null,"id":1.0}}'
    expect(redactPayload(text)).toBe(
      '{"material_id":"1","metadata":{"timeLimitedAuthToken":{"a":"[redacted]"},"webhook_auth_user":"[redacted]","webhook_auth_password":"[redacted]","PASSWORD":"[redacted]","x_Secret":[],"authorization":null,"id":1.0}}',
    )
  })

  it('keeps what the service and a replay require', () => {
    const text =
      '{"event":"article_saved","material_id":"eyJhbGciOiJIUzI1NiJ9.a.b","content_url":"https://u:p@h.test/?token=x"}'
    expect(redactPayload(text)).toBe(text)
  })

  it('shows nothing of other texts than JSON', () => {
    expect(redactPayload('password=x')).toBe('"[not JSON]"')
  })
})
