import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { cliFile } from '../../scripts/runtime/built.ts'
import { aFreePort } from '../support/free-port.ts'
import { signatureOf } from '../support/service.ts'
import { galley, stream } from './support/cli.ts'
import { aLibrary } from './support/library.ts'

const text = expect.any(String) as string

interface Ready {
  readonly event: string
  readonly base_url: string
  readonly api_key: string
  readonly url: string
}

/** Opens a session like the backend of one key. */
const openWith = (ready: Ready, apiKey: string, secret: string, callbackUrl: string) =>
  fetch(`${ready.base_url}/session/open`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-signature': signatureOf(secret, 'post-1', callbackUrl),
    },
    body: JSON.stringify({ api_key: apiKey, callback_url: callbackUrl, material_id: 'post-1' }),
  })

test('emulator prints its address, serves, and ends on SIGTERM with 0', async () => {
  const { folder } = await aLibrary()
  const args = ['emulator', '--json', '--api-key', 'key-7', '--secret-stdin', '--data', join(folder, 'service')]
  const emulator = stream(args, { HOME: folder }, { stdin: 'service secret\n' })
  const ready = await emulator.line((line: Ready) => line.event === 'ready')
  expect(ready).toStrictEqual({ event: 'ready', base_url: text, api_key: 'key-7', url: text })
  expect(ready.base_url).toMatch(/\/integration$/)

  const callbackUrl = 'http://127.0.0.1:8787/callback/acme'
  const opened = await openWith(ready, 'key-7', 'service secret', callbackUrl)
  expect([opened.status, await opened.json()]).toMatchObject([200, { session_id: text, fingerprint: text, url: text }])

  emulator.child.kill('SIGTERM')
  expect(await emulator.ended).toBe(0)
  expect(emulator.lines).toHaveLength(1)
  expect(await readdir(join(folder, 'service'))).toContain('emulator.db')
})

test('emulator prints each callback in its terminal, but none with --json', async () => {
  const { folder } = await aLibrary()
  const site = createServer((request, response) => {
    request.resume()
    response.end(JSON.stringify({ rc: 0, rm: 'Not\u001b[2J today' }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void (site.closeAllConnections(), site.close()))
  await once(site, 'listening')
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const port = await aFreePort()
  for (const args of [[], ['--json']]) {
    const emulator = spawn(process.execPath, [cliFile, 'emulator', '--port', String(port), ...args], {
      env: { ...process.env, HOME: folder },
    })
    onTestFinished(() => void emulator.kill('SIGKILL'))
    const said = { stdout: '', stderr: '' }
    emulator.stdout.setEncoding('utf8').on('data', (chunk: string) => (said.stdout += chunk))
    emulator.stderr.setEncoding('utf8').on('data', (chunk: string) => (said.stderr += chunk))
    const url = `http://127.0.0.1:${port}`
    const ready = { base_url: `${url}/integration` } as Ready
    await expect
      .poll(() =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true)
    const opened = await openWith(ready, 'emulator-dev', 'emulator-secret', `${origin}/hook?token=t0ken`)
    const { fingerprint } = (await opened.json()) as { fingerprint: string }
    const body = JSON.stringify({ html: '', state: {} })
    const saved = await fetch(`${url}/_emulator/sessions/${fingerprint}/save`, { method: 'POST', body })
    expect(await saved.json()).toMatchObject({ result: 'rejected' })
    emulator.kill('SIGTERM')
    expect(await once(emulator, 'close')).toEqual([0, null])
    const told = said.stdout.split('\n').filter((line) => line.includes('article_saved'))
    expect(told).toEqual(
      args.length > 0
        ? []
        : [
            expect.stringMatching(
              /^\S+Z {2}article_saved {2}post-1 {2}\S+\/hook {2}200 {2}rejected {2}\d+ ms {2}Not�\[2J today$/,
            ),
          ],
    )
    expect(said.stdout + said.stderr).not.toContain('t0ken')
  }
})

test('emulator reports what prevents its start, and what to do', async () => {
  const { folder } = await aLibrary()
  const data = join(folder, 'service')
  const first = stream(['emulator', '--json', '--data', data], { HOME: folder })
  const { url } = await first.line((line: Ready) => line.event === 'ready')
  const refused = async (...args: readonly string[]) => {
    const { code, json } = await galley(['emulator', '--json', ...args], { HOME: folder })
    return [code, json()]
  }
  const other = join(folder, 'other')
  await mkdir(other)
  await writeFile(join(other, 'emulator.db'), 'a letter to somebody, and long enough to be looked at'.repeat(100))

  expect(await refused('--data', data)).toMatchObject([1, { error: { code: 'data_in_use' } }])
  expect(await refused('--port', new URL(url).port)).toMatchObject([1, { error: { code: 'port_taken' } }])
  expect(await refused('--data', other)).toMatchObject([1, { error: { code: 'data_unreadable' } }])
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
})

test('emulator reads several sites from a file, and sets its clock', async () => {
  const { folder } = await aLibrary()
  const file = join(folder, 'sites.json')
  const sites = [
    { api_key: 'acme-dev', secret: 'secret one' },
    {
      api_key: 'acme-prod',
      secret: 'secret two',
      name: 'Acme',
      environment: 'prod',
      allowed_domains: ['acme.example'],
    },
  ]
  await writeFile(file, JSON.stringify(sites), { mode: 0o644 })
  const emulator = stream(['emulator', '--json', '--sites', file, '--now', '2026-01-02T03:04:05Z'], { HOME: folder })
  const ready = await emulator.line((line: Ready) => line.event === 'ready')
  expect(ready.api_key).toBe('acme-dev')
  await emulator.says('other users can read it')
  expect(emulator.stderr()).not.toContain('secret ')

  const local = 'http://127.0.0.1:8787/callback/acme'
  const answers = [
    await openWith(ready, 'acme-dev', 'secret one', local),
    await openWith(ready, 'acme-prod', 'secret one', 'https://cms.acme.example/callback'),
    await openWith(ready, 'acme-prod', 'secret two', local),
    await openWith(ready, 'acme-prod', 'secret two', 'https://cms.acme.example/callback'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 200])
  const { now } = (await (await fetch(`${ready.url}/_emulator/clock`)).json()) as { now: string }
  expect(now).toMatch(/^2026-01-02T03:04:/)
})

test.for([
  ['no JSON', 'secret', []],
  ['a site without secret', JSON.stringify([{ api_key: 'a' }]), []],
  ['an unknown field', JSON.stringify([{ api_key: 'a', secret: 'hunter2', domains: [] }]), []],
  ['no site', '[]', []],
  [
    'a key twice',
    JSON.stringify([
      { api_key: 'a', secret: 'hunter2' },
      { api_key: 'a', secret: 'b' },
    ]),
    [],
  ],
  ['a header that is none', JSON.stringify([{ api_key: 'a', secret: 'hunter2', signature_header: 'a b' }]), []],
  ['a header that is taken', JSON.stringify([{ api_key: 'a', secret: 'hunter2', signature_header: 'Cookie' }]), []],
  ['an address for a domain', JSON.stringify([{ api_key: 'a', secret: 'hunter2', allowed_domains: ['http://x'] }]), []],
  ['a secret for nobody', JSON.stringify([{ api_key: 'a', secret: 'hunter2' }]), ['--secret-stdin']],
] as const)('a sites file with %s is wrong usage', async ([, content, more]) => {
  const { folder } = await aLibrary()
  const file = join(folder, 'sites.json')
  await writeFile(file, content, { mode: 0o600 })
  const ran = await galley(['emulator', '--json', '--sites', file, ...more], { HOME: folder })
  expect([ran.code, ran.json()]).toMatchObject([2, { error: { code: 'usage' } }])
  expect(ran.stderr + ran.stdout).not.toContain('hunter2')
})

test('demo runs all steps on its own emulator, and leaves nothing behind', async () => {
  const { folder } = await aLibrary()
  const temporary = { HOME: folder, TMPDIR: folder, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
  const ran = await galley(['demo', '--json'], temporary)
  expect(ran.code, ran.stderr).toBe(0)
  const report = ran.json() as { versions: string[]; refused: string }
  expect(report).toStrictEqual({
    site: 'demo',
    material_id: text,
    versions: [text, text],
    snapshot_id: text,
    refused: text,
    export: expect.objectContaining({
      changed: 0,
      removed: 0,
      links: expect.objectContaining({ broken: [] }),
    }) as object,
  })
  expect(new Set(report.versions).size).toBe(2)
  expect(report.refused).toMatch(/never.*opened|not opened|unknown/i)
  expect(await readdir(folder)).toStrictEqual([])
})

test('demo keeps library and export in the given folders', async () => {
  const { folder, library } = await aLibrary()
  const out = join(folder, 'site')
  const ran = await galley(['demo', '--json', '--library', library, '--export', out], { HOME: folder })
  expect(ran.code, ran.stderr).toBe(0)
  expect(await readdir(out)).toContain('index.html')
  const listed = await galley(['materials', 'demo', '--json', '--library', library, '--secrets', 'env'])
  expect(listed.json()).toMatchObject([
    { versions: 2, current_version_id: (ran.json() as { versions: string[] }).versions[1] },
  ])
})
