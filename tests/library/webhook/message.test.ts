import { describe, expect, test } from 'vitest'

import { isWebhookUrl } from '../../../packages/library/records/webhook-setting.ts'
import { newsOf, nextWaitMs, webhookBody, webhookSecret } from '../../../packages/library/records/webhook.ts'
import { newWebhookSecret, webhookHeaders } from '../../../packages/library/webhook/signature.ts'

test('signatures are those of the libraries of Standard Webhooks', () => {
  // The vector of their tests.
  const headers = webhookHeaders(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1614265330_000),
    '{"test": 2432232314}',
  )
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('secrets have 24 to 64 bytes', () => {
  const isSecret = (text: string) => webhookSecret.safeParse(text).success
  const ofBytes = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
  expect(isSecret(newWebhookSecret())).toBe(true)
  for (let bytes = 24; bytes <= 64; bytes++) expect([bytes, isSecret(ofBytes(bytes))]).toEqual([bytes, true])
  for (const bytes of [0, 1, 16, 23, 65, 100]) expect([bytes, isSecret(ofBytes(bytes))]).toEqual([bytes, false])
  for (const text of ['', 'whsec_', ofBytes(32).slice(6), `${ofBytes(32)}\n`, `whsec_${'-'.repeat(32)}`])
    expect(isSecret(text)).toBe(false)
})

test.each([
  ['https://hooks.example/a?b=c', true],
  ['https://10.0.0.1/a', true],
  ['http://127.0.0.1:8000/', true],
  ['http://[::1]/', true],
  ['http://localhost/', true],
  ['http://hooks.example/', false],
  ['http://10.0.0.1/', false],
  ['http://127.0.0.1.example.com/', false],
  ['https://user@hooks.example/', false],
  ['https://hooks.example/#part', false],
  ['file:///etc/passwd', false],
  [`https://hooks.example/${'a'.repeat(2000)}`, false],
  ['hooks.example', false],
])('%s may be a webhook: %s', (url, expected) => expect(isWebhookUrl(url)).toBe(expected))

describe('the waits before further attempts', () => {
  test('are those that Standard Webhooks recommends, with at most a tenth more', () => {
    const seconds = (random: number) => Array.from({ length: 10 }, (_, at) => (nextWaitMs(at, random, 0) ?? 0) / 1000)
    expect(seconds(0)).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
    expect(seconds(1)).toEqual([0, 5.5, 330, 1980, 7920, 19_800, 39_600, 55_440, 79_200, 95_040])
    expect(nextWaitMs(10, 0, 0)).toBeNull()
  })
  test('are longer where the receiver asks for it, and no attempt is added', () => {
    expect(nextWaitMs(1, 0, 60_000)).toBe(60_000)
    expect(nextWaitMs(4, 0, 60_000)).toBe(7_200_000)
    expect(nextWaitMs(10, 0, 60_000)).toBeNull()
  })
})

test('a change of many versions is told for each, and one that decides nothing is not told', () => {
  const of = ['one', 'two'].map((versionId) => ({ materialId: 'post', versionId }))
  const change = { kind: 'fields_set', record: 'version', site: 'acme', of } as const
  const verdict = { reason: 'r', by: 'Ida', at: '2026-11-29T12:00:00.000Z', baseline: null }
  const told = (set: object) => newsOf({ ...change, set }).map(({ type, versionId }) => [type, versionId])
  expect(told({ verdict: { ...verdict, decision: 'approved' } })).toEqual([
    ['review.approved', 'one'],
    ['review.approved', 'two'],
  ])
  for (const set of [{ note: 'n' }, { pinned: true }, { verdict: { ...verdict, decision: 'cleared' } }])
    expect(told(set)).toEqual([])
})

test('a body has no name unless the site allows it', () => {
  const news = {
    type: 'review.approved',
    site: 'acme',
    at: 'now',
    materialId: 'm',
    versionId: 'v',
    decision: 'approved',
  } as const
  const facts = { title: 'T', number: 3, quotes: ['a place'], link: null }
  const data = {
    site: 'acme',
    material_id: 'm',
    title: 'T',
    version_id: 'v',
    number: 3,
    decision: 'approved',
    reason: '',
  }
  const body = (withNames: boolean) =>
    JSON.parse(webhookBody({ ...news, reason: '', by: 'Ida' }, { ...facts, withNames })) as unknown
  expect(body(false)).toEqual({ type: news.type, timestamp: 'now', data: { ...data, quotes: ['a place'] } })
  const link = 'https://cms.example/edit/m'
  expect(JSON.parse(webhookBody(news, { ...facts, link, withNames: false }))).toMatchObject({ data: { link } })
  expect(body(true)).toEqual({ type: news.type, timestamp: 'now', data: { ...data, quotes: ['a place'], by: 'Ida' } })
})
