import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { siteInputOf } from '../../../../packages/library/records/site-input.ts'
import { setUp } from './site-fixture.ts'

test('the self-test reports its findings as stable codes', async () => {
  const { calls } = await setUp()
  const checked = await calls.checkSite({ site: 'acme' })
  expect(checked).toMatchObject({ ok: true })
  const codes = checked.ok ? checked.value.map(({ name, ok, code }) => [name, ok, code]) : []
  expect(codes).toEqual([
    ['keychain', true, 'secret_untried'],
    ['base_url', true, 'service_answers'],
    ['listener', true, 'listener_runs'],
    ['callback_url', true, 'callback_reached'],
    ['public_read', true, 'public_readable'],
    ['font_cors', true, 'cors_allowed'],
    ['clock', true, 'clock_agrees'],
    ['disk', true, 'disk_fine'],
  ])
  expect(await calls.checkSite({ site: 'gone' })).toMatchObject({ failure: { code: 'unknown_site' } })
})

test('a secret counts as tried once a session was opened with it, until it changes or the service refuses it', async () => {
  const { calls, galley, service } = await setUp()
  const open = () =>
    galley.sessions.open({ site: 'acme', materialId: 'post-1', title: null, slug: null, metadata: null })
  const code = async () => {
    const checked = await calls.checkSite({ site: 'acme' })
    return checked.ok && checked.value.find(({ name }) => name === 'keychain')?.code
  }
  const store = async (secret: string) => {
    const site = galley.index.sites.find('acme')
    if (site) await galley.sites.save(siteInputOf(site), secret, { allowHttp: true })
  }
  expect((await open()).ok).toBe(true)
  expect(await code()).toBe('secret_readable')
  // Nothing is known anew of a service that does not answer the question.
  service.answerOpen({ status: 503, body: '' })
  expect((await open()).ok).toBe(false)
  expect(await code()).toBe('secret_readable')
  service.answerOpen(null)
  await store('another secret')
  expect(await code()).toBe('secret_untried')
  await store(service.secret)
  expect(await code()).toBe('secret_readable')
})

test('a stopped listener is started only for the self-test', async () => {
  const { calls, galley } = await setUp()
  await galley.listener.stop()
  const checked = await calls.checkSite({ site: 'acme' })
  expect(checked.ok && checked.value.filter(({ ok }) => !ok)).toEqual([])
  expect(checked.ok && checked.value.find(({ name }) => name === 'listener')).toMatchObject({ code: 'listener_free' })
  expect(galley.listener.state()).toEqual({ kind: 'stopped' })
})

test('concurrent self-tests share the listener, which stops with the last', async () => {
  const { calls, galley } = await setUp()
  await galley.listener.stop()
  const other = Promise.withResolvers<null>()
  const beside = galley.listener.whileProbing(() => other.promise)
  await calls.checkSite({ site: 'acme' })
  expect(galley.listener.state()).toMatchObject({ kind: 'listening' })
  other.resolve(null)
  await beside
  expect(galley.listener.state()).toEqual({ kind: 'stopped' })
})

test.each(['127.0.0.1', '0.0.0.0'])(
  'a listener that somebody starts on %s during the self-test stays on',
  async (host) => {
    const { calls, galley } = await setUp()
    const { port } = new URL(galley.listener.owner()?.url ?? '')
    await galley.listener.stop()
    const started = new Promise<void>((resolve) => {
      const stop = galley.listener.onState(({ kind }) => {
        if (kind !== 'listening') return
        stop()
        resolve(galley.listener.start(host, Number(port)).then(() => undefined))
      })
    })
    const checked = await calls.checkSite({ site: 'acme' })
    expect(checked.ok && checked.value.find(({ name }) => name === 'callback_url')).toMatchObject({ ok: true })
    await started
    expect(galley.listener.state()).toEqual({ kind: 'listening', url: `http://${host}:${port}` })
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  },
)

test.each([500, 502, 599])('a service that answers %d is out of order, and its date is ignored', async (status) => {
  const proxy = createServer((_request, response) => {
    response.writeHead(status, { date: 'Sat, 01 Jan 2000 00:00:00 GMT' }).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  const { calls, changeSite } = await setUp()
  changeSite({ baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/integration` })
  const checked = await calls.checkSite({ site: 'acme' })
  const found = checked.ok ? checked.value : []
  expect(found.find(({ name }) => name === 'base_url')).toMatchObject({
    ok: false,
    code: 'service_failed',
    facts: { status },
  })
  expect(found.find(({ name }) => name === 'clock')).toMatchObject({ ok: true, code: 'clock_unknown' })
})

test('a callback URL where another program responds, in any form, is not reported as unreachable', async () => {
  const other = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  const { calls, changeSite } = await setUp()
  const { port } = other.address() as AddressInfo
  changeSite({ callbackUrl: `http://127.0.0.1:${port}/callback/acme` })
  const codeOf = async () => {
    const checked = await calls.checkSite({ site: 'acme' })
    return checked.ok && checked.value.find(({ name }) => name === 'callback_url')?.code
  }
  expect(await codeOf()).toBe('callback_elsewhere')
  await new Promise((resolve) => other.close(resolve))
  expect(await codeOf()).toBe('callback_unreachable')
})

test('a listener with another secret, other credentials or another site at the callback URL is named as such', async () => {
  const { calls, changeSite, galley, service } = await setUp()
  const here = galley.index.sites.find('acme')
  if (!here) throw new Error('The site is not there')
  const other = await setUp()
  const codeWith = async (callbackUrl: string, callbackAuth: 'none' | 'basic' = 'none') => {
    changeSite({ callbackUrl, callbackAuth })
    const checked = await calls.checkSite({ site: 'acme' })
    return checked.ok && checked.value.find(({ name }) => name === 'callback_url')?.code
  }
  expect(await codeWith(here.callbackUrl)).toBe('callback_reached')
  const beside = await galley.sites.save({ ...siteInputOf(here), id: 'beside' }, service.secret, { allowHttp: true })
  if (!beside.ok) throw new Error('The other site was not saved')
  expect(await codeWith(here.callbackUrl.replace(/acme$/, 'beside'))).toBe('callback_other_site')
  expect(await codeWith(here.callbackUrl.replace(/acme$/, 'unknown'))).toBe('callback_other_site')
  const there = `${other.listener}/callback/acme`
  await other.galley.secrets.writer?.remove(here.id, 'of_service')
  expect(await codeWith(there)).toBe('callback_without_secret')
  await other.galley.secrets.writer?.setSecret(here.id, 'another secret')
  expect(await codeWith(there)).toBe('callback_other_secret')
  expect(await codeWith(here.callbackUrl, 'basic')).toBe('callback_needs_credentials')
  await galley.secrets.writer?.provideCallbackAuth(here.id, 'basic')
  await other.galley.secrets.writer?.setSecret(here.id, service.secret)
  await other.galley.secrets.writer?.provideCallbackAuth(here.id, 'basic')
  other.changeSite({ callbackAuth: 'basic' })
  expect(await codeWith(there, 'basic')).toBe('callback_other_credentials')
})

test('allowed domains that do not cover the media of the site are found', async () => {
  const { calls, changeSite } = await setUp()
  changeSite({ allowedDomains: ['example.com'] })
  const checked = await calls.checkSite({ site: 'acme' })
  expect(checked.ok && checked.value.filter(({ ok }) => !ok)).toMatchObject([
    { name: 'allowed_domains', code: 'domain_missing', facts: { name: '127.0.0.1' } },
  ])
})

test('the test file in a folder is readable for a web server, whatever the umask is', async () => {
  const { calls, changeSite, folder } = await setUp()
  const web = join(folder, '../web-of-check')
  onTestFinished(() => rm(web, { recursive: true, force: true }))
  const seen: number[] = []
  const server = createServer((request, response) => {
    const file = join(web, request.url ?? '')
    seen.push(statSync(file).mode & 0o777, statSync(web).mode & 0o777)
    response.setHeader('access-control-allow-origin', '*').end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const umask = process.umask(0o077)
  onTestFinished(() => void process.umask(umask))
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  changeSite({ publish: { kind: 'folder', directory: web }, publicUrl })
  const checked = await calls.checkSite({ site: 'acme' })
  expect(checked.ok && checked.value.filter(({ ok }) => !ok)).toEqual([])
  expect(seen).toEqual([0o644, 0o755])
})

test.each<[string, string, RequestListener]>([
  ['that has no media', 'public_missing', (_request, response) => response.writeHead(404).end()],
  [
    'with a page for every path',
    'public_page',
    (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
  ],
  ['with an answer for every path', 'public_different', (_request, response) => response.end('{"ok":true}')],
])('a public URL at a server %s is found, where the listener serves the media', async (_title, code, answer) => {
  const other = createServer(answer).listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => {
    other.closeAllConnections()
    other.close()
  })
  const { calls, changeSite } = await setUp()
  changeSite({ publicUrl: `http://127.0.0.1:${(other.address() as AddressInfo).port}` })
  const checked = await calls.checkSite({ site: 'acme' })
  expect(checked.ok && checked.value.filter(({ ok }) => !ok)).toMatchObject([
    { name: 'public_read', code: 'public_unreadable', facts: { why: { code } } },
  ])
})

test('the test file of a self-test is gone afterwards', async () => {
  const { calls, changeSite, listener } = await setUp()
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '')
    fetch(`${listener}${request.url}`).then(
      async (found) => response.writeHead(found.status).end(await found.bytes()),
      () => response.writeHead(502).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  changeSite({ publicUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` })
  const checked = await calls.checkSite({ site: 'acme' })
  expect(checked.ok && checked.value.filter(({ ok }) => !ok)).toMatchObject([
    { name: 'font_cors', code: 'cors_missing' },
  ])
  expect(asked).toEqual([expect.stringMatching(/^\/fonts\/galley-probe-/)])
  expect((await fetch(`${listener}${asked[0]}`)).status).toBe(404)
})
