import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createNetwork } from '@galley/platform'
import { expect, onTestFinished, test } from 'vitest'

import { startHeartbeat } from '../../packages/cli/heartbeat.ts'
import { galley, startListen } from './support/cli.ts'
import { aLibrary } from './support/library.ts'

/** A service that watches: counts what arrives, and answers with `status`. */
async function aWatcher() {
  const watcher = {
    status: 200,
    urls: [] as string[],
    headers: [] as object[],
    url: '',
    heard: () => Promise.resolve(),
  }
  const server = createServer((request, response) => {
    watcher.urls.push(`${request.method} ${request.url}`)
    watcher.headers.push(request.headers)
    response.writeHead(watcher.status).end('x'.repeat(1_000_000))
    server.emit('heard')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  watcher.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/token-of-the-watcher`
  watcher.heard = async () => void (await once(server, 'heard'))
  return watcher
}

const started = (watcher: { readonly url: string }, isReady = () => true) => {
  const lines: string[] = []
  const logged: (() => void)[] = []
  const pulse = startHeartbeat(watcher.url, {
    network: createNetwork({}),
    isReady: () => Promise.resolve(isReady()),
    log(line) {
      lines.push(line)
      logged.shift()?.()
    },
    everyMs: 5,
  })
  onTestFinished(pulse.stop)
  return { lines, nextLine: () => new Promise<void>((resolve) => logged.push(resolve)) }
}

test('listen --heartbeat requests the URL when it is ready, with nothing in it', async () => {
  const watcher = await aWatcher()
  const { library, environment } = await aLibrary()
  const heard = watcher.heard()
  const listening = await startListen(library, environment, { args: ['--heartbeat', watcher.url] })
  await heard
  expect(watcher.urls).toEqual(['GET /ping/token-of-the-watcher'])
  expect(Object.keys(watcher.headers[0] ?? {}).toSorted()).toEqual(['connection', 'host'])
  expect(listening.url).toMatch(/^http:/)
})

test('a failure is told once, and so is that it works again; neither names the URL', async () => {
  const watcher = await aWatcher()
  watcher.status = 500
  const { lines, nextLine } = started(watcher)
  if (lines.length === 0) await nextLine()
  for (let more = 0; more < 3; more += 1) await watcher.heard()
  expect(lines).toEqual(['The heartbeat failed: the answer has status 500. Saves are received as before.'])
  const again = nextLine()
  watcher.status = 204
  await again
  await watcher.heard()
  expect(lines.slice(1)).toEqual(['The heartbeat works again.'])
  expect(lines.join()).not.toContain('token-of-the-watcher')
})

test('nothing is requested while the listener is not ready', async () => {
  const watcher = await aWatcher()
  let asked = 0
  const ready = Promise.withResolvers<null>()
  started(watcher, () => {
    asked += 1
    if (asked === 5) ready.resolve(null)
    return asked > 5
  })
  await ready.promise
  expect(watcher.urls).toEqual([])
  await watcher.heard()
})

test.for(['ftp://watch.example/', 'https://user:pass@watch.example/', 'watch'])(
  '%s is no URL for a heartbeat: exit 2',
  async (url) => {
    const { code, stderr } = await galley(['listen', '--heartbeat', url])
    expect(code).toBe(2)
    expect(stderr).toContain('--heartbeat must be')
    expect(stderr).not.toContain('pass')
  },
)
