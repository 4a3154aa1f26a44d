import { mkdir, readFile, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

import { capture } from '../../../scripts/runtime/processes.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

/** The bus of the test command, with the unlocked keyring on it. */
export const sessionBus = process.env['DBUS_SESSION_BUS_ADDRESS'] ?? ''

/** An environment whose bus is the given one, or none; every folder a program could write to is an empty one. */
export async function onBus(address: string | undefined) {
  const home = await temporaryFolder()
  const names = ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR']
  for (const name of names) await mkdir(join(home, name), { mode: 0o700 })
  const folders = Object.fromEntries(names.map((name) => [name, join(home, name)]))
  return { home, environment: { ...folders, HOME: home, DBUS_SESSION_BUS_ADDRESS: address } }
}

/** Every file below a folder with its bytes. */
export async function bytesBelow(folder: string): Promise<readonly { file: string; bytes: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(files.map(async (file) => ({ file, bytes: await readFile(file) })))
}

/** None of these files contains the secret, in plain text or in likely encodings. */
export async function expectNowhere(secret: string, folder: string): Promise<void> {
  const spellings = [
    Buffer.from(secret),
    Buffer.from(secret, 'utf16le'),
    Buffer.from(Buffer.from(secret).toString('hex')),
    Buffer.from(Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -2)),
  ]
  const found = (await bytesBelow(folder)).filter(({ bytes }) => spellings.some((each) => bytes.includes(each)))
  expect(found.map(({ file }) => file)).toStrictEqual([])
}

/** Runs steps on the keychain in another process, on the bus of `environment`. */
export async function keychainSteps(
  environment: Readonly<Record<string, string | undefined>>,
  ...steps: readonly (readonly string[])[]
) {
  const script = fileURLToPath(new URL('use-keychain.ts', import.meta.url))
  const env = { ...process.env, ...environment }
  const ran = await capture(process.execPath, [script, JSON.stringify(steps)], { env, timeout: 30_000 })
  expect(ran.code, ran.stderr).toBe(0)
  return JSON.parse(ran.stdout) as { result: { ok: boolean; value?: unknown; failure?: string }; ms: number }[]
}

/** Locks the login keyring of a private Secret Service. */
export async function lockKeyring(address: string): Promise<void> {
  const service = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', '/org/freedesktop/secrets']
  const lock = ['org.freedesktop.Secret.Service.Lock', 'array:objpath:/org/freedesktop/secrets/collection/login']
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: address }
  const { code, stderr } = await capture('dbus-send', [...service, ...lock], { env })
  expect(code, stderr).toBe(0)
}

/** The file of the keyring of a private Secret Service. */
export const keyringFile = (address: string): Promise<Buffer> =>
  readFile(join(dirname(address.replace('unix:path=', '')), 'data', 'keyrings', 'login.keyring'))

/** The process that serves the Secret Service on the bus of `env`; NaN while there is none. */
export async function keyringProcess(env: NodeJS.ProcessEnv): Promise<number> {
  const bus = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/']
  const owner = ['org.freedesktop.DBus.GetConnectionUnixProcessID', 'string:org.freedesktop.secrets']
  const { stdout } = await capture('dbus-send', [...bus, ...owner], { env: { ...process.env, ...env } })
  return Number(/uint32 (\d+)/.exec(stdout)?.[1])
}
