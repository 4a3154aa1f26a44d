import { describe, expect, test } from 'vitest'

import { startService } from '../../../support/service.ts'
import { aSave } from '../../../support/test-galley.ts'
import { expectRefused, withStoredVersion } from './refused.ts'

describe('downloads', () => {
  for (const status of [301, 302, 307, 308]) {
    test(`a redirect (${status}) is never followed: download_failed`, async () => {
      const house = await withStoredVersion()
      const elsewhere = await startService()
      house.service.onDownload((_request, response) => {
        response.writeHead(status, { location: `${elsewhere.baseUrl}/download/media/a/b` }).end()
        return true
      })
      const save = aSave(house.service)
      await expectRefused(house, await house.post(save.body, save.headers), 502, 'download_failed')
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
      const house = await withStoredVersion()
      const before = house.service.downloads.length
      house.service.onDownload((_request, response) => (response.writeHead(status).end(), true))
      const save = aSave(house.service)
      await expectRefused(house, await house.post(save.body, save.headers), 502, 'download_failed')
      expect(house.service.downloads.length - before).toBe(tries)
    })
  }

  test('an answer that is not HTTP is a failed download, tried three times', async () => {
    const house = await withStoredVersion()
    let tries = 0
    house.service.onDownload((request) => {
      tries += 1
      request.socket.end('SSH-2.0-OpenSSH\r\n\r\n')
      return true
    })
    const save = aSave(house.service)
    const answer = await house.post(save.body, save.headers)
    await expectRefused(house, answer, 502, 'download_failed')
    expect(answer.json.rm).toContain('something unreadable')
    expect(tries).toBe(3)
  })

  test('an interrupted download is tried again, and a later attempt succeeds', async () => {
    const house = await withStoredVersion()
    let tries = 0
    house.service.onDownload((_request, response) => {
      tries += 1
      if (tries === 3) return false
      response.writeHead(200, { 'content-length': 100_000 })
      response.write(Buffer.alloc(10_000), () => response.destroy())
      return true
    })
    const save = aSave(house.service)
    expect((await house.post(save.body, save.headers)).json.rc).toBe(1)
    expect(tries).toBe(3)
  })

  test('a service that sends slowly is abandoned at the deadline: download_failed', async () => {
    const house = await withStoredVersion({ site: { downloadTimeoutMs: 400 } })
    house.service.onDownload((_request, response) => {
      response.writeHead(200, { 'content-length': 100_000 })
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
      return true
    })
    const save = aSave(house.service)
    const answer = await house.post(save.body, save.headers)
    await expectRefused(house, answer, 502, 'download_failed')
    expect(answer.json.rm).toContain('did not arrive within')
  })

  test('a failed delivery is processed again when it is repeated', async () => {
    const house = await withStoredVersion()
    const save = aSave(house.service)
    house.service.onDownload((_request, response) => (response.writeHead(404).end(), true))
    expect((await house.post(save.body, save.headers)).status).toBe(502)
    house.service.onDownload(null)
    expect((await house.post(save.body, save.headers)).json.rc).toBe(1)
  })
})
