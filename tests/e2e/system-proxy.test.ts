import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'

import { galley } from '../cli/support/cli.ts'
import { createAuthority } from '../support/certificates.ts'
import { startProxy } from '../support/proxy.ts'
import { aFolder, aFreePort, startApp } from './support/app.ts'

const authority = createAuthority()
afterAll(authority.remove)

test('the app uses the proxy of the system, and trusts the authorities in GALLEY_CA_CERTS', async () => {
  const server = createServer(authority.issue('service.example.test'), (_, answer) => void answer.end()).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  const hosts = { 'service.example.test': (server.address() as AddressInfo).port }
  const proxy = await startProxy({ hosts, login: 'ann:word' })
  onTestFinished(proxy.close)
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const secrets = { GALLEY_SECRETS: 'env', GALLEY_SECRET_PRESS: 'press secret' }
  const urls = [
    '--base-url',
    'https://service.example.test/integration',
    '--callback-url',
    `http://127.0.0.1:${port}/callback/press`,
  ]
  const site = ['site', 'add', 'press', ...urls, '--api-key', 'k', '--environment', 'dev', '--allow-http']
  expect((await galley([...site, '--library', library], secrets)).code).toBe(0)
  // Without a desktop, Chromium takes the settings of the system from these variables, but not their credentials.
  const environment = { ...secrets, https_proxy: proxy.urlFor('ann', 'word'), GALLEY_CA_CERTS: authority.file }
  const { page } = await startApp({ library, port, environment })
  const checked = await page.evaluate(() => window.galley.call('checkSite', { site: 'press' }))
  expect(checked.ok && checked.value.find(({ name }) => name === 'base_url')).toMatchObject({
    code: 'service_answers',
  })
  expect(proxy.seen).toEqual(['CONNECT service.example.test:443'])
})
