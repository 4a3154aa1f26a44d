import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Service } from './support/service.ts'
import { key, secret, startService } from './support/service.ts'
import type { SiteAnswer, SiteStub } from './support/site-stub.ts'
import { download, savingSite, signed, startSite, unzip } from './support/site-stub.ts'

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 1, 2])
const base64 = png.toString('base64')
const noon = Date.UTC(2026, 0, 2, 12)

let service: Service
let site: SiteStub
let fingerprint: string
beforeEach(async () => {
  site = await startSite(savingSite(key, secret))
  service = await startService({ callbackTimeoutMs: 500, now: () => new Date(noon) })
  const metadata = { section_id: '7', webhook_auth_user: 'u', webhook_auth_password: 'p' }
  const session = await service.opened({ material_id: 'Статья/1', callback_url: site.callbackUrl, metadata })
  fingerprint = session['fingerprint'] ?? ''
})
afterEach(async () => {
  await service.emulator.close()
  await site.close()
})

const stateOf = async (): Promise<unknown> => (await service.session(fingerprint)).state

/** Entries of the archive of the last callback. */
async function lastArchive(): Promise<Map<string, Buffer>> {
  const payload = site.callbacks.at(-1)?.payload
  const answer = await download(payload?.content_url ?? '', key, secret, payload?.material_id ?? '')
  return unzip(Buffer.from(await answer.arrayBuffer()))
}

describe('a save that the site accepts', () => {
  test('sends a signed article_saved and merges the answered addresses', async () => {
    const report = await service.save(fingerprint, {
      html: '<p><img src="dummy-фото.png"></p>',
      state: { blocks: [], assets: { 'old.png': { clientUrl: 'https://cdn.example/old.png' } } },
      files: { 'фото.png': base64 },
      user_email: 'editor@example.com',
    })
    const merged = {
      blocks: [],
      assets: {
        'old.png': { clientUrl: 'https://cdn.example/old.png' },
        'фото.png': { clientUrl: `https://cdn.example/${encodeURIComponent('фото.png')}` },
      },
    }
    expect(report).toEqual({
      delivered: true,
      http_status: 200,
      answer: { rc: 1, rm: 'Saved successfully', data: { vms_json: merged } },
      result: 'merged',
      message: 'Saved successfully',
      version_id: expect.stringMatching(/^[\w-]+$/),
    })
    expect(await stateOf()).toEqual(merged)

    const [callback] = site.callbacks
    const contentUrl = `${service.emulator.baseUrl}/download/media/${fingerprint}/${report['version_id'] as string}`
    expect(callback?.payload).toEqual({
      event: 'article_saved',
      material_id: 'Статья/1',
      content_url: contentUrl,
      metadata: {
        section_id: '7',
        webhook_auth_user: 'u',
        webhook_auth_password: 'p',
        version_id: report['version_id'],
        version_cdate: '2026-01-02T12:00:00.000+00:00',
        user_email: 'editor@example.com',
        user_ip: '127.0.0.1',
      },
      debug: false,
    })
    expect(callback?.headers['x-service-signature']).toBe(signed(secret, 'Статья/1', contentUrl))
    expect(callback?.headers.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`)
  })

  test('the archive has exactly the four kinds of entries', async () => {
    const files = { 'a/b #1.png': base64, 'empty.txt': '' }
    await service.save(fingerprint, { html: '<p>й</p>', state: {}, files })
    const entries = await lastArchive()
    expect([...entries.keys()].toSorted()).toEqual(
      [
        'metadata_json.json',
        'vms_html.html',
        'vms_json.json',
        'vms_media/a/b #1.png',
        'vms_media/empty.txt',
      ].toSorted(),
    )
    expect(entries.get('vms_media/a/b #1.png')).toEqual(png)
    expect(entries.get('vms_media/empty.txt')).toHaveLength(0)
    expect(String(entries.get('vms_html.html'))).toBe('<p>й</p>')
    expect(JSON.parse(String(entries.get('vms_json.json')))).toEqual({
      assets: { 'a/b #1.png': { clientUrl: 'dummy-a/b #1.png' }, 'empty.txt': { clientUrl: 'dummy-empty.txt' } },
    })
    expect(JSON.parse(String(entries.get('metadata_json.json')))).toEqual(site.callbacks[0]?.payload.metadata)
  })

  test('a state survives to the character but for the addresses', async () => {
    const state = '{"n": 12345678901234567890,"x":1.0,"10":1,"2":{},"assets":{"a":{"clientUrl":"dummy-a","w":1.0}}}'
    const body = `{"html":"","files":{"a":"AA=="},"state":${state}}`
    const response = await service.post(`/_emulator/sessions/${fingerprint}/save`, body)
    expect(response.status).toBe(200)
    expect(String((await lastArchive()).get('vms_json.json'))).toBe(state)
    const text = await (await fetch(`${service.emulator.url}/_emulator/sessions/${fingerprint}`)).text()
    expect(text).toContain(`"state":${state.replace('dummy-a', 'https://cdn.example/a')}`)
  })

  test('versions have ascending times even if the clock stops', async () => {
    const ids = []
    for (const html of ['1', '2', '3']) ids.push((await service.save(fingerprint, { html, state: {} }))['version_id'])
    expect(new Set(ids).size).toBe(3)
    expect(site.callbacks.map(({ payload }) => payload.metadata['version_cdate'])).toEqual([
      '2026-01-02T12:00:00.000+00:00',
      '2026-01-02T12:00:00.001+00:00',
      '2026-01-02T12:00:00.002+00:00',
    ])
  })

  test('a re-open keeps the version, and the e-mail unless a new one is given', async () => {
    const { version_id: versionId } = await service.save(fingerprint, { html: '', state: {}, user_email: 'a@b' })
    const reopen = { material_id: 'Статья/1', callback_url: site.callbackUrl }
    await service.opened({ ...reopen, vms_json: { x: 1 }, metadata: { version_id: 'mine', user_email: '', b: 2 } })
    expect(await stateOf()).toEqual({})
    await service.post('/_emulator/fonts', { material_id: 'Статья/1', files: {}, css: '', tree: {} })
    expect(site.callbacks.at(-1)?.payload.metadata).toEqual({
      b: 2,
      version_id: versionId,
      version_cdate: '2026-01-02T12:00:00.000+00:00',
      user_email: 'a@b',
      user_ip: '127.0.0.1',
    })
    expect(site.callbacks.at(-1)?.headers.authorization).toBeUndefined()
  })

  test('an answer that arrives after a newer save affects only its own version', async () => {
    const release = Promise.withResolvers<void>()
    const behave = savingSite(key, secret)
    site.behaviour = async (callback) => {
      if (site.callbacks.length === 1) await release.promise
      return behave(callback)
    }
    const draft = (n: number) => ({ html: '', state: { n }, files: { 'a.png': base64 } })
    const slow = service.save(fingerprint, draft(1))
    await expect.poll(() => site.callbacks.length).toBe(1)
    await service.save(fingerprint, draft(2))
    release.resolve()
    await slow
    expect(await stateOf()).toEqual({ n: 2, assets: { 'a.png': { clientUrl: 'https://cdn.example/a.png' } } })
  })
})

describe('a save over a version', () => {
  const saveOver = (base_version_id: unknown) =>
    service.post(`/_emulator/sessions/${fingerprint}/save`, { html: '', state: {}, base_version_id })

  test('succeeds if the session shows that version, and is refused with 409 otherwise', async () => {
    const first = await saveOver(null)
    expect(first.status).toBe(200)
    const { version_id: shown } = (await first.json()) as { version_id: string }
    for (const other of [null, 'another']) {
      const refused = await saveOver(other)
      expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([409, 'session_moved_on'])
    }
    expect(site.callbacks).toHaveLength(1)
    expect((await saveOver(shown)).status).toBe(200)
    expect((await saveOver(7)).status).toBe(400)
    // Without a base version, a save replaces whatever is there.
    expect((await service.save(fingerprint, { html: '', state: {} }))['result']).toBe('merged')
  })
})

describe('a save that the site does not accept', () => {
  const draft = { html: '<img src="dummy-a.png">', state: { n: 1 }, files: { 'a.png': base64, 'b.png': base64 } }
  const sent = { n: 1, assets: { 'a.png': { clientUrl: 'dummy-a.png' }, 'b.png': { clientUrl: 'dummy-b.png' } } }
  const accepted = (vms_json: unknown): SiteAnswer => ({ body: { rc: 1, rm: 'ok', data: { vms_json } } })
  const good = { clientUrl: 'https://cdn.example/a.png' }

  test.each<[string, SiteAnswer, string, string | undefined, string | RegExp]>([
    ['rc 0', { body: { rc: 0, rm: 'Not today', data: [] } }, 'rejected', undefined, 'Not today'],
    [
      'dummy',
      accepted({ assets: { 'a.png': good, 'b.png': { clientUrl: 'dummy-b.png' } } }),
      'webhook_failed',
      'dummy_client_url',
      /b\.png/,
    ],
    [
      'empty',
      accepted({ assets: { 'a.png': good, 'b.png': { clientUrl: '' } } }),
      'webhook_failed',
      'dummy_client_url',
      /b\.png/,
    ],
    [
      'no clientUrl',
      accepted({ assets: { 'a.png': good, 'b.png': {} } }),
      'webhook_failed',
      'dummy_client_url',
      /b\.png/,
    ],
    ['no state', { body: { rc: 1, rm: 'ok' } }, 'webhook_failed', 'missing_vms_json', /vms_json/],
    ['a state as text', accepted('{"assets":{}}'), 'webhook_failed', 'missing_vms_json', /vms_json/],
    ['an empty state', accepted({}), 'webhook_failed', 'dummy_client_url', /a\.png, b\.png/],
    ['an empty state, as PHP writes it', accepted([]), 'webhook_failed', 'dummy_client_url', /a\.png, b\.png/],
    [
      'one asset left out',
      accepted({ assets: { 'a.png': good } }),
      'webhook_failed',
      'dummy_client_url',
      /for b\.png,/,
    ],
    ['assets as a list', accepted({ assets: [good, good] }), 'webhook_failed', 'dummy_client_url', /a\.png, b\.png/],
    ['assets as text', accepted({ assets: 'none' }), 'webhook_failed', 'dummy_client_url', /a\.png, b\.png/],
    ...[
      '/b.png',
      '/var/www/b.png',
      '//cdn.example/b.png',
      'b.png',
      'file:///b.png',
      'data:,b',
      'https://',
      'https://cdn.example/\nb.png',
      'https://cdn.example/b.png ',
    ].map((clientUrl): [string, SiteAnswer, string, string, RegExp] => [
      `${JSON.stringify(clientUrl)} as a clientUrl`,
      accepted({ assets: { 'a.png': good, 'b.png': { clientUrl } } }),
      'webhook_failed',
      'invalid_client_url',
      /b\.png/,
    ]),
    ['500', { status: 500, body: { rc: 0, rm: 'Disk full' } }, 'webhook_failed', 'http_error', /500.*Disk full/],
    ['302', { status: 302, body: '', headers: { location: '/callback' } }, 'webhook_failed', 'http_error', /302/],
    ['a page', { body: '<h1>Oops</h1>' }, 'webhook_failed', 'not_json', /JSON/],
    [
      'a byte order mark',
      { body: `\uFEFF${JSON.stringify({ rc: 1 })}` },
      'webhook_failed',
      'not_json',
      /byte order mark/,
    ],
    ['a list', { body: [] }, 'webhook_failed', 'not_json', /JSON/],
    ['rc "1"', { body: { rc: '1' } }, 'webhook_failed', 'invalid_answer', /rc/],
  ])('%s: nothing is merged', async (_name, answer, result, error, message) => {
    site.behaviour = () => answer
    const report = await service.save(fingerprint, draft)
    expect(report).toMatchObject({ delivered: true, http_status: answer.status ?? 200, answer: answer.body, result })
    expect(report['error']).toBe(error)
    expect(report['message']).toMatch(message)
    expect(await stateOf()).toEqual(sent)
    expect((await service.session(fingerprint)).last_save).toMatchObject({ result, version_id: report['version_id'] })
    expect(site.callbacks).toHaveLength(1)
  })

  test('Latin-1: nothing is merged', async () => {
    const answer = JSON.stringify(accepted({ assets: { 'a.png': { clientUrl: 'http://127.0.0.1:1/é.png' } } }).body)
    site.behaviour = () => ({ body: Buffer.from(answer, 'latin1') })
    const report = await service.save(fingerprint, draft)
    expect(report).toMatchObject({ delivered: true, result: 'webhook_failed', error: 'not_json' })
    expect(report['message']).toMatch(/UTF-8/)
  })

  test.each<[string, unknown, string]>([
    ['assets as a list', { assets: [good] }, 'assets'],
    ['a state that is no object', 'text', 'vms_json'],
    ['an asset left out', { assets: {} }, 'a.png'],
    ['no assets', {}, 'a.png'],
  ])('nothing waits for its address, and %s is no answer all the same', async (_name, answered, named) => {
    const state = { assets: { 'a.png': good } }
    site.behaviour = () => accepted(answered)
    const report = await service.save(fingerprint, { html: '', state })
    expect(report).toMatchObject({ result: 'webhook_failed', error: 'invalid_answer' })
    expect(report['message']).toContain(named)
    expect(await stateOf()).toEqual(state)
  })

  test('a site that never answers', async () => {
    site.behaviour = () => 'hang'
    const report = await service.save(fingerprint, draft)
    expect(report).toMatchObject({ delivered: false, http_status: null, answer: null, error: 'timeout' })
    expect(report['result']).toBe('webhook_failed')
  })

  test('a site that is not there', async () => {
    await site.close()
    expect(await service.save(fingerprint, draft)).toMatchObject({ delivered: false, error: 'unreachable' })
  })

  test('its files travel again with the next save, until they are public', async () => {
    site.behaviour = () => ({ body: { rc: 0, rm: 'no' } })
    await service.save(fingerprint, draft)
    const kept = await fetch(`${service.emulator.url}/_emulator/sessions/${fingerprint}/files/a.png`)
    expect([kept.headers.get('content-type'), Buffer.from(await kept.arrayBuffer())]).toEqual(['image/png', png])
    site.behaviour = savingSite(key, secret)
    const report = await service.save(fingerprint, { html: '', state: sent })
    expect(report['result']).toBe('merged')
    expect((await lastArchive()).get('vms_media/b.png')).toEqual(png)
    await service.save(fingerprint, { html: '', state: await stateOf() })
    expect([...(await lastArchive()).keys()].filter((name) => name.startsWith('vms_media/'))).toEqual([])
  })
})
