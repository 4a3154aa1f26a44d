import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { signatureOf, startService } from '../support/service.ts'
import { aSave, send } from '../support/test-galley.ts'
import { galleyProcess, startListen } from './support/cli.ts'
import { aLibrary } from './support/library.ts'

// `--secrets env`: for servers without a keychain.

const secret = 'from-the-environment'

async function aSite(id: string, variables: Record<string, string>, args: readonly string[] = []) {
  const service = await startService(secret)
  onTestFinished(service.close)
  const { folder, library } = await aLibrary()
  // A bus address without a bus: any access to a keychain would fail.
  const environment = { HOME: folder, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', ...variables }
  const run = (...command: string[]) =>
    galleyProcess([...command, '--json', '--library', library, '--secrets', 'env'], environment)
  const added = await run(
    'site',
    'add',
    id,
    '--base-url',
    service.baseUrl,
    '--api-key',
    service.apiKey,
    '--callback-url',
    `http://127.0.0.1:8787/callback/${id}`,
    '--unknown-materials',
    'accept',
    ...args,
  )
  expect(added.code, added.stderr).toBe(0)
  const listen = () => startListen(library, { ...environment, GALLEY_SECRETS: 'env' })
  return { service, folder, library, environment, run, listen, added }
}

test.for([['my-site.example_2', 'GALLEY_SECRET_MY_SITE_EXAMPLE_2']])(
  'the secret of %s is read from %s',
  async ([id = '', variable = '']) => {
    const { service, added, run } = await aSite(id, { [variable]: secret })
    expect(added.json()).toMatchObject({ id, secret: 'stored' })
    expect((await run('open', id, 'post-1')).code).toBe(0)
    const { callback_url: url } = JSON.parse(service.opens[0]?.body ?? '') as { callback_url: string }
    expect(service.opens[0]?.signature).toBe(signatureOf(secret, 'post-1', url))
  },
)

test.for([['an empty one', { GALLEY_SECRET_ACME: '' }]] as const)(
  'with %s the secret is missing, and open fails',
  async ([, variables]) => {
    const { service, added, run } = await aSite('acme', variables)
    expect(added.json()).toMatchObject({ secret: 'missing' })
    const opened = await run('open', 'acme', 'post-1')
    expect([opened.code, opened.failure().code]).toStrictEqual([1, 'secrets_unavailable'])
    expect(service.opens).toStrictEqual([])
  },
)

test('--secret-stdin is wrong usage, and changes nothing', async () => {
  const { library, environment, run } = await aSite('acme', { GALLEY_SECRET_ACME: secret })
  const again = ['site', 'add', 'acme', '--name', 'Renamed', '--secret-stdin', '--json', '--library', library]
  const refused = await galleyProcess([...again, '--secrets', 'env'], environment, 'another')
  expect([refused.code, refused.failure().code]).toStrictEqual([2, 'usage'])
  expect((await run('site', 'show', 'acme')).json()).toMatchObject({ name: 'acme', secret: 'stored' })
})

test('open --metadata sends its own credentials; those of the site take precedence, and stderr reports it', async () => {
  for (const [kind, sent] of [
    ['none', 'proxy'],
    ['bearer', 'of-the-site'],
  ] as const) {
    const variables = { GALLEY_SECRET_ACME: secret, GALLEY_CALLBACK_AUTH_ACME: 'of-the-site' }
    const { folder, run, service } = await aSite('acme', variables, ['--callback-auth', kind])
    const file = join(folder, 'metadata.json')
    await writeFile(file, '{"webhook_auth_user":"proxy"}')
    const opened = await run('open', 'acme', 'post-1', '--metadata', file)
    expect(opened.code, opened.stderr).toBe(0)
    const { metadata } = JSON.parse(service.opens[0]?.body ?? '') as { metadata: Record<string, string> }
    expect(metadata['webhook_auth_user']).toBe(sent)
    expect(opened.stderr.includes('They were sent instead of webhook_auth_user')).toBe(kind === 'bearer')
    expect(opened.stderr).not.toMatch(/proxy|of-the-site/)
  }
})

test('site remove needs no keychain, and nothing is written outside the library', async () => {
  const { folder, run } = await aSite('acme', { GALLEY_SECRET_ACME: secret }, ['--callback-auth', 'basic'])
  expect((await run('site', 'remove', 'acme')).json()).toStrictEqual({ removed: 'acme' })
  expect(await readdir(folder)).toStrictEqual(['library'])
})

test.for([
  ['none', {}],
  ['a user without a password', { GALLEY_CALLBACK_AUTH_ACME: 'editor' }],
] as const)('of callback credentials, it is they that are named as missing: %s', async ([, variables]) => {
  const given = { GALLEY_SECRET_ACME: secret, ...variables }
  const { service, run, listen } = await aSite('acme', given, ['--callback-auth', 'basic'])
  for (const command of [
    ['open', 'acme', 'post-1'],
    ['rehearse', 'acme'],
  ]) {
    const { code, message } = (await run(...command)).failure()
    expect([code, message]).toEqual(['secrets_unavailable', expect.stringContaining('GALLEY_CALLBACK_AUTH_')])
    expect(message).not.toContain('secret is stored')
  }
  const listener = await listen()
  const { body, headers } = aSave(service)
  const type = { 'content-type': 'application/json' }
  const answer = await send(`${listener.url}/callback/acme`, 'POST', body, { ...type, ...headers })
  expect(answer.json).toMatchObject({
    code: 'secrets_unavailable',
    rm: expect.stringContaining('callback credentials'),
  })
})

test.for([
  ['basic', 'editor:pass:word', `Basic ${Buffer.from('editor:pass:word').toString('base64')}`],
  ['bearer', 'tok:en+/=', 'Bearer tok:en+/='],
] as const)('callback credentials (%s) come from the environment and are asked for', async ([kind, value, right]) => {
  const { service, run, listen } = await aSite(
    'acme',
    { GALLEY_SECRET_ACME: secret, GALLEY_CALLBACK_AUTH_ACME: value },
    ['--callback-auth', kind],
  )
  expect((await run('open', 'acme', 'post-1')).code).toBe(0)
  const { metadata } = JSON.parse(service.opens[0]?.body ?? '') as { metadata: Record<string, string> }
  expect(Object.values(metadata)).toContain(kind === 'basic' ? 'pass:word' : value)

  const listener = await listen()
  const post = (authorization: string | null) => {
    const { body, headers } = aSave(service)
    return send(`${listener.url}/callback/acme`, 'POST', body, {
      'content-type': 'application/json',
      ...headers,
      ...(authorization !== null && { authorization }),
    })
  }
  for (const wrong of [null, `${right}x`, right.slice(0, -1), right.replace(/^\w+/, 'Digest')]) {
    expect((await post(wrong)).status, String(wrong)).toBe(401)
  }
  expect((await post(right)).json).toMatchObject({ rc: 1 })
})
