import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'

import { createKeychain } from '../../packages/library/secrets/keychain.ts'

// The adapter on the real Secret Service of the test command.

const keychain = createKeychain()

/** An unused account, removed again at the end. */
function anAccount(name = 'test'): string {
  const account = `${name}:${randomUUID()}`
  onTestFinished(async () => void (await keychain.remove(account)))
  return account
}

test('written values are read, overwritten and removed', async () => {
  const account = anAccount()
  expect(await keychain.read(account)).toStrictEqual({ ok: true, value: null })
  expect(await keychain.write(account, 'first')).toStrictEqual({ ok: true, value: null })
  expect(await keychain.read(account)).toStrictEqual({ ok: true, value: 'first' })
  expect(await keychain.write(account, 'second')).toStrictEqual({ ok: true, value: null })
  expect(await createKeychain().read(account)).toStrictEqual({ ok: true, value: 'second' })
  expect(await keychain.remove(account)).toStrictEqual({ ok: true, value: null })
  expect(await keychain.read(account)).toStrictEqual({ ok: true, value: null })
})

test('removing a missing entry is no failure', async () => {
  expect(await keychain.remove(anAccount())).toStrictEqual({ ok: true, value: null })
})

test.for([
  ['blanks and a line end', '  secret \n'],
  ['other scripts and an emoji', 'Grüße, 秘密 🔑'],
  ['quotes and backslashes', '"\\\'$(id)`'],
  ['64 KiB', 'x'.repeat(65_536)],
])('a value of %s comes back as it was', async ([, value = '']) => {
  const account = anAccount('odd name: ü@"x"')
  expect(await keychain.write(account, value)).toStrictEqual({ ok: true, value: null })
  expect(await keychain.read(account)).toStrictEqual({ ok: true, value })
})

test('accounts do not disturb each other, and twenty are read at once', async () => {
  const accounts = Array.from({ length: 20 }, (_, at) => anAccount(`many-${at}`))
  await Promise.all(accounts.map((account) => keychain.write(account, `value of ${account}`)))
  const read = await Promise.all(accounts.map((account) => keychain.read(account)))
  expect(read).toStrictEqual(accounts.map((account) => ({ ok: true, value: `value of ${account}` })))
})
