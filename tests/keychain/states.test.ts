import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { withSecretService } from '../../scripts/runtime/secret-service.ts'
import { galleyProcess, startListen } from '../cli/support/cli.ts'
import { startService } from '../support/service.ts'
import { aSave, send, temporaryFolder } from '../support/test-galley.ts'
import {
  bytesBelow,
  expectNowhere,
  keychainSteps,
  keyringFile,
  keyringProcess,
  lockKeyring,
  onBus,
} from './support/session.ts'
import { startSilentPrompter } from './support/silent-prompter.ts'

// How Galley handles a Secret Service that is locked or missing. Each test has its own bus.

const secret = 'swordfish-nobody-guesses'
const unavailable = { ok: false, failure: 'unavailable' }
const locked = { ok: false, failure: 'locked' }
const everyStep = [
  ['read', 'some account'],
  ['write', 'some account', 'value'],
  ['remove', 'some account'],
]

async function aLibrary() {
  const service = await startService(secret)
  onTestFinished(service.close)
  const library = join(await temporaryFolder(), 'library')
  const add = ['site', 'add', 'acme', '--json', '--library', library, '--base-url', service.baseUrl, '--api-key', 'key']
  const callback = ['--callback-url', 'http://127.0.0.1:8787/callback/acme', '--unknown-materials', 'accept']
  return { service, library, add: [...add, ...callback], inLibrary: ['--json', '--library', library] }
}

test.for([
  ['no address', undefined],
  ['an empty address', ''],
  ['an address where nothing is', 'unix:path=/nowhere/bus'],
  ['an address that is none', 'not an address'],
])('%s of a bus: every step is unavailable, at once', async ([, address]) => {
  const { environment } = await onBus(address)
  for (const { result, ms } of await keychainSteps(environment, ...everyStep)) {
    expect(result).toStrictEqual(unavailable)
    // A bus that is asked and does not answer takes 25 seconds.
    expect(ms).toBeLessThan(20_000)
  }
})

test('without a keychain a secret is refused and stored nowhere, and every use of it reports why', async () => {
  const { service, add, inLibrary, library } = await aLibrary()
  const { home, environment } = await onBus(undefined)

  const added = await galleyProcess([...add, '--secret-stdin'], environment, `${secret}\n`)
  expect(added.code).toBe(1)
  expect(added.json()).toStrictEqual({
    error: { code: 'secrets_unavailable', message: expect.stringContaining('no keychain') as string },
  })
  // The site exists without a secret: missing, whatever state the keychain has.
  const shown = await galleyProcess(['site', 'show', 'acme', ...inLibrary], environment)
  expect(shown.json()).toMatchObject({ id: 'acme', secret: 'missing' })
  const opened = await galleyProcess(['open', 'acme', 'post-1', ...inLibrary], environment)
  expect([opened.code, opened.failure().code]).toStrictEqual([1, 'secrets_unavailable'])
  expect(service.opens).toStrictEqual([])

  expect(added.stdout + added.stderr + opened.stdout + opened.stderr).not.toContain(secret)
  await expectNowhere(secret, library)
  expect(await bytesBelow(home)).toStrictEqual([])
})

test('a keychain that becomes unavailable is reported by open and callbacks, and nothing is written', async () => {
  const { service, add, inLibrary, library } = await aLibrary()
  await withSecretService(async (env) => {
    const { environment } = await onBus(env['DBUS_SESSION_BUS_ADDRESS'])
    const added = await galleyProcess([...add, '--secret-stdin'], environment, secret)
    expect(added.json(), added.stderr).toMatchObject({ secret: 'stored' })
  })
  const { home, environment } = await onBus('unix:path=/nowhere/bus')
  const shown = await galleyProcess(['site', 'show', 'acme', ...inLibrary], environment)
  expect(shown.json()).toMatchObject({ secret: 'unavailable' })
  const opened = await galleyProcess(['open', 'acme', 'post-1', ...inLibrary], environment)
  expect(opened.failure()).toMatchObject({
    code: 'secrets_unavailable',
    message: expect.stringMatching(/^No keychain was found/),
  })

  const listener = await startListen(library, environment)
  const { body, headers } = aSave(service)
  const answer = await send(`${listener.url}/callback/acme`, 'POST', body, {
    'content-type': 'application/json',
    ...headers,
  })
  expect([answer.status, answer.json.rc, answer.json.code]).toStrictEqual([503, 0, 'secrets_unavailable'])
  expect(service.downloads.filter(({ path }) => path.includes('/download/'))).toStrictEqual([])
  await expectNowhere(secret, library)
  expect(await bytesBelow(home)).toStrictEqual([])
})

test('a locked keychain: read, write and remove report it, and its entries do not change', async () => {
  const { service, add, inLibrary, library } = await aLibrary()
  await withSecretService(async (env) => {
    const address = env['DBUS_SESSION_BUS_ADDRESS'] ?? ''
    const { home, environment } = await onBus(address)
    await galleyProcess([...add, '--secret-stdin'], environment, secret)
    await lockKeyring(address)
    const before = await keyringFile(address)

    for (const { result } of await keychainSteps(environment, ...everyStep)) expect(result).toStrictEqual(locked)
    const shown = await galleyProcess(['site', 'show', 'acme', ...inLibrary], environment)
    expect(shown.json()).toMatchObject({ secret: 'locked' })
    const opened = await galleyProcess(['open', 'acme', 'post-1', ...inLibrary], environment)
    expect(opened.failure()).toMatchObject({ code: 'secrets_unavailable', message: expect.stringMatching(/locked/) })
    const changed = await galleyProcess([...add, '--secret-stdin'], environment, 'another secret')
    expect(changed.failure()).toMatchObject({
      code: 'secrets_unavailable',
      message: expect.stringMatching(/locked/),
    })
    const removed = await galleyProcess(['site', 'remove', 'acme', ...inLibrary], environment)
    expect(removed.failure()).toMatchObject({ code: 'secrets_unavailable' })
    const checked = await galleyProcess(['site', 'check', 'acme', ...inLibrary, '--port', '1'], environment)
    const first = { name: 'keychain', ok: false, detail: 'the keychain is locked' }
    expect((checked.json() as { checks: object[] }).checks[0]).toMatchObject(first)

    const listener = await startListen(library, environment)
    const { body, headers } = aSave(service)
    const answer = await send(`${listener.url}/callback/acme`, 'POST', body, {
      'content-type': 'application/json',
      ...headers,
    })
    expect([answer.status, answer.json.code]).toStrictEqual([503, 'secrets_unavailable'])
    expect(service.downloads.filter(({ path }) => path.includes('/download/'))).toStrictEqual([])

    expect((await keyringFile(address)).equals(before)).toBe(true)
    await expectNowhere(secret, library)
    expect(await bytesBelow(home)).toStrictEqual([])
  })
})

test('a locked and empty keychain cannot be written to either', async () => {
  await withSecretService(async (env) => {
    const address = env['DBUS_SESSION_BUS_ADDRESS'] ?? ''
    await lockKeyring(address)
    const { environment } = await onBus(address)
    const [read, write] = await keychainSteps(environment, ...everyStep)
    expect(read?.result).toStrictEqual({ ok: true, value: null })
    expect(write?.result).toStrictEqual(locked)
  })
})

test('an unanswered password dialog blocks no read and no process', async () => {
  await withSecretService(async (env) => {
    const address = env['DBUS_SESSION_BUS_ADDRESS'] ?? ''
    const { environment } = await onBus(address)
    await keychainSteps(environment, ['write', 'some account', 'value'])
    onTestFinished(await startSilentPrompter(address))
    await lockKeyring(address)
    for (const { result, ms } of await keychainSteps(environment, ...everyStep)) {
      expect(result).toStrictEqual(locked)
      expect(ms).toBeLessThan(20_000)
    }
  })
})

test('the keyring of the tests starts again after a crash, with its entries', async () => {
  await withSecretService(async (env) => {
    const { environment } = await onBus(env['DBUS_SESSION_BUS_ADDRESS'])
    await keychainSteps(environment, ['write', 'some account', 'value'])
    const processId = await keyringProcess(env)
    process.kill(processId, 'SIGTRAP')
    await expect.poll(() => keyringProcess(env)).not.toBe(processId)
    await expect
      .poll(async () => (await keychainSteps(environment, ['read', 'some account']))[0]?.result)
      .toStrictEqual({ ok: true, value: 'value' })
  })
})
