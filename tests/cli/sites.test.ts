import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { sendWithoutEnd } from '../support/without-end.ts'
import { galley } from './support/cli.ts'
import { aLibrary, aNewsroom, aPage } from './support/library.ts'

const addresses = ['--base-url', 'https://service.example/integration/', '--api-key', 'key-1']
const callback = ['--callback-url', 'https://acme.example/callback/acme']

/** The members of a site in docs/api.md, section 2, with their defaults. */
const site = {
  id: 'acme',
  name: 'acme',
  environment: 'prod',
  base_url: 'https://service.example/integration',
  api_key: 'key-1',
  callback_url: 'https://acme.example/callback/acme',
  public_url: null,
  allowed_domains: [],
  signature_header: expect.any(String) as string,
  publish: 'listener',
  unknown_materials: 'refuse',
  callback_auth: 'none',
  confirmed: true,
  secret: 'stored',
}

test('site add prints the site; list and show print it again', async () => {
  const { run } = await aLibrary()
  const added = await run('site', 'add', 'acme', ...addresses, ...callback)
  expect([added.code, added.json()]).toStrictEqual([0, site])
  expect((await run('site', 'list')).json()).toStrictEqual([site])
  expect((await run('site', 'show', 'acme')).json()).toStrictEqual(site)
})

test('a folder to publish to is meant from here, and a domain may be written as people write it', async () => {
  const { run } = await aLibrary()
  const given = ['--publish', 'folder:web/media', '--allowed-domain', '*.bücher.example']
  const added = await run('site', 'add', 'acme', ...addresses, ...callback, ...given)
  expect(added.json()).toMatchObject({
    publish: `folder:${resolve('web/media')}`,
    allowed_domains: ['*.xn--bcher-kva.example'],
  })
  for (const wrong of ['bü cher.example', 'bücher.example/a', 'bücher.example:80', 'https://bücher.example'])
    expect((await run('site', 'add', 'acme', '--allowed-domain', wrong)).code, wrong).toBe(2)
})

test('every setting can be given, and a second site add changes only the given ones', async () => {
  const { run } = await aLibrary()
  const given = [
    '--name',
    'Acme Weekly',
    '--environment',
    'dev',
    '--allowed-domain',
    'cdn.example',
    '--allowed-domain',
    '*.acme.example',
    '--download-origin',
    'https://files.example',
    '--signature-header',
    'X-Acme',
    '--public-url',
    'https://media.acme.example/',
    '--publish',
    'folder:/srv/media',
    '--unknown-materials',
    'accept',
    '--max-content-mb',
    '50',
    '--request-timeout-s',
    '5',
    '--download-timeout-s',
    '6',
  ]
  const expected = {
    ...site,
    name: 'Acme Weekly',
    environment: 'dev',
    allowed_domains: ['cdn.example', '*.acme.example'],
    signature_header: 'X-Acme',
    public_url: 'https://media.acme.example',
    publish: 'folder:/srv/media',
    unknown_materials: 'accept',
  }
  expect((await run('site', 'add', 'acme', ...addresses, ...callback, ...given)).json()).toStrictEqual(expected)
  const changed = await run('site', 'add', 'acme', '--environment', 'prod', '--publish', 's3:acme-bucket/media')
  const s3 = { endpoint: null, region: null, credentials: 'missing', public_check: true }
  expect(changed.json()).toStrictEqual({ ...expected, environment: 'prod', publish: 's3:acme-bucket/media', s3 })
})

test('none clears a public URL, the allowed domains and the download origins, and cannot be combined with values', async () => {
  const { run } = await aLibrary()
  const given = [
    '--public-url',
    'https://m.example',
    '--allowed-domain',
    'x.example',
    '--download-origin',
    'https://f.example',
  ]
  await run('site', 'add', 'acme', ...addresses, ...callback, ...given)
  for (const [name, value] of [
    ['--allowed-domain', 'y.example'],
    ['--download-origin', 'https://g.example'],
  ] as const)
    expect((await run('site', 'add', 'acme', name, 'none', name, value)).code, name).toBe(2)
  const none = ['--public-url', 'none', '--allowed-domain', 'none', '--download-origin', 'none']
  expect((await run('site', 'add', 'acme', ...none)).json()).toStrictEqual(site)
})

test('a folder of a library is no place for media', async () => {
  const { run, library } = await aLibrary()
  const inside = ['--publish', `folder:${library}/files`]
  const added = await run('site', 'add', 'acme', ...addresses, ...callback, ...inside)
  expect([added.code, added.stderr]).toEqual([2, expect.stringContaining('is in a Galley library')])
  expect((await run('site', 'list')).json()).toStrictEqual([])
})

test('a bucket has its own endpoint, region and keys, and the keys are never printed', async () => {
  const { library, environment } = await aLibrary()
  const keys = { GALLEY_S3_KEYS_ACME: 'KEYID:key-secret' }
  const run = (...args: string[]) => galley([...args, '--json', '--library', library], { ...environment, ...keys })
  const bucket = ['--publish', 's3:acme-bucket', '--s3-endpoint', 'https://s3.example/', '--s3-region', 'eu-1']
  const added = await run('site', 'add', 'acme', ...addresses, ...callback, ...bucket, '--public-check', 'off')
  const s3 = { endpoint: 'https://s3.example', region: 'eu-1', credentials: 'stored', public_check: false }
  expect(added.json()).toMatchObject({ publish: 's3:acme-bucket', s3 })
  expect((await run('site', 'show', 'acme')).stdout + added.stdout).not.toMatch(/KEYID|key-secret/)
  const another = await run('site', 'add', 'acme', '--s3-region', 'none', '--public-check', 'on')
  expect(another.json()).toMatchObject({ s3: { ...s3, region: null, public_check: true } })
  for (const args of [
    ['--s3-credentials-stdin'],
    ['--s3-forget-credentials'],
    ['--s3-endpoint', 'ftp://s3.example'],
    ['--s3-region', 'eu 1'],
    ['--public-check', 'maybe'],
    ['--publish', 'listener', '--public-check', 'off'],
  ]) {
    const wrong = await run('site', 'add', 'acme', ...args)
    expect([wrong.code, wrong.failure().code], args.join(' ')).toStrictEqual([2, 'usage'])
  }
  expect((await run('site', 'show', 'acme')).json()).toStrictEqual(another.json())
})

test.for([
  ['id', ['site', 'add', '../acme', ...addresses, ...callback]],
  ['base URL', ['site', 'add', 'acme', '--base-url', 'ftp://x', '--api-key', 'k', ...callback]],
  ['callback URL', ['site', 'add', 'acme', ...addresses, '--callback-url', 'https://u:p@acme.example/x']],
  ['allowed domain', ['site', 'add', 'acme', ...addresses, ...callback, '--allowed-domain', 'https://x.example']],
  ['publishing target', ['site', 'add', 'acme', ...addresses, ...callback, '--publish', 'ftp:x']],
  ['size', ['site', 'add', 'acme', ...addresses, ...callback, '--max-content-mb', '5000']],
])('a wrong %s is wrong usage, and adds nothing', async ([, args]) => {
  const { run } = await aLibrary()
  const added = await run(...(args as string[]))
  expect([added.code, added.failure().code]).toStrictEqual([2, 'usage'])
  expect((await run('site', 'list')).json()).toStrictEqual([])
})

test('site remove removes a site from the list; its materials and versions return when it is added again', async () => {
  const { run, save, emulator, callbackUrl } = await aNewsroom()
  const { fingerprint } = (await run('open', 'acme', 'post-1')).json() as { fingerprint: string }
  const { version_id } = await save(fingerprint, aPage('Before'))

  expect((await run('site', 'remove', 'acme')).json()).toStrictEqual({ removed: 'acme' })
  expect((await run('site', 'list')).json()).toStrictEqual([])
  expect((await run('materials', 'acme')).code).toBe(1)
  expect(await save(fingerprint, aPage('While it was gone'))).toMatchObject({
    result: 'webhook_failed',
    http_status: 404,
  })

  const again = ['--base-url', emulator.baseUrl, '--api-key', 'acme-key', '--callback-url', callbackUrl]
  expect((await run('site', 'add', 'acme', ...again)).code).toBe(0)
  expect((await run('materials', 'acme')).json()).toMatchObject([{ material_id: 'post-1', versions: 1 }])
  expect((await run('versions', 'acme', 'post-1')).json()).toMatchObject([{ version_id, current: true }])
  expect(await save(fingerprint, aPage('After'))).toMatchObject({ result: 'merged' })
})

const names = ['keychain', 'base_url', 'listener', 'callback_url', 'clock', 'disk']

test('site check with the listener running: all is well', async () => {
  const { run, listener } = await aNewsroom()
  const ran = await run('site', 'check', 'acme')
  expect(ran.code, ran.stdout).toBe(0)
  const { ok, checks } = ran.json() as { ok: boolean; checks: Record<string, unknown>[] }
  expect(ok).toBe(true)
  expect(checks.map(({ name }) => name)).toStrictEqual(names.toSpliced(4, 0, 'public_read', 'font_cors'))
  const [keychain, ...others] = checks
  // No session was opened yet.
  expect(keychain).toMatchObject({
    ok: true,
    unknown: true,
    detail: 'the secret can be read, but it was not tried yet',
  })
  for (const check of others) {
    expect(check).toStrictEqual({
      name: expect.any(String) as string,
      ok: true,
      detail: expect.any(String) as string,
      fix: '',
    })
  }
  expect(checks[2]?.['detail']).toContain(`process ${listener.child.pid} listens at ${listener.url}`)
  // A probe is no save, and leaves no trace among the callbacks.
  expect((await run('callbacks')).json()).toStrictEqual([])
})

test('site check reports problems of service, callback URL and port, each with what to do', async () => {
  const { run, library } = await aLibrary()
  const stranger = createServer((_request, response) => response.end('{"hello":"there"}')).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  onTestFinished(async () => {
    stranger.closeAllConnections()
    stranger.close()
  })
  const { port } = stranger.address() as AddressInfo
  const taken = `http://127.0.0.1:${port}`
  await run('site', 'add', 'acme', '--base-url', 'http://127.0.0.1:9/x', '--api-key', 'k', '--callback-url', taken)
  const ran = await run('site', 'check', 'acme')
  expect(ran.code).toBe(1)
  const { ok, checks } = ran.json() as { ok: boolean; checks: { name: string; ok: boolean; fix: string }[] }
  expect(ok).toBe(false)
  const wrong = checks.filter((check) => !check.ok)
  expect(wrong.map(({ name }) => name)).toStrictEqual(['base_url', 'listener', 'callback_url'])
  for (const { fix } of wrong) expect(fix).not.toBe('')
  expect(ran.stdout).not.toContain(library)
})

const outOfReach = {
  callback_url: 'the service is on the internet, and only this computer or its network can reach the callback URL',
  public_read: 'the service is on the internet, and only this computer or its network can reach published files',
}

test.each<readonly [string, string, string, readonly (keyof typeof outOfReach)[]]>([
  // No name here can be resolved.
  ['https://editor.example', 'https://[fd00::1]/callback/acme', 'https://media', ['callback_url', 'public_read']],
  ['https://editor.example', 'https://acme.example/callback/acme', 'none', []],
])(
  'site check of a service at %s, with callbacks to %s and public URL %s',
  async (base, callbackUrl, publicUrl, out) => {
    const { run, library, environment } = await aLibrary()
    const urls = ['--base-url', base, '--callback-url', callbackUrl, '--public-url', publicUrl]
    const added = await run('site', 'add', 'acme', ...urls, '--api-key', 'k', '--allow-http')
    expect(added.code, added.stderr).toBe(0)
    const found = await run('site', 'check', 'acme')
    const { ok, checks } = found.json() as { ok: boolean; checks: { name: string; ok: boolean; detail: string }[] }
    expect([found.code, ok]).toEqual([1, false])
    const unreached = checks.filter(({ detail }) => detail.startsWith('the service is on the internet'))
    expect(unreached).toMatchObject(out.map((name) => ({ name, ok: false, detail: outOfReach[name] })))
    const { code, stdout } = await galley(['site', 'check', 'acme', '--library', library], environment)
    expect(code).toBe(1)
    for (const name of out) expect(stdout).toContain(`\nFAIL  ${name}: ${outOfReach[name]}\n      Enter `)
    expect(stdout.split('the service is on the internet')).toHaveLength(out.length + 1)
  },
)

test('site check marks a clock as unknown, with the reason, if there was nothing to compare it with', async () => {
  const { run, library } = await aLibrary()
  const timeless = createServer((_request, response) => {
    response.sendDate = false
    response.end()
  }).listen(0, '127.0.0.1')
  await once(timeless, 'listening')
  onTestFinished(() => void timeless.close())
  const { port } = timeless.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/x`
  await run('site', 'add', 'acme', '--base-url', baseUrl, '--api-key', 'k', '--callback-url', 'http://127.0.0.1:9')
  const { checks } = (await run('site', 'check', 'acme')).json() as { checks: { name: string }[] }
  expect(checks.find(({ name }) => name === 'clock')).toEqual({
    name: 'clock',
    ok: true,
    detail: 'not compared, because the service does not send its time',
    fix: 'Make sure that this computer sets its clock automatically.',
    unknown: true,
  })
  const { stdout } = await galley(['site', 'check', 'acme', '--library', library], { GALLEY_SECRETS: 'env' })
  expect(stdout).toMatch(/^\?     clock: not compared, .*\n      Make sure/m)
})

test('site check stops reading an endless response at the callback URL', async () => {
  const { run } = await aLibrary()
  const endless = createServer((request, response) => {
    request.resume()
    sendWithoutEnd(response)
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  onTestFinished(async () => {
    endless.closeAllConnections()
    endless.close()
  })
  const { port } = endless.address() as AddressInfo
  const options = ['--api-key', 'k', '--callback-url', `http://127.0.0.1:${port}/`]
  await run('site', 'add', 'acme', '--base-url', 'http://127.0.0.1:9/x', ...options)
  const { checks } = (await run('site', 'check', 'acme')).json() as { checks: { name: string; detail: string }[] }
  expect(checks.find(({ name }) => name === 'callback_url')?.detail).toBe(
    'another program responds there, with more than 64 KiB',
  )
})

test('plain http for a site in production needs --allow-http, once for each address', async () => {
  const { run } = await aLibrary()
  const http = ['--base-url', 'http://service.example/integration', '--api-key', 'key-1']
  const refused = await run('site', 'add', 'acme', ...http, ...callback)
  expect([refused.code, refused.failure().code]).toEqual([2, 'usage'])
  expect(refused.stderr).toMatch(/base URL is not encrypted.*API key.*can be read.*Use https, or add --allow-http/)
  expect((await run('site', 'list')).json()).toEqual([])
  const allowed = await run('site', 'add', 'acme', ...http, ...callback, '--allow-http')
  expect([allowed.code, allowed.json()]).toMatchObject([
    0,
    { base_url: 'http://service.example/integration', allow_http: true },
  ])
  expect((await run('site', 'add', 'acme', '--name', 'Acme')).json()).toMatchObject({ name: 'Acme', allow_http: true })
  const other = await run('site', 'add', 'acme', '--callback-url', 'http://acme.example/callback/acme')
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('callback URL is not encrypted')])
  expect(
    (
      await run(
        'site',
        'add',
        'near',
        '--base-url',
        'http://127.0.0.1:9/integration',
        '--api-key',
        'k',
        '--callback-url',
        'http://localhost:8787/callback/near',
      )
    ).code,
  ).toBe(0)
})
