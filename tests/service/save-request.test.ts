import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Service } from './support/service.ts'
import { key, secret, startService } from './support/service.ts'
import type { SiteStub } from './support/site-stub.ts'
import { savingSite, startSite } from './support/site-stub.ts'

let service: Service
let site: SiteStub
let fingerprint: string
beforeEach(async () => {
  site = await startSite(savingSite(key, secret))
  service = await startService()
  const session = await service.opened({ material_id: 'Статья/1', callback_url: site.callbackUrl })
  fingerprint = session['fingerprint'] ?? ''
})
afterEach(async () => {
  await service.emulator.close()
  await site.close()
})

describe('the save command', () => {
  const filesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, '']))

  test.each([
    ['no html', { state: {} }],
    ['no state', { html: '' }],
    ['a state that is a list', { html: '', state: [1] }],
    ['not base64', { html: '', state: {}, files: { a: '****' } }],
    ['base64 cut short', { html: '', state: {}, files: { a: 'AAA' } }],
    ['a name that climbs', { html: '', state: {}, files: { '../a': '' } }],
    ['a name with a backslash', { html: '', state: {}, files: { 'a\\b': '' } }],
    ['an absolute name', { html: '', state: {}, files: { '/a': '' } }],
    ['a name that no ZIP holds', { html: '', state: {}, files: { ['é'.repeat(32_600)]: '' } }],
    ['more files than a ZIP holds', { html: '', state: {}, files: filesOf(65_001) }],
  ])('400 for %s', async (_name, body) => {
    expect((await service.post(`/_emulator/sessions/${fingerprint}/save`, body)).status).toBe(400)
    expect(site.callbacks).toEqual([])
  })

  test('404 for an unknown session', async () =>
    expect((await service.post('/_emulator/sessions/nobody/save', { html: '', state: {} })).status).toBe(404))
})

describe('Authorization of callbacks', () => {
  test.each([
    [{}, undefined],
    [{ webhook_auth_user: '', webhook_auth_password: 'p' }, undefined],
    [{ webhook_auth_user: 7, webhook_auth_password: 'p' }, undefined],
    [{ webhook_auth_user: 'ü', webhook_auth_password: 'p:q' }, `Basic ${Buffer.from('ü:p:q').toString('base64')}`],
    [{ webhook_auth_user: 'token' }, 'Bearer token'],
    [{ webhook_auth_user: 'token', webhook_auth_password: '' }, 'Bearer token'],
    [{ webhook_auth_user: 'token', webhook_auth_password: 7 }, 'Bearer token'],
    [{ webhook_auth_user: 'Bearer token' }, 'Bearer token'],
  ])('%j', async (metadata, expected) => {
    await service.opened({ material_id: 'Статья/1', callback_url: site.callbackUrl, metadata })
    await service.save(fingerprint, { html: '', state: {} })
    expect(site.callbacks.at(-1)?.headers.authorization).toBe(expected)
  })

  test('credentials that fit in no header fail the webhook, not the emulator', async () => {
    const metadata = { webhook_auth_user: 'a\r\nX-Evil: 1' }
    await service.opened({ material_id: 'Статья/1', callback_url: site.callbackUrl, metadata })
    expect(await service.save(fingerprint, { html: '', state: {} })).toMatchObject({ error: 'invalid_credentials' })
  })
})
