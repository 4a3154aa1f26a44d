import { once } from 'node:events'
import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { createAuthority } from '../support/certificates.ts'
import { damageIndex } from '../support/damage-index.ts'
import { aFreePort } from '../support/free-port.ts'
import { galley } from './support/cli.ts'
import type { Environment } from './support/cli.ts'
import { acmeSecret, aLibrary, aNewsroom, withASave } from './support/library.ts'

interface Row {
  readonly name: string
  readonly state: 'ok' | 'note' | 'fails'
  readonly site?: string
  readonly detail: string
  readonly fix: string
}

/** What the doctor finds, by name and site, and what it printed. */
async function diagnosed(library: string, environment: Environment, ...args: readonly string[]) {
  const ran = await galley(['doctor', '--json', '--library', library, ...args], environment)
  const { ok, checks } = ran.json() as { readonly ok: boolean; readonly checks: readonly Row[] }
  expect(ran.code).toBe(ok ? 0 : 1)
  expect(ok).toBe(checks.every(({ state }) => state !== 'fails'))
  for (const row of checks) expect(row.detail, row.name).not.toBe('')
  return { checks, printed: ran.stdout + ran.stderr, of: (name: string) => checks.filter((row) => row.name === name) }
}

const subjects = ['node', 'keychain', 'library', 'disk', 'port', 'clock', 'proxy', 'certificates', 'update']

/** The content of a library, without what SQLite keeps beside an open database. */
async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => !/-(?:shm|wal)$/.test(name)).toSorted()
  const files: [string, string][] = []
  for (const name of names)
    if ((await stat(join(folder, name))).isFile())
      files.push([name, (await readFile(join(folder, name))).toString('base64')])
  return Object.fromEntries(files)
}

test('without a library nothing fails, and nothing is made', async () => {
  const { folder, library, environment } = await aLibrary()
  const { checks, of } = await diagnosed(library, environment, '--port', String(await aFreePort()))
  expect([...new Set(checks.map(({ name }) => name))]).toEqual(subjects)
  expect(checks.filter(({ state }) => state === 'fails')).toEqual([])
  expect(of('library')).toMatchObject([{ state: 'note' }])
  expect(await readdir(folder)).toEqual([])
})

test('a library that is served: its listener, and the service of each site that is confirmed', async () => {
  const { library, environment } = await aNewsroom()
  const { checks, of, printed } = await diagnosed(library, environment)
  expect([...new Set(checks.map(({ name }) => name))]).toEqual(subjects)
  expect(checks.filter(({ state }) => state === 'fails')).toEqual([])
  expect(of('library')).toMatchObject([{ state: 'ok' }])
  expect(of('port')).toMatchObject([
    { state: 'ok', detail: expect.stringMatching(/^process \d+ listens at /) as string },
  ])
  expect(of('clock')).toMatchObject([{ state: 'ok', site: 'acme' }])
  expect(of('certificates').at(-1)).toMatchObject({
    state: 'ok',
    site: 'acme',
    detail: expect.stringContaining('without TLS') as string,
  })
  expect(printed).not.toContain(acmeSecret)
})

test('a damaged index is named and not repaired', async () => {
  const room = await withASave()
  room.listener.child.kill('SIGTERM')
  expect(await room.listener.ended).toBe(0)
  await damageIndex(room.library)
  const before = await contentOf(room.library)
  const { of } = await diagnosed(room.library, room.environment)
  expect(of('library')).toMatchObject([{ state: 'fails', detail: 'the index was damaged' }])
  expect(of('library')[0]?.fix).toContain('galley fsck')
  expect(await contentOf(room.library)).toEqual(before)

  await rm(join(room.library, 'index.db'))
  expect((await diagnosed(room.library, room.environment)).of('library')).toMatchObject([
    { state: 'fails', detail: 'the index was missing' },
  ])
  await rm(join(room.library, 'log'), { recursive: true })
  expect((await diagnosed(room.library, room.environment)).of('library')).toMatchObject([{ state: 'fails' }])
  expect(await readdir(room.library)).not.toContain('index.db')
})

test('a port that another program has, secrets in a proxy, and a file of certificates that is not there', async () => {
  const { library, environment } = await aLibrary()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const surroundings = { HTTP_PROXY: 'http://ann:hunter2@127.0.0.1:9', GALLEY_CA_CERTS: '/nowhere/ca.pem' }
  const { of, printed } = await diagnosed(library, { ...environment, ...surroundings }, '--port', String(port))
  expect(of('port')).toMatchObject([{ state: 'fails', detail: `${port} cannot be used (EADDRINUSE)` }])
  expect(of('proxy')).toMatchObject([{ state: 'ok', detail: 'set in the environment: HTTP_PROXY' }])
  expect(of('certificates')).toMatchObject([
    { state: 'fails', detail: expect.stringContaining('GALLEY_CA_CERTS') as string },
  ])
  expect(printed).not.toMatch(/hunter2|nowhere/)
})

test('the certificate of a service is tried with what this computer trusts', async () => {
  const authority = createAuthority()
  onTestFinished(authority.remove)
  const server = createServer(authority.issue('localhost'), (_request, response) => void response.end()).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  const { library, environment, run } = await aLibrary()
  const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}`
  const urls = ['--base-url', baseUrl, '--callback-url', 'http://127.0.0.1:9/callback/acme']
  const added = await run('site', 'add', 'acme', ...urls, '--api-key', 'k', '--environment', 'dev', '--allow-http')
  expect(added.code, added.stderr).toBe(0)
  const unknown = await diagnosed(library, environment)
  expect(unknown.of('certificates').at(-1)).toMatchObject({
    state: 'fails',
    site: 'acme',
    detail: expect.stringContaining('its certificate is not trusted') as string,
  })
  expect(unknown.of('clock')).toMatchObject([{ state: 'note', site: 'acme' }])
  const known = await diagnosed(library, { ...environment, NODE_EXTRA_CA_CERTS: authority.file })
  expect(known.of('certificates')).toMatchObject([
    { state: 'ok', detail: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string },
    { state: 'ok', site: 'acme', detail: expect.stringContaining('its certificate is trusted') as string },
  ])
  const text = (await galley(['doctor', '--library', library], environment)).stdout
  expect(text).toMatch(/^FAILS {2}certificates of acme: .*\n {7}\S/m)
})
