import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

import { isOwnOrigin, rehearse } from '../../../packages/library/rehearsal/rehearse.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

test('a site whose service is public reaches no private address that a save names, and says so', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('secret')
  }).listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { galley, service, know, post } = await createTestGalley({ site: { unknownMaterials: 'accept' } })
  await know('post-1')
  const hosts = ['127.0.0.2', '2130706434', '0x7f.2', '[::ffff:127.0.0.2]', '[::1]', 'localhost', 'any.localhost']
  const assets = Object.fromEntries(
    hosts.map((host, at) => [`${at}.png`, { clientUrl: `http://${host}:${port}/${at}` }]),
  )
  const save = aSave(service, { html: '<p>Text</p>', files: {}, state: { assets } })
  expect((await post(save.body, save.headers)).json.rc).toBe(1)

  const site = galley.index.sites.find('acme')
  if (site === null) throw new Error('The site is missing')
  const ports = { ...galley, confirmations: { isConfirmed: () => true } }
  const { signal } = new AbortController()
  const ofPublic = await rehearse(ports, { ...site, environment: 'prod', baseUrl: 'https://service.example' }, signal)
  expect(ofPublic).toMatchObject({ value: { checked: hosts.length } })
  expect(ofPublic.ok && ofPublic.value.lost.map(({ problem }) => problem)).toEqual(hosts.map(() => 'EPRIVATEADDRESS'))
  expect(asked).toEqual([])
  // A service in the same network loads them.
  const ofPrivate = await rehearse(ports, { ...site, environment: 'dev' }, signal)
  expect(ofPrivate.ok && asked.length).toBeGreaterThan(0)
})

test('only the origin of the callback URL gets the credentials of a site, and only over https', () => {
  const site = (callbackUrl: string) => isOwnOrigin({ callbackUrl })
  const own = site('https://cms.example.com/callback/acme')
  expect(own('https://cms.example.com/media/a.png')).toBe(true)
  expect(own('https://cms.example.com:443/media/a.png')).toBe(true)
  for (const url of [
    'http://cms.example.com/media/a.png',
    'http://cms.example.com:36773/x',
    'https://cms.example.com:8443/x',
    'https://media.cms.example.com/x',
    'https://cms.example.com.evil.example/x',
    'https://cms.example.com@evil.example/x',
  ])
    expect(own(url), url).toBe(false)
  expect(site('http://cms.example.com/callback/acme')('http://cms.example.com/x')).toBe(false)
})
