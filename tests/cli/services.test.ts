import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

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

test('emulator says where it is, serves, and ends on SIGTERM with 0', async () => {
  const { folder } = await aLibrary()
  const args = ['emulator', '--json', '--api-key', 'key-7', '--secret-stdin', '--data', join(folder, 'service')]
  const emulator = stream(args, { HOME: folder }, { stdin: 'service secret\n' })
  const ready = (await emulator.line((line: Ready) => line.event === 'ready')) as Ready
  expect(ready).toStrictEqual({ event: 'ready', base_url: text, api_key: 'key-7', url: text })
  expect(ready.base_url).toMatch(/\/integration$/)

  const callbackUrl = 'http://127.0.0.1:8787/callback/acme'
  const opened = await fetch(`${ready.base_url}/session/open`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-signature': signatureOf('service secret', 'post-1', callbackUrl),
    },
    body: JSON.stringify({ api_key: 'key-7', callback_url: callbackUrl, material_id: 'post-1' }),
  })
  expect([opened.status, await opened.json()]).toMatchObject([200, { session_id: text, fingerprint: text, url: text }])

  emulator.child.kill('SIGTERM')
  expect(await emulator.ended).toBe(0)
  expect(emulator.lines).toHaveLength(1)
  expect(await readdir(join(folder, 'service'))).toContain('emulator.db')
})

test('demo goes the whole way on an emulator of its own, and leaves nothing behind', { timeout: 60_000 }, async () => {
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

test('demo keeps library and export where it is told to', { timeout: 60_000 }, async () => {
  const { folder, library } = await aLibrary()
  const out = join(folder, 'site')
  const ran = await galley(['demo', '--json', '--library', library, '--export', out], { HOME: folder })
  expect(ran.code, ran.stderr).toBe(0)
  expect(await readdir(out)).toContain('index.html')
  const listed = await galley(['materials', 'demo', '--json', '--library', library, '--secrets', 'env'])
  expect(listed.json()).toMatchObject([{ versions: 2, current_version_id: ran.json().versions[1] }])
})
