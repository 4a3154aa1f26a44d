import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'

import { createAuthority } from '../support/certificates.ts'
import { startProxy } from '../support/proxy.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { galley } from './support/cli.ts'

const authority = createAuthority()
afterAll(authority.remove)

/** A library with one site, whose service is at this URL. */
async function aSite(baseUrl: string) {
  const library = join(await temporaryFolder(), 'library')
  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    galley([...args, '--json', '--library', library], {
      GALLEY_SECRETS: 'env',
      GALLEY_SECRET_ACME: 'test-secret',
      ...environment,
    })
  const urls = ['--base-url', baseUrl, '--callback-url', 'http://127.0.0.1:9/callback/acme']
  const added = await run(['site', 'add', 'acme', ...urls, '--api-key', 'k', '--environment', 'dev', '--allow-http'])
  expect(added.code).toBe(0)
  return run
}

/** A service with a certificate of a company. */
async function aSecureService() {
  const server = createServer(authority.issue('localhost'), (request, response) => {
    request.resume()
    const url = 'https://localhost/editor/f'
    response.end(JSON.stringify({ session_id: 's', fingerprint: 'f', url, resizeMode: 'fluid' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  return `https://localhost:${(server.address() as AddressInfo).port}/integration`
}

test('a service that only the proxy knows is reached through it, and the proxy is named when it asks for credentials', async () => {
  const service = await startService()
  onTestFinished(service.close)
  const hosts = { 'service.example.test': Number(new URL(service.origin).port) }
  const proxy = await startProxy({ hosts, login: 'ann:hunter2' })
  onTestFinished(proxy.close)
  const run = await aSite('http://service.example.test/integration')
  expect((await run(['open', 'acme', 'm1'])).failure().message).toContain('host name')
  const opened = await run(['open', 'acme', 'm1'], { HTTP_PROXY: proxy.urlFor('ann', 'hunter2') })
  expect(opened.code).toBe(0)
  expect(proxy.seen).toEqual(['POST http://service.example.test/integration/session/open'])

  const wrong = { HTTP_PROXY: proxy.urlFor('ann', 'other9') }
  const refused = await run(['open', 'acme', 'm1'], wrong)
  expect(refused.failure().message).toContain('the proxy asks for credentials')
  const checked = await run(['site', 'check', 'acme'], wrong)
  expect(detailOf(checked.json())).toBe('the proxy asks for credentials')
  expect(refused.stdout + refused.stderr + checked.stdout + checked.stderr).not.toMatch(/other9|hunter2/)
  expect((await run(['open', 'acme', 'm1'], { ...wrong, NO_PROXY: 'example.test' })).failure().message).toContain(
    'host name',
  )
})

test('an authority of a company is trusted where NODE_EXTRA_CA_CERTS names its file; otherwise commands say what is wrong', async () => {
  const run = await aSite(await aSecureService())
  const why = 'its certificate is not trusted, because this computer does not know its issuer'
  expect((await run(['open', 'acme', 'm1'])).failure().message).toContain(why)
  const checked = await run(['site', 'check', 'acme'])
  expect(detailOf(checked.json())).toBe(why)
  expect((await run(['open', 'acme', 'm1'], { NODE_EXTRA_CA_CERTS: authority.file })).code).toBe(0)
  const nowhere = { GALLEY_CA_CERTS: '/nowhere.pem' }
  const unread = 'the file that GALLEY_CA_CERTS names cannot be read, or has no certificates. Correct the file'
  expect((await run(['open', 'acme', 'm1'], nowhere)).failure().message).toContain(unread)
  expect(unread).toContain(detailOf((await run(['site', 'check', 'acme'], nowhere)).json()))
})

const detailOf = (checked: unknown): string | undefined =>
  (checked as { readonly checks: readonly { readonly name: string; readonly detail: string }[] }).checks.find(
    ({ name }) => name === 'base_url',
  )?.detail
