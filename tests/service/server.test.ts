import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Service } from './support/service.ts'
import { key, refusalOf, secret, startService } from './support/service.ts'
import type { SiteStub } from './support/site-stub.ts'
import { download, savingSite, signed, startSite } from './support/site-stub.ts'

let folder: string
let site: SiteStub
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'galley-emulator-'))
  site = await startSite(savingSite(key, secret))
})
afterEach(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

/** Runs on one emulator and closes it whatever happens. */
async function withService<T>(
  options: Parameters<typeof startService>[0],
  run: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService(options)
  try {
    return await run(service)
  } finally {
    await service.emulator.close()
  }
}

describe('manners', () => {
  test('answers to this computer only', () =>
    withService({}, async ({ emulator }) => {
      const statuses = []
      for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost', '[::1]:1']) {
        const sent = request(emulator.url, { headers: { host } }).end()
        const [response] = await once(sent, 'response')
        response.resume()
        statuses.push(response.statusCode)
      }
      expect(statuses).toEqual([403, 403, 403, 200, 200])
    }))

  test('answers to containers, and to names that it was given', () =>
    withService({ allowedHosts: ['Dev.example.test'] }, async ({ emulator }) => {
      const statuses = []
      for (const host of [
        'host.docker.internal:8900',
        'host.containers.internal',
        'dev.example.test:1',
        'example.test',
      ]) {
        const sent = request(emulator.url, { headers: { host } }).end()
        const [response] = await once(sent, 'response')
        response.resume()
        statuses.push(response.statusCode)
      }
      expect(statuses).toEqual([200, 200, 200, 403])
    }))

  test.each([
    ['in a container', 'http', {}],
    ['behind a proxy with TLS', 'https', { 'x-forwarded-proto': 'https' }],
  ] as const)('a site %s downloads from where it opened the session', (_, scheme, forwarded) =>
    withService({}, async ({ emulator, save }) => {
      site.behaviour = () => ({ body: { rc: 0, rm: 'not now' } })
      const { port } = new URL(emulator.url)
      const host = `host.docker.internal:${port}`
      const body = JSON.stringify({ api_key: key, callback_url: site.callbackUrl, material_id: 'M' })
      const headers = {
        host,
        ...forwarded,
        'content-type': 'application/json',
        'x-service-signature': signed(secret, 'M', site.callbackUrl),
      }
      const sent = request(`${emulator.url}/integration/session/open`, { method: 'POST', headers }).end(body)
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const { fingerprint, url } = (await json(response)) as { fingerprint: string; url: string }
      // The browser is on the computer itself, or uses the proxy as well.
      expect(url).toBe(`${scheme === 'http' ? emulator.url : `https://${host}`}/editor/${fingerprint}`)
      await save(fingerprint, { html: '', state: {} })
      const contentUrl = String(site.callbacks.at(-1)?.payload.content_url)
      expect(contentUrl).toMatch(new RegExp(`^${scheme}://${host}/integration/download/media/${fingerprint}/`))
      const asked = contentUrl.replace(`${scheme}://${host}`, emulator.url)
      const got = request(`${asked}?api_key=${key}&material_id=M`, {
        headers: { host, ...forwarded, 'x-service-signature': signed(secret, 'M', contentUrl) },
      }).end()
      const [archive] = (await once(got, 'response')) as [IncomingMessage]
      archive.resume()
      expect(archive.statusCode).toBe(200)
    }),
  )

  test('accepts no posts from foreign pages and sends no CORS headers', () =>
    withService({}, async (service) => {
      const { fingerprint } = await service.opened({ material_id: 'M', callback_url: site.callbackUrl })
      const path = `/_emulator/sessions/${fingerprint}/save`
      const save = { html: '', state: {} }
      const foreign = await service.post(path, save, { origin: 'http://evil.example' })
      expect((await refusalOf(foreign)).slice(0, 2)).toEqual([403, 'forbidden_origin'])
      const own = await service.post(path, save, { origin: service.emulator.url })
      expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null])
      const origin = service.emulator.url.replace('http', 'https')
      expect((await service.post(path, save, { origin, 'x-forwarded-proto': 'https' })).status).toBe(200)
      expect((await service.post(path, save, { origin })).status).toBe(403)
    }))

  test('foreign pages may not even read the control paths', () =>
    withService({}, async ({ emulator }) => {
      const status = async (path: string, headers: Record<string, string>, method = 'GET') => {
        const [response] = await once(request(emulator.url + path, { method, headers }).end(), 'response')
        response.resume()
        return response.statusCode
      }
      const faults = '/_emulator/faults'
      expect([
        await status(faults, { 'sec-fetch-site': 'cross-site' }),
        await status(faults, { 'sec-fetch-site': 'same-site' }, 'DELETE'),
        await status(faults, { origin: 'null' }),
        await status(faults, { 'sec-fetch-site': 'same-origin' }),
        await status(faults, { 'sec-fetch-site': 'none' }),
        await status(faults, {}, 'DELETE'),
        await status('/', { 'sec-fetch-site': 'cross-site' }),
        await status('/_emulator/sessions/x/files/a.png', {
          'sec-fetch-site': 'cross-site',
          'sec-fetch-dest': 'image',
        }),
      ]).toEqual([403, 403, 403, 200, 200, 200, 200, 404])
    }))

  test('a whole address, as clients behind a proxy write it, is the path in it', () =>
    withService({}, async ({ emulator }) => {
      const status = async (headers: Record<string, string>) => {
        const path = `${emulator.url}/_emulator/clock`
        const [response] = await once(request(emulator.url, { path, headers }).end(), 'response')
        response.resume()
        return response.statusCode
      }
      expect([await status({}), await status({ 'sec-fetch-site': 'cross-site' })]).toEqual([200, 403])
    }))

  test('a body that is declared to be something else is refused', () =>
    withService({}, async ({ post }) => {
      const taken = ['application/json; charset=utf-8', 'application/vnd.api+json', 'text/plain;charset=UTF-8']
      const types = ['text/html', 'multipart/form-data', ...taken]
      const answers = types.map(async (type) => (await post('/_emulator/faults', {}, { 'content-type': type })).status)
      expect(await Promise.all(answers)).toEqual([415, 415, 400, 400, 400])
    }))

  test('404 and 405', () =>
    withService({}, async ({ emulator }) => {
      const get = (path: string) => fetch(emulator.url + path)
      expect((await refusalOf(await get('/nothing')))[0]).toBe(404)
      expect((await refusalOf(await get('/_emulator/sessions/%ff')))[0]).toBe(404)
      const wrong = await get('/integration/session/open')
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
      expect((await fetch(`${emulator.url}/`, { method: 'HEAD' })).status).toBe(200)
    }))

  test.each([
    [{ 'content-length': '1000000000' }, 0],
    [{ 'transfer-encoding': 'chunked' }, 33],
  ])('a body over the limit is refused before it has all come: %j', (headers, megabytes) =>
    withService({}, async ({ emulator }) => {
      const sent = request(`${emulator.baseUrl}/session/open`, { method: 'POST', headers })
      sent.on('error', () => {})
      sent.flushHeaders()
      // It has no end: only a limit can bring an answer.
      for (let count = 0; count < megabytes; count++) sent.write(Buffer.alloc(1024 * 1024, ' '))
      const [response] = await once(sent, 'response')
      expect([response.statusCode, response.headers.connection]).toEqual([413, 'close'])
      sent.destroy()
    }),
  )

  test('bytes that are no UTF-8 are refused', () =>
    withService({}, async ({ emulator }) => {
      const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')])
      const answer = await fetch(`${emulator.baseUrl}/session/open`, { method: 'POST', body })
      expect(await refusalOf(answer)).toEqual([400, 'invalid_request', 'The body is not UTF-8.'])
    }))

  test('close() aborts a callback in flight and returns', async () => {
    site.behaviour = () => 'hang'
    const service = await startService()
    const { fingerprint = '' } = await service.opened({ material_id: 'M', callback_url: site.callbackUrl })
    const save = service.save(fingerprint, { html: '', state: {} })
    await expect.poll(() => site.callbacks.length).toBe(1)
    await service.emulator.close()
    expect(await save).toMatchObject({ delivered: false, result: 'webhook_failed', error: 'unreachable' })
    await expect(fetch(service.emulator.url)).rejects.toThrow()
  })

  test('no answer, no page and no archive holds the secret', () =>
    withService({ apiSecret: 'hunter2-hunter2' }, async ({ emulator, post }) => {
      const texts = [await (await fetch(emulator.url)).text()]
      texts.push(await (await post('/integration/session/open', { api_key: key })).text())
      expect([texts.join().includes('hunter2'), JSON.stringify(emulator).includes('hunter2')]).toEqual([false, false])
    }))

  test('a bug is reported to the owner, but not to the caller', async () => {
    const problems: unknown[] = []
    const now = () => new Date(Number.NaN)
    await withService({ now, onProblem: (problem) => problems.push(problem) }, async ({ open }) => {
      const answer = await open({ material_id: 'M', callback_url: site.callbackUrl })
      expect(await refusalOf(answer)).toEqual([500, 'internal_error', 'The emulator failed.'])
      expect(problems).toHaveLength(1)
    })
  })
})

describe('the data file', () => {
  test('sessions, versions and snapshots outlive the process', async () => {
    const dataFile = join(folder, 'deep', 'emulator.sqlite')
    const open = { material_id: 'M', callback_url: site.callbackUrl }
    const port = await withService({ dataFile }, async (service) => {
      const { fingerprint = '' } = await service.opened(open)
      await service.save(fingerprint, { html: '', state: { n: 1 } })
      return Number(new URL(service.emulator.url).port)
    })
    expect(statSync(dataFile).mode & 0o077).toBe(0)
    await withService({ dataFile, port }, async (service) => {
      const { fingerprint = '' } = await service.opened({ ...open, vms_json: { n: 2 } })
      expect((await service.session(fingerprint)).state).toEqual({ n: 1 })
      const contentUrl = site.callbacks[0]?.payload.content_url ?? ''
      expect((await download(contentUrl, key, secret, 'M')).status).toBe(200)
    })
  })

  test('one emulator at a time, and only readable data', async () => {
    const dataFile = join(folder, 'emulator.sqlite')
    await withService({ dataFile }, () => expect(startService({ dataFile })).rejects.toThrow(/locked/))
    const other = join(folder, 'other')
    writeFileSync(other, 'not a database, and long enough to be looked at'.repeat(100))
    await expect(startService({ dataFile: other })).rejects.toThrow(/not a database/)
  })

  test('a port in use is reported and leaves the data file unlocked', async () => {
    const dataFile = join(folder, 'emulator.sqlite')
    const port = Number(new URL(site.callbackUrl).port)
    await expect(startService({ dataFile, port })).rejects.toThrow(/EADDRINUSE/)
    await withService({ dataFile }, async ({ emulator }) => expect((await fetch(emulator.url)).status).toBe(200))
  })
})
