import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'

import type { SaveParts, TestGalley } from '../../support/test-galley.ts'
import { aFontsSave, aSave, createTestGalley, send, signed, zipOf } from '../../support/test-galley.ts'
import { startService } from '../../support/service.ts'
import { fail } from '../../../src/contract/result.ts'
import { createMemoryStore } from '../../../src/main/secrets/memory.ts'

/** A library with one stored version, so that a refusal has something to leave alone. */
async function withStoredVersion(options: Parameters<typeof createTestGalley>[0] = {}) {
  const house = await createTestGalley(options)
  await house.know('post-1')
  const save = aSave(house.service, { versionId: 'stored', html: '<p>kept</p>' })
  const answer = await house.post(save.body, save.headers)
  expect(answer.json.rc, answer.text).toBe(1)
  return { ...house, before: await house.filesOf(), stored: save }
}

/** What every refusal has in common: its row of the table, and that nothing else changed. */
async function expectRefused(
  house: TestGalley & { before: readonly string[] },
  answer: Awaited<ReturnType<TestGalley['post']>>,
  status: number,
  code: string,
) {
  expect({ status: answer.status, rc: answer.json.rc, code: answer.json.code }, answer.text).toEqual({
    status,
    rc: 0,
    code,
  })
  expect(answer.json.rm).toBeTruthy()
  expect(answer.text).not.toContain(house.service.secret)
  expect(answer.text).not.toContain(house.service.apiKey)
  expect(answer.text).not.toMatch(/[0-9a-f]{64}/)
  expect(answer.text).not.toContain(house.folder)
  expect(await house.filesOf()).toEqual(house.before)
  expect(house.galley.index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)).toEqual(['stored'])
  expect(house.lines.filter((line) => !line.startsWith('slow query'))).toEqual([])
}

describe('archives that are refused change nothing', () => {
  const html = '<p>new</p>'
  const cases: readonly [string, string, (parts?: SaveParts) => SaveParts][] = [
    ['not a ZIP', 'invalid_archive', () => ({ archive: Buffer.from('<html>sorry</html>') })],
    ['an empty body', 'invalid_archive', () => ({ archive: Buffer.alloc(0) })],
    [
      'a truncated ZIP',
      'invalid_archive',
      () => ({ archive: zipOf({ 'vms_html.html': html, 'vms_json.json': '{}' }).subarray(0, -30) }),
    ],
    [
      'a climbing name',
      'invalid_archive',
      () => ({ archive: zipOf({ 'vms_html.html': html, 'vms_json.json': '{}', 'vms_media/../../evil': 'x' }) }),
    ],
    ['no vms_html', 'invalid_archive', () => ({ archive: zipOf({ 'vms_json.json': '{}' }) })],
    ['no vms_json', 'invalid_archive', () => ({ archive: zipOf({ 'vms_html.html': html }) })],
    ['a vms_json that is no JSON', 'invalid_archive', () => ({ state: '{"assets":' })],
    ['a vms_json with a byte order mark', 'invalid_archive', () => ({ state: '\uFEFF{}' })],
    ['a vms_json that is a list', 'invalid_archive', () => ({ state: '[]' })],
    [
      'a vms_json nested without end',
      'invalid_archive',
      () => ({ state: `{"a":${'['.repeat(500)}${']'.repeat(500)}}` }),
    ],
    [
      'a page that is not UTF-8',
      'invalid_archive',
      () => ({ archive: zipOf({ 'vms_html.html': Buffer.from([0xc3, 0x28]), 'vms_json.json': '{}' }) }),
    ],
    [
      'an asset without its file',
      'missing_asset',
      () => ({ html, files: {}, state: { assets: { 'gone.png': { clientUrl: 'dummy-gone.png' } } } }),
    ],
    [
      'a known version_id with other bytes',
      'version_conflict',
      () => ({ versionId: 'stored', html: '<p>other</p>', session: 'another' }),
    ],
  ]
  for (const [name, code, parts] of cases) {
    test(`${name}: ${code}`, async () => {
      const house = await withStoredVersion()
      const save = aSave(house.service, parts())
      await expectRefused(house, await house.post(save.body, save.headers), 200, code)
    })
  }

  test('over the size limit, declared or not: content_too_large', async () => {
    const house = await withStoredVersion({ site: { maxContentBytes: 2000 } })
    const save = aSave(house.service, {
      files: { 'big.bin': Buffer.alloc(5000, Math.PI.toString()) },
      archive: Buffer.alloc(3000, 1),
    })
    await expectRefused(house, await house.post(save.body, save.headers), 200, 'content_too_large')
    house.service.onDownload((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/zip' })
      // Chunked, so that the length is not told beforehand.
      response.write(Buffer.alloc(1500))
      response.end(Buffer.alloc(1500))
      return true
    })
    await expectRefused(house, await house.post(save.body, save.headers), 200, 'content_too_large')
  })

  test('a URL of the answer off the allowed domains: domain_not_allowed', async () => {
    const house = await createTestGalley({ site: { allowedDomains: ['example.test'] } })
    await house.know('post-1')
    const save = aSave(house.service)
    const answer = await house.post(save.body, save.headers)
    expect(answer.json).toMatchObject({ rc: 0, code: 'domain_not_allowed' })
    expect(await house.filesOf()).toEqual([])
  })

  test('a fonts URL off the allowed domains: domain_not_allowed', async () => {
    const house = await createTestGalley({ site: { allowedDomains: ['example.test'] } })
    const save = aFontsSave(
      house.service,
      's',
      { 'vms_fonts/a.woff': 'x', 'vms_fonts.css': 'a{}', 'vms_fonts.json': '{}' },
      { id: 'a.woff' },
    )
    expect((await house.post(save.body, save.headers)).json).toMatchObject({ rc: 0, code: 'domain_not_allowed' })
    expect(await house.filesOf()).toEqual([])
  })
})

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

  test('a cut download is tried again, and a later try succeeds', async () => {
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

  test('a service that drips is left at the deadline: download_failed', async () => {
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

  test('a failure is run afresh when the delivery comes again', async () => {
    const house = await withStoredVersion()
    const save = aSave(house.service)
    house.service.onDownload((_request, response) => (response.writeHead(404).end(), true))
    expect((await house.post(save.body, save.headers)).status).toBe(502)
    house.service.onDownload(null)
    expect((await house.post(save.body, save.headers)).json.rc).toBe(1)
  })
})

describe('callbacks that are turned away before any download', () => {
  const flips = (signature: string): readonly string[] =>
    Array.from({ length: 64 }, (_, at) => {
      const digit = (Number.parseInt(signature.charAt(at), 16) ^ 1).toString(16)
      return signature.slice(0, at) + digit + signature.slice(at + 1)
    })

  test('signatures that are missing, altered or oddly written: invalid_signature', async () => {
    const house = await withStoredVersion()
    const downloads = house.service.downloads.length
    const { body, signature } = aSave(house.service)
    const odd = [
      '',
      signature.toUpperCase(),
      `${signature}zz`,
      signature.slice(1),
      `${signature}, ${signature}`,
      `sha256=${signature}`,
      '0'.repeat(64),
      'é'.repeat(64),
      Buffer.from(signature, 'hex').toString('base64'),
    ]
    for (const wrong of [...odd, ...flips(signature)]) {
      const answer = await house.post(body, { 'x-service-signature': Buffer.from(wrong, 'utf8').toString('latin1') })
      await expectRefused(house, answer, 400, 'invalid_signature')
    }
    const twice = await house.post(body, { 'x-service-signature': [signature, signature] })
    await expectRefused(house, twice, 400, 'invalid_signature')
    await expectRefused(house, await house.post(body), 400, 'invalid_signature')
    await expectRefused(house, await house.post(body, { 'x-other-signature': signature }), 400, 'invalid_signature')
    expect(house.service.downloads).toHaveLength(downloads)
    // Surrounding blanks are the one liberty.
    expect((await house.post(body, { 'x-service-signature': `  ${signature}\t` })).json.rc).toBe(1)
  })

  test('the header is the one the site is set to, and no other', async () => {
    const house = await createTestGalley({ site: { signatureHeader: 'X-Other-Signature' } })
    await house.know('post-1')
    const save = aSave(house.service)
    expect((await house.post(save.body, save.headers)).json.code).toBe('invalid_signature')
    expect((await house.post(save.body, { 'x-other-signature': save.signature })).json.code).toBe(undefined)
  })

  const malformed: readonly [string, Record<string, unknown> | string, string][] = [
    ['not JSON', '{"event":', 'invalid_request'],
    ['an empty body', '', 'invalid_request'],
    ['a list', '[]', 'invalid_request'],
    ['a string', '"x"', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    ['nesting without end', `{"a":${'['.repeat(100_000)}`, 'invalid_request'],
    ['no material_id', { material_id: undefined }, 'invalid_request'],
    ['a number as material_id', { material_id: 42 }, 'invalid_request'],
    ['no content_url', { content_url: undefined }, 'invalid_request'],
    ['a content_url that is null', { content_url: null }, 'invalid_request'],
    ['an event that contradicts the URL', { event: 'site_fonts_updated' }, 'unknown_event'],
    ['another origin', { content_url: 'http://localhost:1/integration/download/media/x/y' }, 'foreign_content_url'],
    ['a file URL', { content_url: 'file:///etc/passwd' }, 'foreign_content_url'],
    ['no URL at all', { content_url: 'download/media/x' }, 'foreign_content_url'],
  ]
  for (const [name, change, code] of malformed) {
    test(`${name}: ${code}`, async () => {
      const house = await withStoredVersion()
      const downloads = house.service.downloads.length
      const save = aSave(house.service)
      const { body, headers } =
        typeof change === 'string'
          ? { body: change, headers: save.headers }
          : signed(house.service, { ...save.payload, ...change })
      await expectRefused(house, await house.post(body, headers), 400, code)
      expect(house.service.downloads).toHaveLength(downloads)
    })
  }

  test('content_urls with user-info, fragment, or signs that parsers read differently: foreign_content_url', async () => {
    const house = await withStoredVersion()
    const downloads = house.service.downloads.length
    const { payload } = aSave(house.service)
    const url = String(payload['content_url'])
    const host = url.slice('http://'.length)
    for (const odd of [
      `http://svc@${host}`,
      `http://@${host}`,
      `http://evil.test\\@${host}`,
      `${url}#top`,
      ` ${url}`,
      `${url}\n`,
      url.replace('http:', 'https:'),
      url.replace('http:', 'ftp:'),
      `http://evil.test/${host}`,
    ]) {
      const save = signed(house.service, { ...payload, content_url: odd })
      await expectRefused(house, await house.post(save.body, save.headers), 400, 'foreign_content_url')
    }
    expect(house.service.downloads).toHaveLength(downloads)
  })

  test('an unknown event follows the URL; where that does not tell: unknown_event', async () => {
    const house = await withStoredVersion()
    const { payload } = aSave(house.service, { versionId: 'by-path', versionCdate: '2020-01-01T00:00:00Z' })
    const untold = signed(house.service, {
      ...payload,
      event: 'article_updated',
      content_url: `${house.service.baseUrl}/archives/7`,
    })
    await expectRefused(house, await house.post(untold.body, untold.headers), 400, 'unknown_event')
    const told = signed(house.service, { ...payload, event: 'article_updated' })
    expect((await house.post(told.body, told.headers)).json).toMatchObject({ rc: 1, rm: 'Saved successfully' })
  })

  test('a material that was never opened: refused, unless the site accepts those', async () => {
    const house = await withStoredVersion()
    const downloads = house.service.downloads.length
    const save = aSave(house.service, { materialId: 'stranger' })
    await expectRefused(house, await house.post(save.body, save.headers), 200, 'refused')
    expect(house.service.downloads).toHaveLength(downloads)
    // The sliding boundary of the signed text: the same signature for another material and address.
    const slid = {
      ...save.payload,
      material_id: `stranger:${house.service.origin.split('//')[0]?.slice(0, -1)}`,
      content_url: String(save.payload['content_url']).replace('http:', ''),
    }
    expect((await house.post(JSON.stringify(slid), save.headers)).json.rc).toBe(0)
    const open = await createTestGalley({ site: { unknownMaterials: 'accept' } })
    const welcome = aSave(open.service, { materialId: 'stranger' })
    expect((await open.post(welcome.body, welcome.headers)).json.rc).toBe(1)
  })

  test('Authorization of a protected site, absent or wrong: unauthorized', async () => {
    const house = await createTestGalley({ site: { callbackAuth: 'basic' } })
    await house.know('post-1')
    const sent = JSON.parse(house.service.opens.at(-1)?.body ?? '{}') as { metadata: Record<string, string> }
    const { webhook_auth_user: user, webhook_auth_password: password } = sent.metadata
    expect([user, password].every(Boolean)).toBe(true)
    const save = aSave(house.service)
    for (const authorization of [undefined, 'Basic eDp5', `Bearer ${password}`]) {
      const answer = await house.post(save.body, { ...save.headers, ...(authorization && { authorization }) })
      expect([answer.status, answer.json.code]).toEqual([401, 'unauthorized'])
    }
    const right = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
    expect((await house.post(save.body, { ...save.headers, ...right })).json.rc).toBe(1)
  })

  for (const state of ['locked', 'unavailable'] as const) {
    test(`a keychain that is ${state}: secrets_unavailable, and nothing is written to it`, async () => {
      let lost = false
      let now = new Date('2026-11-01T10:00:00Z')
      const keychain = createMemoryStore()
      const gone = () => Promise.resolve(fail(state))
      const house = await createTestGalley({
        edges: {
          now: () => now,
          secrets: {
            read: (account) => (lost ? gone() : keychain.read(account)),
            write: (account, value) => (lost ? Promise.reject(new Error('written')) : keychain.write(account, value)),
            remove: keychain.remove,
          },
        },
      })
      lost = true
      // A secret that was just read is remembered for a minute.
      now = new Date('2026-11-01T10:01:01Z')
      const save = aSave(house.service)
      const answer = await house.post(save.body, save.headers)
      expect([answer.status, answer.json.code]).toEqual([503, 'secrets_unavailable'])
      expect(house.service.downloads).toEqual([])
      lost = false
    })
  }
})

describe('requests that are no callbacks', () => {
  test('routes, methods, types, hosts and origins', async () => {
    const house = await withStoredVersion()
    const { body, headers } = aSave(house.service)
    const json = { 'content-type': 'application/json', ...headers }
    const at = (path: string) => `${house.listener}${path}`
    await expectRefused(house, await send(at('/callback/nobody'), 'POST', body, json), 404, 'not_found')
    await expectRefused(house, await send(at('/elsewhere'), 'GET', null), 404, 'not_found')
    const get = await send(at('/callback/acme'), 'GET', null)
    await expectRefused(house, get, 405, 'method_not_allowed')
    expect(get.headers['allow']).toBe('POST')
    await expectRefused(house, await send(at('/callback/acme'), 'POST', body, headers), 415, 'unsupported_type')
    await expectRefused(
      house,
      await send(at('/callback/acme'), 'POST', body, { ...headers, 'content-type': 'text/plain' }),
      415,
      'unsupported_type',
    )
    await expectRefused(
      house,
      await send(at('/callback/acme'), 'POST', body, { ...json, 'content-encoding': 'gzip' }),
      415,
      'unsupported_type',
    )
    await expectRefused(house, await house.post(body, { ...headers, host: 'rebound.evil.test' }), 403, 'forbidden_host')
    await expectRefused(
      house,
      await house.post(body, { ...headers, origin: 'https://evil.test' }),
      403,
      'forbidden_origin',
    )
    await expectRefused(
      house,
      await house.post(body, { ...headers, 'sec-fetch-mode': 'cors' }),
      403,
      'forbidden_origin',
    )
    expect((await send(at('/health'), 'GET', null)).text).toBe('{"ok":true}')
    expect((await send(at('/health'), 'GET', null, { host: 'rebound.evil.test' })).status).toBe(403)
    // GETs ignore Origin and Authorization.
    expect(
      (await send(at('/health'), 'GET', null, { origin: 'https://x.test', authorization: 'Basic x' })).status,
    ).toBe(200)
  })

  test('a body over 4 MiB, declared or counted: too_large', async () => {
    const house = await withStoredVersion()
    await expectRefused(house, await house.post(Buffer.alloc(4 * 1024 * 1024 + 1, ' ')), 413, 'too_large')
    const { hostname, port } = new URL(house.listener)
    const chunked = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname)
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(text))
      socket.write(
        'POST /callback/acme HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      )
      const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
      for (let sent = 0; sent < 80; sent += 1) socket.write(chunk)
    })
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
    expect(chunked).toContain('"code":"too_large"')
  })

  test('more saves than fit are told to wait: busy', async () => {
    const house = await withStoredVersion()
    const release: (() => void)[] = []
    house.service.onDownload((_request, response) => {
      release.push(() => response.writeHead(404).end())
      return true
    })
    const saves = Array.from({ length: 70 }, () => aSave(house.service))
    const answers = saves.map(({ body, headers }) => house.post(body, headers))
    const busy = await Promise.race(answers)
    expect([busy.status, busy.json.code, busy.headers['retry-after']]).toEqual([503, 'busy', '5'])
    house.service.onDownload((_request, response) => (response.writeHead(404).end(), true))
    for (const free of release) free()
    const codes = (await Promise.all(answers)).map(({ json }) => json.code)
    expect(codes.filter((code) => code === 'busy')).toHaveLength(5)
    expect(codes.filter((code) => code === 'download_failed')).toHaveLength(65)
  })
})

test('every callback is in the log, and no secret or signature is', async () => {
  const house = await withStoredVersion()
  const save = aSave(house.service, { payload: { signature: 'canary', metadata: { timeLimitedAuthToken: 'canary' } } })
  await house.post(save.body, save.headers)
  await house.post(save.body, { 'x-service-signature': '0'.repeat(64) })
  await house.post('no json', save.headers)
  const log = house.galley.index.callbacks.list({ site: null, outcome: null, limit: 10 })
  expect(log.map(({ outcome, signature, code }) => [outcome, signature, code])).toEqual([
    ['rejected', 'invalid', 'invalid_request'],
    ['rejected', 'invalid', 'invalid_signature'],
    ['stored', 'valid', null],
    ['stored', 'valid', null],
  ])
  const payloads = log.map(({ id }) => house.galley.index.callbacks.payload(id) ?? '').join()
  expect(payloads).not.toContain('canary')
  expect(payloads).not.toContain(save.signature)
  expect(log[2]?.steps.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['download', 'unpack', 'place', 'index']),
  )
})
