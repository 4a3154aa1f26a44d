import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AsyncEntry, findCredentials } from '@napi-rs/keyring'
import { expect, onTestFinished, test } from 'vitest'

import { galleyProcess, startListen } from '../cli/support/cli.ts'
import { signatureOf, startService } from '../support/service.ts'
import { aSave, send, temporaryFolder } from '../support/test-galley.ts'
import { bytesBelow, expectNowhere, onBus, sessionBus } from './support/session.ts'

// The command line with the real Secret Service: where a site's secret is stored, where it is not, and how an entry is
// handled that another program changed.

const secret = 'S3cret/with+odd=chars & 秘密'
let sites = 0

async function aSite(args: readonly string[] = [], stdin: string | null = `${secret}\n`) {
  sites += 1
  const id = `press-${sites}`
  const service = await startService(secret)
  onTestFinished(service.close)
  const library = join(await temporaryFolder(), 'library')
  const inLibrary = ['--json', '--library', library]
  const { home, environment } = await onBus(sessionBus)
  const base = ['site', 'add', id, ...inLibrary, '--base-url', service.baseUrl, '--api-key', service.apiKey]
  const callback = ['--callback-url', `http://127.0.0.1:8787/callback/${id}`, '--unknown-materials', 'accept']
  const added = await galleyProcess(
    [...base, ...callback, ...args, ...(stdin === null ? [] : ['--secret-stdin'])],
    environment,
    stdin ?? '',
  )
  expect(added.code, added.stderr).toBe(0)
  onTestFinished(async () => {
    for (const { account } of entriesOf(id)) await entry(account).deletePassword()
  })
  const run = (...command: string[]) => galleyProcess([...command, ...inLibrary], environment)
  return { id, service, library, home, environment, added, run }
}

/** The keychain entries of a site, as any program sees them. */
const entriesOf = (id: string) => findCredentials('Galley').filter(({ account }) => account.includes(`:${id}@`))
const entry = (account: string) => new AsyncEntry('Galley', account, { linux: { store: 'secret-service' } })

test('the secret is stored only in the keychain, and signs the session', async () => {
  const { id, service, library, home, environment, added, run } = await aSite()
  expect(added.json()).toMatchObject({ id, secret: 'stored' })
  expect(entriesOf(id)).toHaveLength(1)
  expect(entriesOf(id)[0]?.password).toContain(secret)

  const opened = await run('open', id, 'post-1')
  expect(opened.json(), opened.stderr).toMatchObject({ session_id: 's-1', reused: false })
  const sent = JSON.parse(service.opens[0]?.body ?? '') as { callback_url: string }
  expect(service.opens[0]?.signature).toBe(signatureOf(secret, 'post-1', sent.callback_url))

  const listener = await startListen(library, environment)
  const { body, headers } = aSave(service)
  const saved = await send(`${listener.url}/callback/${id}`, 'POST', body, {
    'content-type': 'application/json',
    ...headers,
  })
  expect(saved.json.rc, saved.text).toBe(1)
  for (const part of ['cmdline', 'environ']) {
    expect(await readFile(`/proc/${listener.child.pid}/${part}`, 'utf8')).not.toContain(secret)
  }
  const said = [added, opened].map(({ stdout, stderr }) => stdout + stderr).join('')
  expect(said + JSON.stringify(listener.lines) + listener.stderr()).not.toContain(secret)
  // The listener removes the staging folder of a save after its answer.
  await expect.poll(() => readdir(join(library, 'staging'))).toStrictEqual([])
  expect((await bytesBelow(library)).length).toBeGreaterThan(3)
  await expectNowhere(secret, library)
  expect(await bytesBelow(home)).toStrictEqual([])
})

test('a site that was never given a secret is missing one', async () => {
  const { id, service, added, run } = await aSite([], null)
  expect(added.json()).toMatchObject({ secret: 'missing' })
  expect(entriesOf(id)).toStrictEqual([])
  const opened = await run('open', id, 'post-1')
  expect(opened.code).toBe(1)
  expect(opened.failure()).toMatchObject({
    code: 'secrets_unavailable',
    message: expect.stringContaining('No secret is stored'),
  })
  expect(service.opens).toStrictEqual([])
})

test.for([
  ['deleted', (account: string) => entry(account).deletePassword()],
  ['overwritten with a plain text', (account: string) => entry(account).setPassword(secret)],
  [
    'overwritten in our own form',
    (account: string) => entry(account).setPassword('{"mark":"00000000-0000-4000-8000-000000000000","value":"forged"}'),
  ],
] as const)('an entry that was %s by somebody else has changed, and is left alone', async ([, change]) => {
  const { id, service, run } = await aSite()
  const account = entriesOf(id)[0]?.account ?? ''
  await change(account)
  const before = entriesOf(id)

  const opened = await run('open', id, 'post-1')
  expect(opened.failure()).toMatchObject({
    code: 'secrets_unavailable',
    message: expect.stringContaining('no longer has'),
  })
  expect((await run('site', 'show', id)).json()).toMatchObject({ secret: 'missing' })
  const checked = await run('site', 'check', id, '--port', '1')
  const first = { ok: false, detail: 'the keychain no longer has the secret' }
  expect((checked.json() as { checks: object[] }).checks[0]).toMatchObject(first)
  expect(service.opens).toStrictEqual([])
  expect(entriesOf(id)).toStrictEqual(before)
})

test.for([
  ['the index', ['index.db']],
  ['local.db', ['local.db']],
  ['the index and local.db', ['index.db', 'local.db']],
] as const)(
  'after %s is gone the library opens, and the secret in the keychain still verifies and signs',
  async ([, lost]) => {
    const { id, service, library, environment, run } = await aSite(['--callback-auth', 'basic'])
    const [before, credentials] = [entriesOf(id), (await openedWith(run, service, id)).metadata]
    const first = await startListen(library, environment)
    const save = aSave(service)
    const deliver = (url: string, { body, headers }: ReturnType<typeof aSave>) =>
      send(`${url}/callback/${id}`, 'POST', body, {
        'content-type': 'application/json',
        ...headers,
        authorization: basic(credentials),
      })
    const answer = await deliver(first.url, save)
    expect(answer.json.rc, answer.text).toBe(1)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    for (const name of lost)
      for (const end of ['', '-wal', '-shm']) await rm(join(library, name + end), { force: true })
    const second = await startListen(library, environment)
    expect((await deliver(second.url, save)).text).toBe(answer.text)
    // Confirmations are in local.db alone.
    if ((lost as readonly string[]).includes('local.db')) {
      expect((await deliver(second.url, aSave(service))).json.code).toBe('site_unconfirmed')
      expect((await run('site', 'add', id)).code).toBe(0)
    }
    const another = await deliver(second.url, aSave(service))
    expect(another.json.rc, another.text).toBe(1)
    const forged = aSave(service)
    const refused = await deliver(second.url, { ...forged, headers: { 'x-service-signature': '0'.repeat(64) } })
    expect([refused.status, refused.json.code]).toStrictEqual([400, 'invalid_signature'])
    // The same credentials go to the service as before, and the keychain is as it was.
    expect((await openedWith(run, service, id)).metadata).toMatchObject({
      webhook_auth_password: credentials['webhook_auth_password'],
    })
    expect(entriesOf(id)).toStrictEqual(before)
    expect((await run('site', 'show', id)).json()).toMatchObject({ secret: 'stored' })
  },
)

const basic = (metadata: Record<string, string>): string => {
  const { webhook_auth_user: user = '', webhook_auth_password: password = '' } = metadata
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** The next request that opens a session of a site, signed with its secret. */
async function openedWith(
  run: (...command: string[]) => ReturnType<typeof galleyProcess>,
  service: Awaited<ReturnType<typeof startService>>,
  id: string,
) {
  const opened = await run('open', id, `post-${service.opens.length}`)
  expect(opened.code, opened.stdout + opened.stderr).toBe(0)
  const { body = '', signature } = service.opens.at(-1) ?? {}
  const sent = JSON.parse(body) as { callback_url: string; material_id: string; metadata: Record<string, string> }
  expect(signature).toBe(signatureOf(secret, sent.material_id, sent.callback_url))
  return sent
}

test.for([
  ['that has no secret', 'secret_missing', null, []],
  ['whose secret was deleted by another program', 'secret_changed', 0, []],
  [
    'whose callback credentials were deleted by another program',
    'credentials_missing',
    1,
    ['--callback-auth', 'basic'],
  ],
] as const)(
  'a listener whose only site is one %s is not ready for that reason, and ready when the secret is set again',
  async ([, state, deleted, args]) => {
    const { id, library, environment } = await aSite(args, deleted === null ? null : `${secret}\n`)
    const find = (kind: string) => entriesOf(id).find(({ account }) => account.startsWith(kind))?.account ?? ''
    if (deleted !== null) await entry(find(['secret', 'callback'][deleted] ?? '')).deletePassword()
    const listener = await startListen(library, environment, { args: ['--port', '0', '--health-port', '0'] })
    const { health_url: health } = listener.lines[0] as { health_url: string }
    const ready = async () => {
      const answer = await fetch(`${health}/ready`)
      return { status: answer.status, ...((await answer.json()) as object) }
    }
    expect(await ready()).toMatchObject({ status: 503, state, message: expect.stringContaining(id) })
    const again = ['site', 'add', id, '--json', '--library', library, ...args, '--secret-stdin']
    const set = await galleyProcess(again, environment, `${secret}\n`)
    expect(set.code, set.stderr).toBe(0)
    expect(await ready()).toEqual({ status: 200, ready: true, state: 'ready' })
  },
)

test('setting the secret again repairs a changed entry', async () => {
  const { id, library, environment, run } = await aSite()
  await entry(entriesOf(id)[0]?.account ?? '').deletePassword()
  const again = await galleyProcess(
    ['site', 'add', id, '--json', '--library', library, '--secret-stdin'],
    environment,
    `${secret}\r\n`,
  )
  expect(again.json(), again.stderr).toMatchObject({ secret: 'stored' })
  expect((await run('open', id, 'post-1')).code).toBe(0)
})

test('callback credentials are generated, sent with the session, required, and stored only in the keychain', async () => {
  const { id, service, library, environment, run } = await aSite(['--callback-auth', 'basic'])
  expect(entriesOf(id)).toHaveLength(2)
  expect((await run('open', id, 'post-1')).code).toBe(0)
  const { metadata } = JSON.parse(service.opens[0]?.body ?? '') as { metadata: Record<string, string> }
  const { webhook_auth_user: user = '', webhook_auth_password: password = '' } = metadata
  expect(password.length).toBeGreaterThan(30)

  const listener = await startListen(library, environment)
  const post = (authorization: string | null) => {
    const { body, headers } = aSave(service)
    return send(`${listener.url}/callback/${id}`, 'POST', body, {
      'content-type': 'application/json',
      ...headers,
      ...(authorization !== null && { authorization }),
    })
  }
  const basic = (name: string, word: string) => `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`
  expect((await post(null)).status).toBe(401)
  expect((await post(basic(user, 'guess'))).status).toBe(401)
  expect((await post(basic(user, password))).json.rc).toBe(1)

  // Another change of the site keeps them.
  await run('site', 'add', id, '--name', 'Renamed')
  await run('open', id, 'post-1')
  expect(JSON.parse(service.opens[1]?.body ?? '')).toMatchObject({ metadata: { webhook_auth_password: password } })
  await expectNowhere(password, library)
})

test('removing a site removes its entries from the keychain', async () => {
  const { id, run } = await aSite(['--callback-auth', 'bearer'])
  expect(entriesOf(id)).toHaveLength(2)
  expect((await run('site', 'remove', id)).json()).toStrictEqual({ removed: id })
  expect(entriesOf(id)).toStrictEqual([])
})

test('the keys of a bucket are read from standard input after the secret, and stored in the keychain', async () => {
  const bucket = ['--publish', 's3:acme-bucket', '--s3-endpoint', 'https://s3.example']
  const { id, library, home, environment, added, run } = await aSite(
    [...bucket, '--s3-credentials-stdin'],
    `${secret}\nKEYID\nkey-secret\n`,
  )
  expect(added.json()).toMatchObject({
    secret: 'stored',
    s3: { endpoint: 'https://s3.example', credentials: 'stored' },
  })
  const kinds = new Set(entriesOf(id).map(({ account }) => account.split(':')[0]))
  expect(kinds).toEqual(new Set(['bucket-keys', 'secret']))
  const printed = [added.stdout, added.stderr, (await run('site', 'show', id)).stdout].join('')
  expect(printed).not.toMatch(/KEYID|key-secret/)
  for (const key of ['KEYID', 'key-secret']) for (const folder of [library, home]) await expectNowhere(key, folder)

  const change = (stdin: string, ...args: string[]) =>
    galleyProcess(['site', 'add', id, ...args, '--json', '--library', library], environment, stdin)
  for (const [stdin = '', ...args] of [
    ['KEYID\n', '--s3-credentials-stdin'],
    ['KEYID\nkey-secret\nmore\n', '--s3-credentials-stdin'],
    ['KEY ID\nkey-secret\n', '--s3-credentials-stdin'],
    ['KEYID\nkey-secret\n', '--s3-credentials-stdin', '--s3-forget-credentials'],
    ['KEYID\nkey-secret\n', '--s3-credentials-stdin', '--publish', 'listener'],
  ]) {
    const wrong = await change(stdin, ...args)
    expect([wrong.code, wrong.failure().code], args.join(' ')).toStrictEqual([2, 'usage'])
    expect(wrong.stderr).not.toContain('key-secret')
  }
  expect((await run('site', 'show', id)).json()).toMatchObject({ s3: { credentials: 'stored' } })
  const forgotten = await change('', '--s3-forget-credentials')
  expect(forgotten.json()).toMatchObject({ secret: 'stored', s3: { credentials: 'missing' } })
  expect(entriesOf(id)).toHaveLength(1)
})
