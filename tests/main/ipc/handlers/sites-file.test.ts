import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

import { formOf, setUp } from './site-fixture.ts'

test('sites are exported without a secret, and imported with all their settings', async () => {
  const own = { allowedDomains: ['a.test'], maxContentBytes: 5_000_000 }
  const { calls, chosen, file, service, galley, changeSite } = await setUp({ site: own })
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
  if (!read.ok || read.value === null) throw new Error('nothing was read')
  changeSite({ allowedDomains: [], maxContentBytes: 9_000_000 })
  expect(await calls.importSites({ file: read.value.token, sites: ['acme'] })).toEqual({ ok: true, value: null })
  expect(galley.index.sites.find('acme')).toMatchObject(own)
})

test('a file that is not a list of sites is refused, and an invalid site is named', async () => {
  const { calls, chosen, file } = await setUp()
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
  const read = await calls.readSitesFile(undefined)
  expect(read.ok && read.value?.sites.map(({ problem }) => problem)).toEqual([{ field: 'baseUrl', state: 'baseUrl' }])
  expect(await calls.readSitesFile(undefined)).toEqual({ ok: true, value: null })
  expect(await calls.readSitesFile(undefined)).toMatchObject({
    failure: { code: 'chosen_file_failed', reason: 'ENOENT' },
  })
})

test('plain http is imported only if the file allows it, as an exported file does', async () => {
  const { calls, chosen, file, agreed } = await setUp()
  agreed.push(true)
  const rest = { id: 'plain', name: 'Plain', environment: 'prod' as const, baseUrl: 'http://svc.test/i', apiKey: 'k' }
  const form = {
    ...rest,
    callbackUrl: 'https://a.test/c',
    publicUrl: null,
    allowedDomains: [],
    unknownMaterials: 'refuse' as const,
    callbackAuth: 'none' as const,
  }
  const refused = { ok: false, failure: { code: 'invalid_site', field: 'baseUrl', state: 'plain_http' } }
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
  expect(read).toMatchObject({ value: { sites: [{ problem: { field: 'baseUrl', state: 'plain_http' } }] } })
  // A window that asks all the same is refused.
  if (!read.ok || !read.value) throw new Error('nothing was read')
  expect(await calls.importSites({ file: read.value.token, sites: ['plain'] })).toMatchObject(refused)
})

test('an import shows the addresses of each site, imports what it showed, and is confirmed by a person', async () => {
  const { calls, chosen, file, galley, asked, agreed, service } = await setUp({ site: { callbackAuth: 'basic' } })
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
      id: 'acme',
      name: 'Acme',
      problem: null,
      plain: [],
      settings: { baseUrl: evil.baseUrl, callbackUrl: site.callbackUrl, publish: 'folder:/srv/web' },
      replaces: { baseUrl: service.baseUrl, callbackUrl: site.callbackUrl, publish: 'listener' },
    },
    {
      id: 'other',
      name: 'Other',
      problem: null,
      replaces: null,
      plain: [],
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
  expect(asked[0]).toMatchObject({
    message: 'Use these addresses for “Other”?',
    buttons: ['Confirm addresses', 'Cancel'],
  })
  for (const value of [service.baseUrl, service.apiKey, other.callbackUrl, 'listener']) {
    expect(asked[0]?.detail).toContain(`:\n${value}`)
  }
  // The one that it replaced is shown with what was confirmed before.
  expect(await calls.confirmSite({ site: 'acme' })).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(asked[1]?.detail).toContain(`Service URL:\nfrom ${service.baseUrl}\nto ${evil.baseUrl}\n\nAPI key:\n`)
  agreed.push(true)
  expect(await calls.confirmSite({ site: 'other' })).toMatchObject({ ok: true, value: { isConfirmed: true } })
  expect(await calls.confirmSite({ site: 'gone' })).toMatchObject({ failure: { code: 'unknown_site' } })
})
