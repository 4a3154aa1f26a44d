import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { hostname } from 'node:os'
import type { SiteId } from '@galley/wire'
import { describe, expect, test } from 'vitest'

import { createAuthority } from '../../support/certificates.ts'
import { aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'
import type { TestGalley } from '../../support/test-galley.ts'
import { isVerified, startReceiver } from './receiver.ts'

const site: SiteId = 'acme'
const minute = 60_000
const hour = 60 * minute

/** A clock that tests move. */
function aClock() {
  let at = Date.parse('2026-11-29T12:00:00.000Z')
  return { now: () => new Date(at), pass: (ms: number): void => void (at += ms) }
}

async function aWebhook(edges: NonNullable<Parameters<typeof createTestGalley>[0]>['edges'] = {}) {
  const clock = aClock()
  const receiver = await startReceiver()
  const fixture = await createTestGalley({ edges: { now: clock.now, ...edges } })
  const set = await fixture.galley.webhooks.set(site, { url: receiver.url })
  if (!set.ok) throw new Error(JSON.stringify(set.failure))
  const { newSecret: secret } = set.value
  clock.pass(1)
  return { ...fixture, receiver, clock, secret: secret ?? '', state: set.value.setting.state }
}

async function saved({ service, know, post }: Pick<TestGalley, 'service' | 'know' | 'post'>, versionId: string) {
  await know('post-1')
  const save = aSave(service, { versionId })
  const answer = await post(save.body, save.headers)
  expect(answer.status).toBe(200)
}

const deliveries = ({ galley }: Pick<TestGalley, 'galley'>) => galley.index.webhooks.of(site, 100)

test('a stored version is told once, signed as Standard Webhooks has it', async () => {
  const fixture = await aWebhook()
  const { galley, receiver, secret, clock } = fixture
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await saved(fixture, 'one')
  await galley.webhooks.sendDue()
  await galley.webhooks.sendDue()
  const [first, second] = receiver.received
  expect(second).toBeUndefined()
  expect(first?.message).toEqual({
    type: 'version.stored',
    timestamp: clock.now().toISOString(),
    data: { site: 'acme', material_id: 'post-1', title: expect.any(String) as string, version_id: 'one', number: 1 },
  })
  expect(first && isVerified(first, secret, clock.now())).toBe(true)
  expect(first && isVerified({ ...first, body: `${first.body} ` }, secret, clock.now())).toBe(false)
  expect(first?.headers).toMatchObject({ 'content-type': 'application/json' })
  expect(first?.body).not.toMatch(/editor@example|192\.0\.2\.7/)
  expect(deliveries(fixture)).toMatchObject([{ state: 'delivered', attempts: 1, status: 204, cause: null }])
})

test('decisions, failed saves and publications are told, names only where the site allows it', async () => {
  const fixture = await aWebhook()
  const { galley, receiver, service, know, post } = fixture
  await saved(fixture, 'one')
  const version = { materialId: 'post-1', versionId: 'one' }
  const comment = { site, ...version, by: 'Ida', at: galley.now().toISOString(), text: 'Which quay?' }
  const anchor = { kind: 'text', exact: 'the quay', prefix: '', suffix: '', start: 0 } as const
  galley.index.commit.now(() => [{ kind: 'comment_added', comment: { ...comment, id: randomUUID(), anchor } }])
  const decide = (decision: 'approved' | 'changes_requested' | 'cleared', reason = '') =>
    galley.index.fields.set('version', site, [version], {
      verdict: { decision, reason, by: 'Ida', at: galley.now().toISOString(), baseline: null },
    })
  decide('changes_requested', 'Name the quay')
  galley.index.fields.set('site', site, [{}], { namesInWebhook: true })
  decide('approved')
  decide('cleared')
  await know('post-2')
  const broken = aSave(service, { materialId: 'post-2', versionId: 'x', archive: Buffer.from('no ZIP') })
  await post(broken.body, broken.headers)
  // Anybody can send what is not signed.
  await post(broken.body, {})
  galley.index.releases.add({
    id: 'r1',
    site,
    target: 'live',
    at: galley.now().toISOString(),
    record: 'a'.repeat(64),
    rollbackOf: null,
    by: 'person',
    counts: { files: 1, added: 1, changed: 0, removed: 0, unchanged: 0, bytes: 1 },
    pages: [],
    links: null,
  })
  await galley.webhooks.sendDue()
  const told = receiver.received.map(({ message: { type, data } }) => [type, data])
  const about = {
    site: 'acme',
    material_id: 'post-1',
    title: expect.any(String) as string,
    version_id: 'one',
    number: 1,
  }
  expect(told).toEqual([
    ['version.stored', about],
    [
      'review.changes_requested',
      { ...about, decision: 'changes_requested', reason: 'Name the quay', quotes: ['the quay'] },
    ],
    ['review.approved', { ...about, decision: 'approved', reason: '', quotes: ['the quay'], by: 'Ida' }],
    [
      'save.failed',
      { site: 'acme', material_id: 'post-2', title: expect.any(String) as string, code: 'invalid_archive' },
    ],
    ['site.published', { site: 'acme', release: 'r1', target: 'live' }],
  ])
})

test('only chosen events are told, and none without a webhook', async () => {
  const fixture = await aWebhook()
  const { galley, receiver } = fixture
  await galley.webhooks.set(site, { events: ['site.published'] })
  await saved(fixture, 'one')
  await galley.webhooks.set(site, { events: ['version.stored'] })
  await galley.webhooks.set(site, { url: null })
  await saved(fixture, 'two')
  await galley.webhooks.sendDue()
  expect(receiver.received).toEqual([])
  expect(deliveries(fixture)).toEqual([])
  expect(await galley.webhooks.of(site)).toMatchObject({ url: null, state: 'off', hasSecret: false })
})

describe('a receiver that fails', () => {
  test('is asked again as Standard Webhooks recommends, with the same id and a new timestamp, and then no more', async () => {
    const fixture = await aWebhook()
    const { galley, receiver, clock, secret } = fixture
    receiver.state.answer = (response) => void response.writeHead(500).end()
    await saved(fixture, 'one')
    await galley.webhooks.sendDue()
    const waits = [5000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
    for (const [at, wait] of waits.entries()) {
      expect(receiver.received).toHaveLength(at + 1)
      clock.pass(wait - 1)
      await galley.webhooks.sendDue()
      expect(receiver.received).toHaveLength(at + 1)
      // The jitter is at most a tenth.
      clock.pass(wait / 10 + 1)
      await galley.webhooks.sendDue()
    }
    clock.pass(1000 * hour)
    await galley.webhooks.sendDue()
    expect(receiver.received).toHaveLength(10)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    expect(deliveries(fixture)).toMatchObject([{ state: 'failed', attempts: 10, status: 500, nextAt: null }])
    expect(galley.webhooks.problem(site)).toEqual({ code: 'webhook_status', name: 500 })

    receiver.state.answer = (response) => void response.writeHead(200).end()
    const [failed] = deliveries(fixture)
    const again = await galley.webhooks.resend(failed?.id ?? '')
    expect(again).toMatchObject({ state: 'delivered', status: 200 })
    const last = receiver.received.at(-1)
    expect(last?.headers['webhook-id']).toBe(failed?.id)
    expect(last && isVerified(last, secret, clock.now())).toBe(true)
    expect(galley.webhooks.problem(site)).toBeNull()
  })

  test('410 turns the webhook off until a person saves it again', async () => {
    const fixture = await aWebhook()
    const { galley, receiver } = fixture
    receiver.state.answer = (response) => void response.writeHead(410).end()
    await saved(fixture, 'one')
    await saved(fixture, 'two')
    await galley.webhooks.sendDue()
    await saved(fixture, 'three')
    await galley.webhooks.sendDue()
    expect(receiver.received).toHaveLength(1)
    expect(await galley.webhooks.of(site)).toMatchObject({ state: 'gone', problem: { code: 'webhook_gone' } })
    expect(deliveries(fixture).map(({ state }) => state)).toEqual(['failed', 'failed'])

    receiver.state.answer = (response) => void response.writeHead(200).end()
    await galley.webhooks.set(site, { url: receiver.url })
    expect(await galley.webhooks.of(site)).toMatchObject({ state: 'on', problem: null })
    await saved(fixture, 'four')
    await galley.webhooks.sendDue()
    expect(receiver.received).toHaveLength(2)
  })

  test.each([301, 302, 303, 307, 308])('a redirect (%s) is not followed', async (status) => {
    const fixture = await aWebhook()
    const elsewhere = await startReceiver()
    fixture.receiver.state.answer = (response) => void response.writeHead(status, { location: elsewhere.url }).end()
    await saved(fixture, 'one')
    await fixture.galley.webhooks.sendDue()
    expect(elsewhere.state.connections).toBe(0)
    expect(deliveries(fixture)).toMatchObject([{ state: 'waiting', cause: { code: 'webhook_redirect' } }])
  })

  test.each([429, 503])('Retry-After of %s holds back everything for this site', async (status) => {
    const fixture = await aWebhook()
    const { galley, receiver, clock } = fixture
    receiver.state.answer = (response) => void response.writeHead(status, { 'retry-after': '600' }).end()
    await saved(fixture, 'one')
    await saved(fixture, 'two')
    await galley.webhooks.sendDue()
    clock.pass(599_000)
    await galley.webhooks.sendDue()
    expect(receiver.received).toHaveLength(1)
    clock.pass(2000)
    await galley.webhooks.sendDue()
    expect(receiver.received.length).toBeGreaterThan(1)
  })

  test('a receiver that does not answer is given up after the time limit', async () => {
    const fixture = await aWebhook({ webhookTimeoutMs: 300 })
    fixture.receiver.state.answer = () => undefined
    await saved(fixture, 'one')
    await fixture.galley.webhooks.sendDue()
    expect(deliveries(fixture)).toMatchObject([{ state: 'waiting', status: null, cause: { code: 'host_late' } }])
  })

  test('an endless body is not read', async () => {
    const fixture = await aWebhook()
    const sent = { bytes: 0 }
    fixture.receiver.state.answer = (response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent.bytes += 65_536
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    await saved(fixture, 'one')
    await fixture.galley.webhooks.sendDue()
    expect(deliveries(fixture)).toMatchObject([{ state: 'delivered' }])
    expect(sent.bytes).toBeLessThan(16 * 1024 ** 2)
  })

  test('an answer that is no HTTP, and headers without end, are failures', async () => {
    const fixture = await aWebhook()
    const answers: (typeof fixture.receiver.state.answer)[] = [
      ({ socket }) => void socket?.end('nonsense\r\n\r\n'),
      ({ socket }) => void socket?.end(`HTTP/1.1 200 OK\r\n${'x-more: 1\r\n'.repeat(20_000)}\r\n`),
    ]
    for (const answer of answers) {
      fixture.receiver.state.answer = answer
      const sent = await fixture.galley.webhooks.test(site)
      expect(sent).toMatchObject({ state: 'waiting', status: null, cause: { code: 'host_unreadable' } })
    }
  })

  test('another site is told meanwhile, and one site gets one request at a time', async () => {
    const fixture = await aWebhook()
    const { galley, receiver } = fixture
    const open = { now: 0, most: 0 }
    receiver.state.answer = (response) => {
      open.now += 1
      open.most = Math.max(open.most, open.now)
      setImmediate(() => {
        open.now -= 1
        response.writeHead(204).end()
      })
    }
    for (const id of ['one', 'two', 'three']) await saved(fixture, id)
    await Promise.all([galley.webhooks.sendDue(), galley.webhooks.sendDue()])
    expect(receiver.received).toHaveLength(3)
    expect(open.most).toBe(1)
  })
})

test('what waits survives a restart, and is sent with the same id', async () => {
  const folder = await temporaryFolder()
  const clock = aClock()
  const receiver = await startReceiver()
  const before = await createTestGalley({ edges: { folder, now: clock.now } })
  await before.galley.webhooks.set(site, { url: receiver.url })
  await saved(before, 'one')
  const [waiting] = deliveries(before)
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 0 })
  await before.close()
  const after = await createTestGalley({ edges: { folder, now: clock.now } })
  expect(deliveries(after)).toMatchObject([{ id: waiting?.id, state: 'waiting' }])
  // The keychain of these tests is memory, so the secret is entered again.
  await after.galley.webhooks.set(site, { secret: `whsec_${'A'.repeat(32)}` })
  await after.galley.webhooks.sendDue()
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([waiting?.id])
})

describe('private addresses', () => {
  test.each([
    'http://example.com/',
    'http://10.0.0.1/',
    'ftp://127.0.0.1/',
    'https://a:b@example.com/',
    'https://x/#y',
    '',
  ])('%j cannot be a webhook', async (url) => {
    const { galley } = await createTestGalley({ listen: false })
    expect(await galley.webhooks.set(site, { url })).toMatchObject({ ok: false, failure: { field: 'url' } })
    expect(await galley.webhooks.of(site)).toMatchObject({ url: null, state: 'off' })
  })

  test('a name that leads to a private address is told nothing, until a person confirms that address', async () => {
    const authority = createAuthority()
    const { address } = await lookup(hostname())
    const receiver = await startReceiver(authority.issue(hostname()), '0.0.0.0')
    const fixture = await createTestGalley({ edges: { environment: { GALLEY_CA_CERTS: authority.file } } })
    const { webhooks } = fixture.galley
    const url = `https://${hostname()}:${receiver.port}/`
    expect(await webhooks.set(site, { url })).toMatchObject({ ok: true })
    expect(await webhooks.test(site)).toMatchObject({ cause: { code: 'webhook_private', name: address } })
    expect(receiver.state.connections).toBe(0)
    expect(await webhooks.of(site)).toMatchObject({ metAddress: address })
    // Another address is not that very address.
    await webhooks.set(site, { address: '10.255.255.1' })
    expect(await webhooks.test(site)).toMatchObject({ cause: { code: 'webhook_private', name: address } })
    expect(receiver.state.connections).toBe(0)
    await webhooks.set(site, { address })
    expect(await webhooks.test(site)).toMatchObject({ state: 'delivered' })
    // What was confirmed for one URL does not count for another.
    await webhooks.set(site, { url: `${url}other` })
    expect(await webhooks.of(site)).toMatchObject({ addresses: [] })
    authority.remove()
  })
})
