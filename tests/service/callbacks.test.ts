import { afterEach, beforeEach, expect, test } from 'vitest'

import { createSentCallbacks } from '../../packages/service/callbacks/sent-callbacks.ts'
import type { Service } from './support/service.ts'
import { key, refusalOf, secret, startService } from './support/service.ts'
import type { SiteStub } from './support/site-stub.ts'
import { savingSite, startSite } from './support/site-stub.ts'

let service: Service
let site: SiteStub
let fingerprint: string
beforeEach(async () => {
  site = await startSite(savingSite(key, secret))
  service = await startService()
  const metadata = { webhook_auth_user: 'u', webhook_auth_password: 'callback-password' }
  const session = await service.opened({ material_id: 'M', callback_url: site.callbackUrl, metadata })
  fingerprint = session['fingerprint'] ?? ''
})
afterEach(async () => {
  await service.emulator.close()
  await site.close()
})

const save = () => service.save(fingerprint, { html: '', state: {}, files: { a: 'AAAA' } })
const list = () => service.get<Record<string, unknown>[]>('/_emulator/callbacks')
const sendAgain = (id: number) => service.post(`/_emulator/callbacks/${id}/send`, {})
const stateOf = async () => (await service.session(fingerprint))['state']
const merged = { assets: { a: { clientUrl: 'https://cdn.example/a' } } }

test('every callback is listed with its answer, but without its credentials', async () => {
  await save()
  site.behaviour = () => ({ status: 500, body: 'it broke' })
  await service.post('/_emulator/fonts', { material_id: 'M', files: {}, css: '', tree: {} })
  const facts = {
    material_id: 'M',
    url: site.callbackUrl,
    again_of: null,
    sent_at: expect.any(String),
    ms: expect.any(Number),
  }
  const failed = { http_status: 500, answer: 'it broke', result: 'webhook_failed', error: 'http_error' }
  const answer = JSON.stringify({ rc: 1, rm: 'Saved successfully', data: { vms_json: merged } })
  const taken = { http_status: 200, answer, result: 'merged', error: null }
  const message = expect.any(String)
  const [fonts, saved] = site.callbacks
    .map(({ text }) =>
      text
        .replace('"callback-password"', '"[redacted]"')
        .replace('"webhook_auth_user":"u"', '"webhook_auth_user":"[redacted]"'),
    )
    .toReversed()
  expect(await list()).toEqual([
    { id: 2, event: 'site_fonts_updated', ...facts, payload: fonts, ...failed, message },
    { id: 1, event: 'article_saved', ...facts, payload: saved, ...taken, message },
  ])
  const page = await (await fetch(service.emulator.url)).text()
  expect(page).toContain('it broke')
  expect(page).toContain(`POST ${site.callbackUrl}`)
  expect(page).toContain('&quot;content_url&quot;')
  expect(page + JSON.stringify(await list())).not.toMatch(/callback-password|test-secret/)
})

test('a callback is listed before the site has answered', async () => {
  let answered = (): void => undefined
  const reached = new Promise<void>((reach) => {
    const behave = savingSite(key, secret)
    site.behaviour = async (callback) => {
      reach()
      await new Promise<void>((resolve) => (answered = resolve))
      return behave(callback)
    }
  })
  const saving = save()
  await reached
  expect(await list()).toMatchObject([{ id: 1, ms: null, http_status: null, result: null }])
  answered()
  await saving
  expect(await list()).toMatchObject([{ id: 1, http_status: 200, result: 'merged' }])
})

test('a failed save is merged when its callback is sent again, byte for byte the same', async () => {
  site.behaviour = () => ({ body: { rc: 0, rm: 'disk full' } })
  await save()
  site.behaviour = savingSite(key, secret)
  expect(await (await sendAgain(1)).json()).toMatchObject({ delivered: true, result: 'merged' })
  const [first, second] = site.callbacks
  expect(second?.text).toBe(first?.text)
  expect(second?.headers['x-service-signature']).toBe(first?.headers['x-service-signature'])
  expect(second?.headers.authorization).toBe(first?.headers.authorization)
  expect(await list()).toMatchObject([
    { id: 2, again_of: 1, result: 'merged' },
    { id: 1, result: 'rejected' },
  ])
  expect(await stateOf()).toEqual(merged)
})

test('a repetition is judged like the first delivery, and its failure removes no URL', async () => {
  await save()
  site.behaviour = () => ({ body: { rc: 1, rm: 'Saved successfully' } })
  expect(await (await sendAgain(1)).json()).toMatchObject({ result: 'webhook_failed', error: 'missing_vms_json' })
  expect(await stateOf()).toEqual(merged)
  expect((await service.session(fingerprint))['last_save']).toMatchObject({ result: 'merged' })
})

test('of a large answer the beginning is kept, and of many callbacks the newest hundred', async () => {
  site.behaviour = () => ({ body: 'x'.repeat(10_000) })
  await save()
  expect(String((await list())[0]?.['answer'])).toMatch(/^x{4000}…$/)
  site.behaviour = () => ({ body: { rc: 0, rm: 'no' } })
  for (let n = 0; n < 100; n += 1) await sendAgain(1 + n)
  const ids = (await list()).map(({ id }) => id)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 101, 2])
  expect(await refusalOf(await sendAgain(1))).toEqual([404, 'not_found', expect.stringMatching(/no longer listed/)])
})

test('large payloads push earlier ones out', async () => {
  const sent = createSentCallbacks(() => 0)
  const large = { event: 'article_saved', materialId: 'M', url: '', payload: ' '.repeat(10 * 1024 * 1024) } as const
  const outcome = { result: 'merged', error: null, message: '' } as const
  const exchange = async () => ({
    delivery: { delivered: true, httpStatus: 200, text: '', isUtf8: true } as const,
    outcome,
    report: '{}',
  })
  await sent.send(large, exchange)
  await sent.send(large, exchange)
  expect(sent.list().map(({ id }) => id)).toEqual([2])
})

test('callbacks of an expired session are not sent again', async () => {
  await save()
  await service.moveClock('2099-01-01T00:00:00Z')
  const answer = await sendAgain(1)
  expect([answer.status, site.callbacks.length, (await list()).length]).toEqual([404, 1, 1])
})
