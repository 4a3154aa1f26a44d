import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

import { createSaves, post } from '../support/saves.ts'
import { startService } from '../support/service.ts'
import { galley, startListen } from './support/cli.ts'
import { acmeSecret, aLibrary } from './support/library.ts'

const probe = async (url: string, method = 'GET') => {
  const answer = await fetch(url, { method })
  return { status: answer.status, body: method === 'HEAD' ? null : await answer.json() }
}

test('probes tell a listener that accepts saves from one that is finishing them', async () => {
  const service = await startService(acmeSecret)
  onTestFinished(service.close)
  const { library, environment, run } = await aLibrary()
  const listener = await startListen(library, environment, { args: ['--port', '0', '--health-port', '0'] })
  const { health_url: health } = listener.lines[0] as { health_url: string }
  expect(new URL(health).port).not.toBe(new URL(listener.url).port)
  const added = await run(
    'site',
    'add',
    'acme',
    '--base-url',
    service.baseUrl,
    '--api-key',
    service.apiKey,
    '--callback-url',
    `${listener.url}/callback/acme`,
  )
  expect(added.code, added.stderr).toBe(0)
  expect((await run('open', 'acme', 'm-1')).code).toBe(0)
  expect(await probe(`${health}/live`)).toEqual({ status: 200, body: { live: true } })
  expect(await probe(`${health}/ready`)).toEqual({ status: 200, body: { ready: true, state: 'ready' } })
  expect(await probe(`${health}/ready?verbose`, 'HEAD')).toEqual({ status: 200, body: null })
  expect((await probe(`${health}/ready`, 'POST')).status).toBe(405)
  expect((await probe(`${health}/callback/acme`)).status).toBe(404)

  const download = Promise.withResolvers<() => void>()
  const save = createSaves(service, () => 0.5).prepare('media', 'm-1')
  service.onDownload((_request, response) => {
    download.resolve(() => response.writeHead(200).end(save.archive))
    return true
  })
  const answer = post(listener.url, save)
  const finishDownload = await download.promise
  listener.child.kill('SIGTERM')
  await expect.poll(() => probe(`${health}/ready`)).toEqual({ status: 503, body: { ready: false, state: 'stopping' } })
  expect((await probe(`${health}/live`)).status).toBe(200)
  finishDownload()
  expect((await answer)?.json.rc).toBe(1)
  expect(await listener.ended).toBe(0)
})

test('a health port in use prevents the start, and a log for machines is JSON', async () => {
  const { library, environment } = await aLibrary()
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const args = ['listen', '--library', library, '--port', '0', '--health-port', String(port)]
  const taken = await galley([...args, '--log', 'json'], environment)
  expect(taken.code).toBe(1)
  expect(taken.failure()).toMatchObject({ code: 'cannot_listen', message: expect.stringContaining(`Port ${port}`) })
  expect(JSON.parse(taken.stderr)).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: 'error',
    message: expect.stringContaining(`Port ${port}`),
  })
  expect((await galley(['listen', '--library', library, '--log', 'xml'], environment)).code).toBe(2)
})
