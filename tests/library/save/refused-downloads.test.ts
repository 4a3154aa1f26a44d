import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'

import { startService } from '../../support/service.ts'
import { aSave, zipOf } from '../../support/test-galley.ts'
import { expectRefused, withStoredVersion } from './refused.ts'

describe('downloads', () => {
  for (const status of [301, 302, 307, 308]) {
    test(`a redirect (${status}) is never followed: download_failed`, async () => {
      const fixture = await withStoredVersion()
      const elsewhere = await startService()
      fixture.service.onDownload((_request, response) => {
        response.writeHead(status, { location: `${elsewhere.baseUrl}/download/media/a/b` }).end()
        return true
      })
      const save = aSave(fixture.service)
      await expectRefused(fixture, await fixture.post(save.body, save.headers), 502, 'download_failed')
      expect(elsewhere.downloads).toEqual([])
      await elsewhere.close()
    })
  }

  for (const [status, tries] of [
    [403, 1],
    [404, 1],
    [401, 3],
    [429, 3],
    [500, 3],
    [503, 3],
  ] as const) {
    test(`status ${status} ends after ${tries} tries: download_failed`, async () => {
      const fixture = await withStoredVersion()
      const before = fixture.service.downloads.length
      fixture.service.onDownload((_request, response) => (response.writeHead(status).end(), true))
      const save = aSave(fixture.service)
      await expectRefused(fixture, await fixture.post(save.body, save.headers), 502, 'download_failed')
      expect(fixture.service.downloads.length - before).toBe(tries)
    })
  }

  test.for([
    ['an answer that is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a status that HTTP does not have', 'HTTP/1.1 099 Odd\r\nContent-Length: 1\r\n\r\nx'],
    ['a switch to another protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\nPK'],
  ] as const)('%s is a failed download, tried three times', async ([, bytes]) => {
    const fixture = await withStoredVersion()
    let tries = 0
    fixture.service.onDownload((request) => {
      tries += 1
      request.socket.end(bytes)
      return true
    })
    const save = aSave(fixture.service)
    const answer = await fixture.post(save.body, save.headers)
    await expectRefused(fixture, answer, 502, 'download_failed')
    expect(answer.json.rm).toContain('something unreadable')
    expect(tries).toBe(3)
  })

  test('an interrupted download is tried again, and a later attempt succeeds', async () => {
    const fixture = await withStoredVersion()
    let tries = 0
    fixture.service.onDownload((_request, response) => {
      tries += 1
      if (tries === 3) return false
      response.writeHead(200, { 'content-length': 100_000 })
      response.write(Buffer.alloc(10_000), () => response.destroy())
      return true
    })
    const save = aSave(fixture.service)
    expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
    expect(tries).toBe(3)
  })

  test('a service that sends slowly is abandoned at the deadline: download_failed', async () => {
    const fixture = await withStoredVersion({ site: { downloadTimeoutMs: 400 } })
    fixture.service.onDownload((_request, response) => {
      response.writeHead(200, { 'content-length': 100_000 })
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
      return true
    })
    const save = aSave(fixture.service)
    const answer = await fixture.post(save.body, save.headers)
    await expectRefused(fixture, answer, 502, 'download_failed')
    expect(answer.json.rm).toContain('did not arrive within')
  })

  test('a failed delivery is processed again when it is repeated', async () => {
    const fixture = await withStoredVersion()
    const save = aSave(fixture.service)
    fixture.service.onDownload((_request, response) => (response.writeHead(404).end(), true))
    expect((await fixture.post(save.body, save.headers)).status).toBe(502)
    fixture.service.onDownload(null)
    expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
  })

  test('every attempt has a connection of its own, also after a stored or a damaged archive', async () => {
    const fixture = await withStoredVersion()
    const before = fixture.service.connections()
    fixture.service.onDownload((_request, response) => (response.writeHead(503).end(), true))
    const refused = aSave(fixture.service)
    expect((await fixture.post(refused.body, refused.headers)).status).toBe(502)
    fixture.service.onDownload(null)
    for (const parts of [{}, { archive: Buffer.from('damaged') }, {}]) {
      const save = aSave(fixture.service, parts)
      await fixture.post(save.body, save.headers)
    }
    expect(fixture.service.connections() - before).toBe(6)
  })

  test('a gateway that repeats an answer cannot pass one save off as another', async () => {
    const fixture = await withStoredVersion()
    let late: Buffer | null = null
    const gateway = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        const versionId = /\/download\/media\/[^/]+\/([^?]+)/.exec(data.toString('latin1'))?.[1] ?? ''
        const archive = zipOf({ 'vms_html.html': `<h1>${versionId}</h1>`, 'vms_json.json': '{}' })
        const head = `HTTP/1.1 200 OK\r\ncontent-length: ${archive.length}\r\n\r\n`
        const answer = Buffer.concat([Buffer.from(head), archive])
        socket.write(late ?? answer)
        late = answer
        socket.once('close', () => (late = null))
      })
    })
    gateway.listen(0, '127.0.0.1')
    await once(gateway, 'listening')
    const origin = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
    fixture.changeSite({ baseUrl: `${origin}/integration` })
    for (const versionId of ['v-one', 'v-two']) {
      const content_url = `${origin}/integration/download/media/f/${versionId}`
      const save = aSave(fixture.service, { versionId, payload: { content_url } })
      expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
    }
    const titles = fixture.galley.index.versions.list('acme', 'post-1').map(({ versionId }) => {
      const parts = fixture.galley.index.versions.parts('acme', 'post-1', versionId)
      const page = parts && fixture.galley.index.blobs.find(parts.html)
      return [versionId, page && fixture.galley.vault.readBytes(page).then(String)] as const
    })
    for (const [versionId, text] of titles) if (versionId !== 'stored') expect(await text).toBe(`<h1>${versionId}</h1>`)
    gateway.close()
  })

  describe('without a declared length', () => {
    const whole = zipOf({
      'vms_html.html': '<p>kept</p>',
      'vms_json.json': '{}',
      'vms_media/a.png': 'q'.repeat(50_000),
    })
    /** Sends these bytes as an answer that ends with its connection. */
    const sendUntilClosed = (bytes: Buffer) => (request: IncomingMessage) => {
      request.socket.end(Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), bytes]))
      return true
    }
    for (const [name, bytes] of [
      ['before its end', whole.subarray(0, -30)],
      ['in its last record', whole.subarray(0, -2)],
      ['in its first bytes', whole.subarray(0, 2)],
      ['before its first byte', whole.subarray(0, 0)],
    ] as const) {
      test(`an archive that is cut ${name} is tried again: download_failed, or stored when it comes whole`, async () => {
        const fixture = await withStoredVersion()
        const save = aSave(fixture.service)
        const before = fixture.service.downloads.length
        fixture.service.onDownload(sendUntilClosed(bytes))
        await expectRefused(fixture, await fixture.post(save.body, save.headers), 502, 'download_failed')
        expect(fixture.service.downloads.length - before).toBe(3)
        fixture.service.onDownload((request) => {
          fixture.service.onDownload(sendUntilClosed(whole))
          return sendUntilClosed(bytes)(request)
        })
        expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
        expect(fixture.service.downloads.length - before).toBe(5)
      })
    }

    test('what never was a ZIP is tried once: invalid_archive', async () => {
      const fixture = await withStoredVersion()
      fixture.service.onDownload(sendUntilClosed(Buffer.from('<html>sorry</html>')))
      const save = aSave(fixture.service)
      const before = fixture.service.downloads.length
      await expectRefused(fixture, await fixture.post(save.body, save.headers), 200, 'invalid_archive')
      expect(fixture.service.downloads.length - before).toBe(1)
    })
  })
})
