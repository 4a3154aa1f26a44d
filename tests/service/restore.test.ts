import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'

import type { Service } from './support/service.ts'
import { key, refusalOf, startService } from './support/service.ts'
import { signed } from './support/site-stub.ts'

/** A site that serves its public files; `answer` may handle a request differently. */
async function startPublicSite(answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false) {
  const asked: { path: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization })
    if (answer(request, response)) return
    if (request.url?.startsWith('/public/')) response.end(`bytes of ${request.url}`)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
  })
  return { asked, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.emulator.close())

const assets = (urls: Record<string, string>) => ({
  assets: Object.fromEntries(Object.entries(urls).map(([name, clientUrl]) => [name, { clientUrl }])),
})
const opening = (origin: string, vmsJson: unknown, metadata = {}) => ({
  material_id: 'M',
  callback_url: `${origin}/callback`,
  vms_json: vmsJson,
  metadata,
})
const restoredOf = async (fingerprint = '') => (await service.session(fingerprint))['restored']

test('an expired session is restored with the files of the site, requested with its Authorization', async () => {
  const site = await startPublicSite()
  const state = { n: 1, ...assets({ 'a.png': `${site.origin}/public/a`, 'b c.png': `${site.origin}/public/b` }) }
  const credentials = { webhook_auth_user: 'u', webhook_auth_password: 'p' }
  const { fingerprint } = await service.opened(opening(site.origin, state, credentials))
  expect(await service.session(fingerprint ?? '')).toMatchObject({ state, restored: { lost: [] }, last_save: null })
  const basic = `Basic ${Buffer.from('u:p').toString('base64')}`
  expect(site.asked.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: '/public/a', authorization: basic },
    { path: '/public/b', authorization: basic },
  ])
  const file = await fetch(`${service.emulator.url}/_emulator/sessions/${fingerprint}/files/b%20c.png`)
  expect(await file.text()).toBe('bytes of /public/b')

  await service.opened(opening(site.origin, state, credentials))
  expect(site.asked).toHaveLength(2)
})

test('unavailable files are listed with the reason', async () => {
  const elsewhere = await startPublicSite()
  const site = await startPublicSite((request, response) => {
    if (request.url !== '/moved') return false
    response.writeHead(302, { location: `${elsewhere.origin}/public/x` }).end()
    return true
  })
  const urls = {
    'gone.png': `${site.origin}/gone`,
    'moved.png': `${site.origin}/moved`,
    'closed.png': 'http://127.0.0.1:9/x',
    'cdn.png': 'https://cdn.example/x.png',
    'user.png': `${site.origin.replace('//', '//u:p@')}/public/x`,
    'file.png': 'file:///etc/passwd',
    'new.png': 'dummy-new.png',
    'relative.png': '/public/x.png',
    'there.png': `${site.origin}/public/x`,
  }
  const { fingerprint } = await service.opened(opening(site.origin, assets(urls), { webhook_auth_user: 'token' }))
  const reasons = {
    'cdn.png': 'the host cdn.example is not allowed for this site',
    'closed.png': expect.stringMatching(/^the site could not be reached \(\w+\)$/),
    'file.png': 'its address is not an http or https address',
    'gone.png': 'the site returned HTTP status 404',
    'moved.png': 'the site returned HTTP status 302',
    'new.png': 'it has no public address',
    'relative.png': 'its address is not complete',
    'user.png': 'its address contains a user name',
  }
  const lost = Object.entries(reasons).map(([name, reason]) => ({ name, url: urls[name as keyof typeof urls], reason }))
  expect(await restoredOf(fingerprint)).toEqual({ lost })
  expect(site.asked.map(({ path }) => path).toSorted()).toEqual(['/gone', '/moved', '/public/x'])
  expect(elsewhere.asked).toEqual([])
  expect((await service.session(fingerprint ?? ''))['state']).toEqual(assets(urls))
})

test('opening again requests the lost files, with the new Authorization', async () => {
  let isThere = false
  const site = await startPublicSite((_request, response) => {
    if (!isThere) response.writeHead(404).end()
    return !isThere
  })
  const state = assets({ a: `${site.origin}/public/a`, 'cdn.png': 'https://cdn.example/x.png' })
  const { fingerprint } = await service.opened(opening(site.origin, state))
  expect(await restoredOf(fingerprint)).toMatchObject({ lost: [{ name: 'a' }, { name: 'cdn.png' }] })
  isThere = true
  await service.opened(opening(site.origin, {}, { webhook_auth_user: 'token' }))
  expect(await restoredOf(fingerprint)).toMatchObject({ lost: [{ name: 'cdn.png' }] })
  expect(site.asked.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer token'])
})

test('an endless file is given up at 64 MiB, and none of it is kept', async () => {
  const site = await startPublicSite((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
    }
    response.on('drain', more)
    more()
    return true
  })
  const { fingerprint } = await service.opened(opening(site.origin, assets({ a: `${site.origin}/public/a` })))
  expect(await restoredOf(fingerprint)).toMatchObject({ lost: [{ name: 'a', reason: 'it is larger than 64 MiB' }] })
  const file = await fetch(`${service.emulator.url}/_emulator/sessions/${fingerprint}/files/a`)
  expect(file.status).toBe(404)
})

test('nothing is requested for an existing session, for an empty state, or before the signature is verified', async () => {
  const site = await startPublicSite()
  const state = assets({ a: `${site.origin}/public/a` })
  const forged = { 'X-Service-Signature': signed('other', 'M', `${site.origin}/callback`) }
  const body = { api_key: key, ...opening(site.origin, state) }
  expect((await refusalOf(await service.post('/integration/session/open', body, forged)))[0]).toBe(403)
  const { fingerprint } = await service.opened(opening(site.origin, {}))
  await service.opened(opening(site.origin, state))
  expect([site.asked, await restoredOf(fingerprint)]).toEqual([[], null])
})

test('a site that handles one request at a time gets its answer, and the editor waits for the files', async () => {
  const answered = Promise.withResolvers<void>()
  const site = await startPublicSite((_request, response) => {
    void answered.promise.then(() => response.end('late'))
    return true
  })
  const { fingerprint } = await service.opened(opening(site.origin, assets({ a: `${site.origin}/public/a` })))
  const read = service.session(fingerprint ?? '')
  answered.resolve()
  expect((await read)['restored']).toEqual({ lost: [] })
})

test('an emulator that was stopped during a restore reports it afterwards', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'galley-emulator-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const dataFile = join(folder, 'emulator.db')
  const asked = Promise.withResolvers<void>()
  const site = await startPublicSite(() => {
    asked.resolve()
    return true
  })
  const first = await startService({ dataFile })
  const open = first.opened(opening(site.origin, assets({ a: `${site.origin}/public/a` })))
  await asked.promise
  await first.emulator.close()
  const { fingerprint } = await open
  const second = await startService({ dataFile })
  onTestFinished(second.emulator.close)
  expect((await second.session(fingerprint ?? ''))['restored']).toMatchObject({
    lost: [{ name: 'a', reason: 'the emulator was stopped before it received this file' }],
  })
})
