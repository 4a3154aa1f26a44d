import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { siteHandlers } from '../../../../src/main/ipc/handlers/sites.ts'
import { createTestGalley, temporaryFolder } from '../../../support/test-galley.ts'
import { testDesktop } from '../../../support/test-window.ts'

async function house(options: Parameters<typeof createTestGalley>[0] = {}) {
  const made = await createTestGalley(options)
  const { desktop, chosen } = testDesktop()
  const calls = siteHandlers(made.galley, desktop, () => undefined)
  return { ...made, calls, chosen, file: join(await temporaryFolder(), 'sites.json') }
}

test('sites leave for a file without a secret, and come back from it', async () => {
  const { calls, chosen, file, service, galley } = await house({ site: { allowedDomains: ['a.test'] } })
  chosen.push(file, file)
  expect(await calls.exportSites({ sites: [] })).toEqual({ ok: true, value: { path: file, count: 1 } })
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain(service.secret)
  const read = await calls.readSitesFile(undefined)
  expect(read).toMatchObject({
    ok: true,
    value: [{ isKnown: true, problem: null, form: { id: 'acme', secret: null, allowedDomains: ['a.test'] } }],
  })
  if (!read.ok || read.value === null) throw new Error('nothing was read')
  const form = { ...read.value[0]!.form, id: 'copy', maxContentBytes: 5_000_000 }
  expect(await calls.saveSite(form)).toMatchObject({ ok: true, value: { id: 'copy', secret: 'missing' } })
  expect(galley.index.sites.find('copy')).toMatchObject({ maxContentBytes: 5_000_000, allowedDomains: ['a.test'] })
})

test('a file that is no list of sites, and a site that cannot be used', async () => {
  const { calls, chosen, file } = await house()
  chosen.push(file, file, null, '/nowhere/at/all.json')
  await writeFile(file, '{"format":"other"}')
  expect(await calls.readSitesFile(undefined)).toMatchObject({ failure: { code: 'not_a_sites_file' } })
  const site = {
    id: 'x',
    name: 'X',
    environment: 'dev',
    baseUrl: 'nonsense',
    apiKey: 'k',
    callbackUrl: 'https://a.test/c',
  }
  const rest = { publicUrl: null, allowedDomains: [], unknownMaterials: 'refuse', callbackAuth: 'none' }
  await writeFile(file, JSON.stringify({ format: 'galley-sites', version: 1, sites: [{ ...site, ...rest }] }))
  expect(await calls.readSitesFile(undefined)).toMatchObject({ ok: true, value: [{ problem: { field: 'baseUrl' } }] })
  expect(await calls.readSitesFile(undefined)).toEqual({ ok: true, value: null })
  expect(await calls.readSitesFile(undefined)).toMatchObject({
    failure: { code: 'file_failed', facts: { reason: 'ENOENT' } },
  })
})

test('plain http is imported only where the file says that it is allowed, as an exported file does', async () => {
  const { calls, chosen, file } = await house()
  const rest = { id: 'plain', name: 'Plain', environment: 'prod' as const, baseUrl: 'http://svc.test/i', apiKey: 'k' }
  const form = {
    ...rest,
    callbackUrl: 'https://a.test/c',
    publicUrl: null,
    allowedDomains: [],
    unknownMaterials: 'refuse' as const,
    callbackAuth: 'none' as const,
  }
  const refused = { ok: false, failure: { code: 'invalid_site', field: 'baseUrl', facts: { state: 'plain_http' } } }
  expect(await calls.saveSite({ ...form, secret: null })).toMatchObject(refused)
  expect(await calls.saveSite({ ...form, secret: null, allowHttp: true })).toMatchObject({
    ok: true,
    value: { allowHttp: true },
  })

  chosen.push(file, file, file)
  await calls.exportSites({ sites: ['plain'] })
  expect(await calls.readSitesFile(undefined)).toMatchObject({
    value: [{ problem: null, form: { id: 'plain', allowHttp: true } }],
  })
  await writeFile(file, (await readFile(file, 'utf8')).replace(/,\s*"allowHttp": true/, ''))
  const read = await calls.readSitesFile(undefined)
  expect(read).toMatchObject({ value: [{ problem: { field: 'baseUrl', reason: 'plain_http' } }] })
  // A window that asks all the same is refused.
  if (!read.ok || !read.value?.[0]) throw new Error('nothing was read')
  expect(await calls.saveSite({ ...read.value[0].form, id: 'other' })).toMatchObject(refused)
})

test('the self-test tells what it found by stable words', async () => {
  const { calls } = await house()
  const checked = await calls.checkSite({ site: 'acme' })
  expect(checked).toMatchObject({ ok: true })
  const codes = checked.ok ? checked.value.map(({ name, ok, code }) => [name, ok, code]) : []
  expect(codes).toEqual([
    ['keychain', true, 'secret_readable'],
    ['base_url', true, 'service_answers'],
    ['listener', true, 'listener_runs'],
    ['callback_url', true, 'callback_reached'],
    ['clock', true, 'clock_agrees'],
    ['disk', true, 'disk_fine'],
  ])
  expect(await calls.checkSite({ site: 'gone' })).toMatchObject({ failure: { code: 'unknown_site' } })
})

test('a listener that was stopped is started for the self-test alone', async () => {
  const { calls, galley } = await house()
  await galley.stopListener()
  const checked = await calls.checkSite({ site: 'acme' })
  expect(checked.ok && checked.value.filter(({ ok }) => !ok)).toEqual([])
  expect(checked.ok && checked.value.find(({ name }) => name === 'listener')).toMatchObject({ code: 'listener_free' })
  expect(galley.listenerState()).toEqual({ kind: 'stopped' })
})

test('self-tests side by side share the listener, which goes with the last', async () => {
  const { calls, galley } = await house()
  await galley.stopListener()
  const other = Promise.withResolvers<null>()
  const beside = galley.whileProbing(() => other.promise)
  await calls.checkSite({ site: 'acme' })
  expect(galley.listenerState()).toMatchObject({ kind: 'listening' })
  other.resolve(null)
  await beside
  expect(galley.listenerState()).toEqual({ kind: 'stopped' })
})

test.each(['127.0.0.1', '0.0.0.0'])(
  'a listener that somebody starts on %s during the self-test stays on',
  async (host) => {
    const { calls, galley } = await house()
    const { port } = new URL(galley.owner()?.url ?? '')
    await galley.stopListener()
    const started = new Promise<void>((resolve) => {
      const stop = galley.onListenerState(({ kind }) => {
        if (kind !== 'listening') return
        stop()
        resolve(galley.startListener(host, Number(port)).then(() => undefined))
      })
    })
    const checked = await calls.checkSite({ site: 'acme' })
    expect(checked.ok && checked.value.find(({ name }) => name === 'callback_url')).toMatchObject({ ok: true })
    await started
    expect(galley.listenerState()).toEqual({ kind: 'listening', url: `http://${host}:${port}` })
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  },
)

test.each([500, 502, 599])('a service that answers %d is out of order, and its date tells nothing', async (status) => {
  const proxy = createServer((_request, response) => {
    response.writeHead(status, { date: 'Sat, 01 Jan 2000 00:00:00 GMT' }).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  const { calls, galley } = await house()
  const site = galley.index.sites.find('acme')
  if (!site) throw new Error('The site is not there')
  galley.index.sites.put({ ...site, baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/integration` })
  const checked = await calls.checkSite({ site: 'acme' })
  const found = checked.ok ? checked.value : []
  expect(found.find(({ name }) => name === 'base_url')).toMatchObject({
    ok: false,
    code: 'service_failed',
    facts: { status },
  })
  expect(found.find(({ name }) => name === 'clock')).toMatchObject({ ok: true, code: 'clock_unknown' })
})

test('a callback URL behind which another program answers, in whatever form, is not said to be unreachable', async () => {
  const other = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  const { calls, galley } = await house()
  const site = galley.index.sites.find('acme')
  if (!site) throw new Error('The site is not there')
  const { port } = other.address() as AddressInfo
  galley.index.sites.put({ ...site, callbackUrl: `http://127.0.0.1:${port}/callback/acme` })
  const codeOf = async () => {
    const checked = await calls.checkSite({ site: 'acme' })
    return checked.ok && checked.value.find(({ name }) => name === 'callback_url')?.code
  }
  expect(await codeOf()).toBe('callback_elsewhere')
  await new Promise((resolve) => other.close(resolve))
  expect(await codeOf()).toBe('callback_unreachable')
})
