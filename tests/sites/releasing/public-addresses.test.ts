import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'

import { temporaryFolder } from '../../support/test-galley.ts'
import { createPublishingFixture, filesIn } from './fixture.ts'

// A publication is verified at the addresses that readers use.

interface Host {
  /** Answers the address of a folder with the file in it; `home`: only that of the whole site is not. */
  index?: boolean | 'not_home'
  /** The answer to a missing address. */
  missing?: 'own' | 'site' | 'home'
  isBrotli?: boolean
}

async function aHostedSite(host: Host) {
  const web = join(await temporaryFolder(), 'web')
  const read = (path: string): Promise<Buffer | null> => readFile(join(web, path)).catch(() => null)
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '/')
    const isIndex = host.index === 'not_home' ? path !== '/' : host.index !== false
    const found = path.endsWith('/') ? isIndex && (await read(`${path}index.html`)) : await read(path)
    if (found) {
      const packed = host.isBrotli ? brotliCompressSync(found) : found
      return response.writeHead(200, host.isBrotli ? { 'content-encoding': 'br' } : {}).end(packed)
    }
    if (path.endsWith('/')) return response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    if (host.missing === 'home') return response.writeHead(200).end(await read('index.html'))
    return response.writeHead(404).end(host.missing === 'site' ? await read('404.html') : 'nginx')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<h1>One</h1>')
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = await fixture.addTarget(`folder:${web}`, { publicUrl })
  const check = async () =>
    (await fixture.galley.releasing.check(target)).map(({ name, ok, why }) => [name, ok, why?.code ?? null])
  return { ...fixture, target, web, check }
}

test('a host without index documents is refused before anything changes, also by a check', async () => {
  const site = await aHostedSite({ index: false })
  const failed = { code: 'not_public', reason: { code: 'public_index' } }
  expect(await site.publish(site.target)).toMatchObject({ ok: false, failure: failed })
  expect([...(await filesIn(site.web)).keys()]).toEqual([])
  expect(await site.check()).toContainEqual(['public_url', false, 'public_index'])
})

test('a host that does not show the home page at the address of the site is named, and the release is undone', async () => {
  const site = await aHostedSite({ index: 'not_home' })
  expect(await site.publish(site.target)).toMatchObject({
    ok: false,
    failure: { code: 'not_verified', path: '/', reason: { code: 'public_index' }, state: 'unread_put_back' },
  })
  expect([...(await filesIn(site.web)).keys()]).toEqual([])
})

test.each([
  ['own', ['public_error_page']],
  ['home', ['public_no_404']],
  ['site', []],
] as const)('what a host shows at a missing address is noted: %s', async (missing, codes) => {
  const site = await aHostedSite({ missing, isBrotli: missing === 'site' })
  const published = await site.publish(site.target)
  if (!published.ok) throw new Error(JSON.stringify(published.failure))
  expect(published.value.remarks.map(({ code }) => code)).toEqual(codes)
  expect(await site.check()).toEqual([
    ['connect', true, null],
    ['write', true, null],
    ['public_url', true, null],
    ['home_page', true, null],
    ['missing_page', true, codes[0] ?? null],
  ])
})

test('a base URL on another host than the target is noted', async () => {
  const site = await aHostedSite({ missing: 'site' })
  const { index } = site.galley
  await index.commit.write(() => index.publishing.change(site.target.site, { baseUrl: 'https://www.example.org/' }))
  const published = await site.publish(site.target)
  expect(published.ok && published.value.remarks.map(({ code }) => code)).toEqual(['base_url_elsewhere'])
  expect(await site.check()).toContainEqual(['base_url', true, 'base_url_elsewhere'])
})
