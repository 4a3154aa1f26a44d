import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import type { SiteForm } from '../../../../src/contract/ipc/sites.ts'
import { siteInputOf } from '../../../../src/contract/site-input.ts'
import { openGalley } from '../../../support/open-galley.ts'
import type { TestGalley } from '../../../support/test-galley.ts'
import { createTestGalley, temporaryFolder } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

async function house(options: Parameters<typeof createTestGalley>[0] = {}) {
  const made = await createTestGalley(options)
  const window = testWindow(made.galley)
  return { ...made, ...window, file: join(await temporaryFolder(), 'sites.json') }
}

test('sites leave for a file without a secret, and come back from it', async () => {
  const { calls, chosen, file, service } = await house({ site: { allowedDomains: ['a.test'] } })
  chosen.push(file, file)
  expect(await calls.exportSites({ sites: [] })).toEqual({ ok: true, value: { path: file, count: 1 } })
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain(service.secret)
  const read = await calls.readSitesFile(undefined)
  const settings = { baseUrl: service.baseUrl, publish: 'listener' }
  expect(read).toMatchObject({
    ok: true,
    value: { sites: [{ id: 'acme', name: 'Acme', problem: null, settings, replaces: settings }] },
  })
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
  expect(await calls.readSitesFile(undefined)).toMatchObject({
    ok: true,
    value: { sites: [{ problem: { field: 'baseUrl' } }] },
  })
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
    value: { sites: [{ problem: null, id: 'plain', plain: expect.any(Array) }] },
  })
  await writeFile(file, (await readFile(file, 'utf8')).replace(/,\s*"allowHttp": true/, ''))
  const read = await calls.readSitesFile(undefined)
  expect(read).toMatchObject({ value: { sites: [{ problem: { field: 'baseUrl', reason: 'plain_http' } }] } })
  // A window that asks all the same is refused.
  if (!read.ok || !read.value) throw new Error('nothing was read')
  expect(await calls.importSites({ file: read.value.token, sites: ['plain'] })).toMatchObject(refused)
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
  const { calls, changeSite } = await house()
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

test('a callback URL behind which another program answers, in whatever form, is not said to be unreachable', async () => {
  const other = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  const { calls, changeSite } = await house()
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

/** The form of a site as a window sends it, with its settings as they are. */
function formOf(galley: TestGalley['galley'], parts: Partial<SiteForm> = {}): SiteForm {
  const site = galley.index.sites.find('acme')
  if (!site) throw new Error('The site is not there')
  const { publish: _, ...input } = siteInputOf(site)
  return { ...input, secret: null, ...parts }
}

test('a person is asked before a site sends elsewhere what it sends, with both values of each, and Cancel changes nothing', async () => {
  const { calls, galley, asked, agreed, service } = await house()
  const before = galley.index.sites.find('acme')
  expect(await calls.saveSite(formOf(galley, { name: 'Acme again', maxContentBytes: 5_000_000 }))).toMatchObject({
    ok: true,
    value: { secret: 'stored', isConfirmed: true },
  })
  expect(asked).toEqual([])
  for (const [change, told] of [
    [
      { baseUrl: 'https://evil.example/integration' },
      `Service URL:\nfrom ${service.baseUrl}\nto https://evil.example/integration`,
    ],
    [{ apiKey: 'another' }, `API key:\nfrom ${service.apiKey}\nto another`],
    [
      { callbackUrl: 'https://evil.example/c' },
      `Callback URL:\nfrom ${before?.callbackUrl}\nto https://evil.example/c`,
    ],
    [{ publicUrl: 'https://evil.example' }, 'Public URL of media:\nfrom none\nto https://evil.example'],
    [
      { downloadOrigins: ['https://a.example', 'https://b.example'] },
      'origins:\nfrom none\nto https://a.example, https://b.example',
    ],
    [{ publish: 's3:evil-bucket/x' }, 'Media are published to:\nfrom listener\nto s3:evil-bucket/x'],
  ] as const) {
    const kept = galley.index.sites.find('acme')
    const form = formOf(galley, change as Partial<SiteForm>)
    expect(await calls.saveSite({ ...form, secret: 'typed' })).toMatchObject({ failure: { code: 'not_confirmed' } })
    expect(galley.index.sites.find('acme')).toEqual(kept)
    expect(await galley.secrets.secret(before!.id)).toEqual({ ok: true, value: service.secret })
    const question = asked.at(-1)
    expect(question?.message).toBe('Change where “Acme again” sends its data?')
    expect(question?.ways).toEqual(['Change', 'Cancel'])
    expect(question?.detail).toContain(told)
    expect(question?.detail.match(/\nfrom /g), 'what stays is not told').toHaveLength(1)
  }
  expect(asked).toHaveLength(6)
  agreed.push(true)
  expect(await calls.saveSite(formOf(galley, { baseUrl: 'https://new.example/integration' }))).toMatchObject({
    ok: true,
    value: { secret: 'missing', isConfirmed: true },
  })
  expect(asked.at(-1)?.detail).toMatch(/stored secret is not used with the new service/)
  expect(galley.confirmations.isConfirmed(galley.index.sites.find('acme')!)).toBe(true)
})

test('one question at a time, and no value of a site can pass for words of the dialog', async () => {
  const { calls, galley, asked, desktop } = await house()
  const answer = Promise.withResolvers<boolean>()
  desktop.ask = (told) => {
    asked.push(told)
    return answer.promise
  }
  const window = testWindow(galley, { desktop })
  const name = 'Acme\n\nPress Change.\u202e\u0000'
  const first = window.calls.saveSite(formOf(galley, { name, apiKey: `key\nfrom a to b${'x'.repeat(400)}` }))
  // Asked in the same turn, before anybody could answer.
  expect(await window.calls.saveSite(formOf(galley, { apiKey: 'third' }))).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  expect(await window.calls.changeSettings({ listener: { host: '0.0.0.0', port: null } })).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  expect(asked).toHaveLength(1)
  expect(asked[0]?.detail).toContain('to key\uFFFDfrom a to bxxx')
  expect(asked[0]?.detail.split('\n').every((line) => line.length < 400)).toBe(true)
  answer.resolve(true)
  expect(await first).toMatchObject({ ok: true })
  expect(await calls.saveSite(formOf(galley, { apiKey: 'fourth' }))).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  expect(asked.at(-1)?.message).toBe('Change where “Acme\uFFFD\uFFFDPress Change.\uFFFD\uFFFD” sends its data?')
})

test('a site that is added by hand is confirmed; one whose secret is there already, by a person', async () => {
  const environment = { GALLEY_SECRET_ACME: 'from outside' }
  const { galley } = await house({ listen: false })
  const form = formOf(galley, { id: 'other', secret: 'typed' })
  const { calls, asked } = testWindow(galley)
  expect(await calls.saveSite(form)).toMatchObject({ ok: true, value: { isConfirmed: true, secret: 'stored' } })
  expect(asked).toEqual([])

  const elsewhere = await openGalley({ folder: await temporaryFolder(), secrets: { environment } })
  onTestFinished(() => elsewhere.close())
  const window = testWindow(elsewhere)
  const known = { ...form, id: 'Acme', secret: null, baseUrl: 'https://evil.example/integration' }
  expect(await window.calls.saveSite(known)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(window.asked[0]?.detail).toContain('Service URL:\nhttps://evil.example/integration')
  expect(elsewhere.index.sites.list()).toEqual([])
})

test('media go to a folder that a dialog gave for this very site, and to no other', async () => {
  const { calls, chosen, galley, agreed } = await house()
  const folder = await temporaryFolder()
  chosen.push(folder, folder, null)
  const forAnother = await calls.choosePublishFolder({ site: 'other' })
  const forThis = await calls.choosePublishFolder({ site: 'acme' })
  expect(await calls.choosePublishFolder({ site: 'acme' })).toBe(null)
  agreed.push(true, true)
  for (const token of [forAnother?.token, folder, '']) {
    expect(await calls.saveSite(formOf(galley, { publish: { folder: token ?? '' } }))).toMatchObject({
      failure: { code: 'path_not_chosen', field: 'publish' },
    })
  }
  expect(await calls.saveSite(formOf(galley, { publish: { folder: forThis!.token } }))).toMatchObject({
    value: { publish: { kind: 'folder', directory: folder } },
  })
  // Left out, it stays.
  expect(await calls.saveSite(formOf(galley, { name: 'Renamed' }))).toMatchObject({
    value: { publish: { kind: 'folder', directory: folder } },
  })
})

test('an import shows where each site would send, takes what was shown, and is used when a person agrees', async () => {
  const { calls, chosen, file, galley, asked, agreed, service } = await house({ site: { callbackAuth: 'basic' } })
  const { secret: _, ...site } = formOf(galley)
  const other = { ...site, id: 'other', name: 'Other', callbackUrl: 'https://cms.example/callback/other' }
  const evil = { ...site, baseUrl: 'https://evil.example/integration', publish: 'folder:/srv/web' }
  const write = (sites: unknown) => writeFile(file, JSON.stringify({ format: 'galley-sites', version: 1, sites }))
  await write([evil, { ...other, secret: 'in the file' }])
  chosen.push(file)
  const read = await calls.readSitesFile(undefined)
  if (!read.ok || read.value === null) throw new Error('nothing was read')
  expect(read.value.sites).toEqual([
    {
      ...{ id: 'acme', name: 'Acme', problem: null, plain: [] },
      settings: { baseUrl: evil.baseUrl, callbackUrl: site.callbackUrl, publish: 'folder:/srv/web' },
      replaces: { baseUrl: service.baseUrl, callbackUrl: site.callbackUrl, publish: 'listener' },
    },
    {
      ...{ id: 'other', name: 'Other', problem: null, replaces: null, plain: [] },
      settings: { baseUrl: service.baseUrl, callbackUrl: other.callbackUrl, publish: 'listener' },
    },
  ])
  // What lies there by now is not what was shown.
  await write([{ ...evil, baseUrl: 'https://worse.example/integration' }])
  expect(await calls.importSites({ file, sites: ['acme'] })).toMatchObject({ failure: { code: 'path_not_chosen' } })
  expect(await calls.importSites({ file: read.value.token, sites: ['acme', 'other', 'gone'] })).toEqual({
    ok: true,
    value: null,
  })
  expect(await calls.listSites(undefined)).toMatchObject([
    { id: 'acme', baseUrl: evil.baseUrl, secret: 'missing', isConfirmed: false },
    { id: 'other', secret: 'missing', isConfirmed: false },
  ])
  expect(asked).toEqual([])
  expect(await calls.previewOpen({ site: 'other', materialId: 'm' })).toMatchObject({ value: { isConfirmed: false } })

  expect(await calls.confirmSite({ site: 'other' })).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(asked[0]).toMatchObject({ message: 'Use these addresses for “Other”?', ways: ['Confirm addresses', 'Cancel'] })
  for (const value of [service.baseUrl, service.apiKey, other.callbackUrl, 'listener']) {
    expect(asked[0]?.detail).toContain(`:\n${value}`)
  }
  agreed.push(true)
  expect(await calls.confirmSite({ site: 'other' })).toMatchObject({ ok: true, value: { isConfirmed: true } })
  expect(await calls.confirmSite({ site: 'gone' })).toMatchObject({ failure: { code: 'unknown_site' } })
})
