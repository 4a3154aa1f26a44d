import type { StdioOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

import { aFreePort } from '../support/free-port.ts'
import { send } from '../support/test-galley.ts'
import { galleyProcess } from './support/cli.ts'
import { aLibrary } from './support/library.ts'

const script = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url))

/** A command on streams of the test's choice; `listen` is up when this resolves. */
async function start(command: string, stdio: StdioOptions, environment: Record<string, string> = {}) {
  const place = await aLibrary()
  const { folder, library } = place
  const added = await place.run(
    'site',
    'add',
    'acme',
    '--base-url',
    'http://127.0.0.1:1',
    '--api-key',
    'k',
    '--callback-url',
    'http://127.0.0.1:8787/callback/acme',
  )
  expect(added.code, added.stderr).toBe(0)
  const port = await aFreePort()
  const url = `http://127.0.0.1:${port}`
  const args = [script, command, '--port', String(port), '--json', '--library', library]
  const child = spawn(process.execPath, args, {
    stdio,
    env: { ...process.env, ...place.environment, HOME: folder, ...environment },
  })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const isUp = (): Promise<number> =>
    send(`${url}/health`, 'GET', null).then(
      ({ status }) => status,
      () => 0,
    )
  /** Each makes a line on standard output. */
  const refused = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) {
      const answer = await send(`${url}/callback/acme`, 'POST', '{}', { 'content-type': 'application/json' })
      expect(answer.json.code).toBe('invalid_signature')
    }
  }
  return { child, ended, isUp, refused, folder }
}

test('a listener whose output and errors go to a full disk continues to serve', async () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  // A line on standard error too: whatever fails outside of a call is logged.
  const { environment, hasHappened } = await aFault()
  const { child, ended, isUp, refused } = await start('listen', ['ignore', full, full], environment)
  await expect.poll(hasHappened).toBe(true)
  await refused(5)
  expect(await isUp()).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('a listener whose output pipes are closed continues to serve', async () => {
  const { environment, hasHappened } = await aFault()
  const { child, ended, isUp, refused } = await start('listen', ['ignore', 'pipe', 'pipe'], environment)
  child.stdout?.destroy()
  child.stderr?.destroy()
  await expect.poll(hasHappened).toBe(true)
  await refused(5)
  expect(await isUp()).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('a listener whose output is no longer read still stops on a signal', async () => {
  const { child, ended, isUp, refused } = await start('listen', ['ignore', 'pipe', 'pipe'])
  await expect.poll(isUp).toBe(200)
  // More than a pipe can hold.
  await refused(400)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('a listener logs a fault outside of calls and continues; another command ends with it as its only output', async () => {
  const { environment } = await aFault()
  const listening = await start('listen', ['ignore', 'pipe', 'pipe'], environment)
  let said = ''
  listening.child.stderr?.on('data', (text: Buffer) => (said += text.toString()))
  await expect.poll(() => said).toContain('an error in Galley: Error')
  await expect.poll(listening.isUp).toBe(200)
  expect(said).toContain('Error api_key=[redacted] of [redacted] at ')
  expect(said).not.toContain('a secret of the fault')

  const { folder } = await aLibrary()
  const emulator = await galleyProcess(['emulator', '--json'], { HOME: folder, ...environment })
  expect(emulator.code).toBe(1)
  const lines = emulator.stdout.trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ error: { code: 'unexpected' } })
  expect(lines.filter((line) => line.includes('"error"'))).toHaveLength(1)
})

test('a stream whose reader has closed it ends quietly', async () => {
  const { child, ended } = await start('emulator', ['ignore', 'pipe', 'pipe'])
  child.stdout?.destroy()
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said += text.toString()))
  expect(await ended).toEqual([0, null])
  expect(said).toBe('')
})

test('a command whose output is closed ends by its own code; one whose output does not fit on the disk has failed', async () => {
  const { folder, library, environment } = await aLibrary()
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  for (const [stdout, code, words] of [
    ['pipe', 0, /^$/],
    [full, 1, /^galley: The output could not be written \(ENOSPC\)/],
  ] as const) {
    const args = [script, 'site', 'list', '--json', '--library', library]
    const env = { ...process.env, ...environment, HOME: folder }
    const child = spawn(process.execPath, args, { stdio: ['ignore', stdout, 'pipe'], env })
    child.stdout?.destroy()
    let said = ''
    child.stderr?.on('data', (text: Buffer) => (said += text.toString()))
    expect(await once(child, 'close')).toEqual([code, null])
    expect(said).toMatch(words)
  }
})

/** An environment in which a command meets a fault outside of every call, right after its first line of output. */
async function aFault() {
  const { folder } = await aLibrary()
  const script = join(folder, 'fault.cjs')
  const happened = join(folder, 'happened')
  await writeFile(
    script,
    `if (require('node:worker_threads').isMainThread) {
       process.on('uncaughtExceptionMonitor', () => require('node:fs').writeFileSync(${JSON.stringify(happened)}, ''))
       const { write } = process.stdout
       process.stdout.write = function (...given) {
         process.stdout.write = write
         setImmediate(() => { throw Object.assign(new Error('a secret of the fault'), { code: 'api_key=abc of jo%40example.test' }) })
         return write.apply(this, given)
       }
     }`,
  )
  return { environment: { NODE_OPTIONS: `--require ${script}` }, hasHappened: () => existsSync(happened) }
}
