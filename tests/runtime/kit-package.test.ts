import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

import { packKit } from '../../scripts/package/kit.ts'
import { capture } from '../../scripts/runtime/processes.ts'
import { aFreePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/test-galley.ts'

test('the developer kit runs from its package, small and without native code', async () => {
  const folder = await temporaryFolder()
  const [file = ''] = await packKit(join(folder, 'staged'), { out: folder, madeAt: 1_790_000_000 })
  await capture('tar', ['-xzf', file, '-C', folder])
  const unpacked = join(folder, 'package')
  const names = await readdir(unpacked, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(unpacked, name))).size))
  expect((await stat(file)).size).toBeLessThan(2_000_000)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_000_000)
  expect(names.filter((name) => /\.(?:node|map)$/.test(name))).toEqual([])
  const { dependencies, scripts } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as {
    readonly dependencies: object
    readonly scripts?: object
  }
  expect([dependencies, scripts]).toEqual([{}, undefined])

  const kit = (...words: readonly string[]) =>
    capture(process.execPath, [join(unpacked, 'galley-kit.js'), ...words], { cwd: folder })
  expect(await kit('--version')).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' })
  expect((await kit('help', 'check')).stdout).toContain('galley-kit check [CALLBACK_URL]')
  expect(await kit('listen')).toMatchObject({ code: 2, stdout: '' })
  expect(await kit('check', 'nowhere')).toMatchObject({ code: 2 })
  expect((await kit('--sample', 'node', 'mine', '--json')).code).toBe(0)
  const again = await kit('--sample', 'node', 'mine', '--json')
  expect([again.code, JSON.parse(again.stdout)]).toEqual([
    1,
    { error: expect.objectContaining({ code: 'file_exists' }) },
  ])

  // The sample as it was written, checked with the key and secret that both have by default.
  const [own, port] = [await aFreePort(), await aFreePort()]
  const base = `http://127.0.0.1:${port}/integration`
  await running([join(folder, 'mine', 'backend.mjs')], { cwd: folder, env: { PORT: String(own), BASE_URL: base } })
  const only = ['save-accepted', 'media-served', 'signature-wrong', 'fonts-accepted'].flatMap((id) => ['--only', id])
  const checked = await kit('check', `http://127.0.0.1:${own}/callback`, '--port', String(port), ...only)
  expect(checked.stdout).toContain('4 passed, 0 failed')
})

test("its emulator keeps saves on Node's own SQLite", async () => {
  const folder = await temporaryFolder()
  await packKit(join(folder, 'staged'), { out: folder, madeAt: 1_790_000_000 })
  const script = join(folder, 'staged', 'package', 'galley-kit.js')
  const start = async () => {
    const emulator = await running([script, 'emulator', '--json', '--data', 'data'], { cwd: folder })
    const { base_url: base, url } = JSON.parse(emulator.line) as { readonly base_url: string; readonly url: string }
    const callbackUrl = 'http://127.0.0.1:9/callback'
    const signature = createHmac('sha256', 'emulator-secret').update(`m:${callbackUrl}`).digest('hex')
    const opened = await fetch(`${base}/session/open`, {
      method: 'POST',
      headers: { 'X-Service-Signature': signature },
      body: JSON.stringify({ api_key: 'emulator-dev', callback_url: callbackUrl, material_id: 'm' }),
    })
    return {
      ...emulator,
      url,
      session: (await opened.json()) as { readonly fingerprint: string; readonly url: string },
    }
  }
  const first = await start()
  expect((await fetch(first.session.url)).status).toBe(200)
  // More than a row of the store holds.
  const file = Buffer.alloc(700_000, 'galley')
  const saved = await fetch(`${first.url}/_emulator/sessions/${first.session.fingerprint}/save`, {
    method: 'POST',
    body: JSON.stringify({ html: '<img src="dummy-a.png">', state: {}, files: { 'a.png': file.toString('base64') } }),
  })
  expect(await saved.json()).toMatchObject({ delivered: false, error: 'unreachable' })
  const other = await capture(process.execPath, [script, 'emulator', '--json', '--data', 'data'], { cwd: folder })
  expect([other.code, JSON.parse(other.stdout)]).toEqual([
    1,
    { error: expect.objectContaining({ code: 'data_in_use' }) },
  ])
  expect(await first.end()).toEqual({ code: 0, stderr: '' })

  const second = await start()
  expect(second.session.fingerprint).toBe(first.session.fingerprint)
  const media = await fetch(`${second.url}/editor/${first.session.fingerprint}`)
  expect(media.status).toBe(200)
  await second.end()
  await writeFile(join(folder, 'data', 'emulator.db'), 'no database, but as long as the header of one '.repeat(40))
  const damaged = await capture(process.execPath, [script, 'emulator', '--json', '--data', 'data'], { cwd: folder })
  expect(JSON.parse(damaged.stdout)).toEqual({ error: expect.objectContaining({ code: 'data_unreadable' }) })
})

/** Starts a script of Node and waits for its first line. */
async function running(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const closed = once(child, 'close') as Promise<[number | null]>
  const end = async () => {
    child.kill()
    const [code] = await closed
    return { code, stderr }
  }
  onTestFinished(async () => void (await end()))
  const gone = closed.then(() => Promise.reject(new Error(`It ended: ${stderr}`)))
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), gone])) as [string]
  gone.catch(() => undefined)
  return { line, end }
}
