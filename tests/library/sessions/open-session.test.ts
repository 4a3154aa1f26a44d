import { open, rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

import { signatureOf } from '../../support/service.ts'
import { aSave } from '../../support/test-galley.ts'
import { setUp } from './fixture.ts'

describe('the request to open a session', () => {
  it('is signed over material and callback URL, without a state before the first save', async () => {
    const { open, service, lastBody, listener } = await setUp({ listen: false })
    expect(await open({ materialId: 'post "1"/ü' })).toMatchObject({
      ok: true,
      value: {
        sessionId: 's-1',
        fingerprint: 'f-1',
        url: `${service.origin}/editor/f-1`,
        resizeMode: 'fluid',
        reused: false,
      },
    })
    expect(JSON.parse(lastBody())).toEqual({
      api_key: service.apiKey,
      callback_url: `${listener}/callback/acme`,
      material_id: 'post "1"/ü',
      metadata: { version: 'galley_0.0.0-test' },
    })
    expect(service.opens.at(-1)?.signature).toBe(signatureOf(service.secret, 'post "1"/ü', `${listener}/callback/acme`))
  })

  it('has the exact text of the current state: big integers, 1.0, order, empty and duplicate keys', async () => {
    const { open, post, service, know, lastBody } = await setUp()
    await know('post-1')
    const state = '{ "z":12345678901234567890, "a":1.0,"e":{}, "l":[ ] ,"k":1,"k":2,"u":"\\u00e9é","assets":{}}'
    const current = aSave(service, { versionCdate: '2026-11-02T00:00:00Z', html: '<p>', files: {}, state })
    const older = aSave(service, { versionCdate: '2026-11-01T00:00:00Z', html: '<p>', files: {}, state: '{"older":1}' })
    for (const save of [current, older]) expect((await post(save.body, save.headers)).json.rc).toBe(1)
    await open()
    expect(lastBody()).toContain(`,"vms_json":${state},"metadata":`)
  })

  it('is not sent with a state that was altered or cut on the disk', async () => {
    const { galley, open: openSession, post, service, know } = await setUp()
    await know('post-1')
    const state = JSON.stringify({ large: 'x'.repeat(200_000) })
    const save = aSave(service, { versionId: 'v', html: '<p>', files: {}, state })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
    const place = galley.index.blobs.find(galley.index.versions.parts('acme', 'post-1', 'v')!.state)!
    const { path, offset } = await galley.vault.locate(place)
    const sentBefore = service.opens.length
    const file = await open(path, 'r+')
    await file.write('X', offset + 100)
    expect(await openSession()).toEqual({ ok: false, failure: { code: 'state_unreadable' } })
    await file.truncate(offset + 100)
    await file.close()
    expect(await openSession()).toEqual({ ok: false, failure: { code: 'state_unreadable' } })
    await rm(path)
    expect(await openSession()).toEqual({ ok: false, failure: { code: 'state_unreadable' } })
    expect(service.opens).toHaveLength(sentBefore)
  })

  it('names the client in the metadata, unless the caller sets a version', async () => {
    const { open, lastBody, metadataSent } = await setUp({ listen: false })
    await open({ metadata: '{"n":12345678901234567890, "deep":{"version":1}}' })
    expect(lastBody()).toContain(
      '"metadata":{"n":12345678901234567890, "deep":{"version":1},"version":"galley_0.0.0-test"}',
    )
    await open({ metadata: '{"version":null,"b":1}' })
    expect(metadataSent()).toEqual({ version: null, b: 1 })
  })

  it('takes a title of spaces for none, and no spaces around one', async () => {
    const { open, galley } = await setUp({ listen: false })
    const title = () => galley.index.materials.find('acme', 'post-1')?.title
    await open({ title: ' \u00a0 ' })
    expect(title()).toBe('post-1')
    await open({ title: ' The last ferry\n' })
    expect(title()).toBe('The last ferry')
    await open({ title: '  ' })
    expect(title()).toBe('The last ferry')
  })

  it('repeats the last metadata if none is given, but nothing of a refused request', async () => {
    const { open, metadataSent, refusal, service } = await setUp({ listen: false })
    await open({ metadata: '{"lang":"de"}' })
    await open()
    expect(metadataSent()).toEqual({ lang: 'de', version: 'galley_0.0.0-test' })
    service.answerOpen({ status: 500, body: '{}' })
    await open({ metadata: '{"lang":"fr"}' })
    await refusal(500, '{}')
    service.answerOpen(null)
    await open()
    expect(metadataSent()).toEqual({ lang: 'de', version: 'galley_0.0.0-test' })
    await open({ metadata: '{}' })
    await open()
    expect(metadataSent()).toEqual({ version: 'galley_0.0.0-test' })
    // Each material has its own.
    await open({ materialId: 'post-2' })
    expect(metadataSent()).toEqual({ version: 'galley_0.0.0-test' })
  })

  it("has the site's own credentials, and reports which of the caller's they replace", async () => {
    const { open, metadataSent, service } = await setUp({ listen: false, site: { callbackAuth: 'basic' } })
    await open({ metadata: '{"a":1}' })
    const sent = metadataSent()
    expect(sent).toEqual({
      a: 1,
      version: 'galley_0.0.0-test',
      webhook_auth_user: 'galley',
      webhook_auth_password: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    })
    await open()
    expect(metadataSent()).toEqual(sent)
    expect(await open({ metadata: '{"webhook_auth_user":"me"}' })).toMatchObject({
      ok: true,
      value: { replaced: ['webhook_auth_user'] },
    })
    expect(metadataSent()).toMatchObject({ webhook_auth_user: 'galley' })
    expect(service.opens).toHaveLength(3)
  })

  it('has the credentials of the caller if the site has none; they are not stored and must be given each time', async () => {
    const { galley, open, metadataSent, service } = await setUp({ listen: false })
    const metadata = '{"webhook_auth_user":"proxy","webhook_auth_password":"proxy-pass","a":1}'
    expect(await open({ metadata })).toMatchObject({ ok: true, value: { replaced: [] } })
    expect(metadataSent()).toMatchObject({ webhook_auth_user: 'proxy', webhook_auth_password: 'proxy-pass' })
    expect(galley.index.materials.sentAtOpen('acme', 'post-1')?.metadata).not.toContain('proxy')

    const before = service.opens.length
    const again = await open()
    expect(again).toMatchObject({ ok: false, failure: { code: 'invalid_metadata' } })
    expect(service.opens).toHaveLength(before)
    expect((await open({ metadata: '{"a":1}' })).ok).toBe(true)
    expect((await open()).ok).toBe(true)

    service.answerOpen({ status: 400, body: '{"message":"proxy:proxy-pass is odd"}' })
    const refused = await open({ metadata })
    expect(refused).toMatchObject({ ok: false, failure: { code: 'service_refused' } })
    expect(JSON.stringify(refused)).not.toContain('proxy')
  })

  it('has a token as user and no password for a bearer site', async () => {
    const { open, metadataSent } = await setUp({ listen: false, site: { callbackAuth: 'bearer' } })
    await open()
    expect(metadataSent()).toEqual({ version: 'galley_0.0.0-test', webhook_auth_user: expect.any(String) })
  })

  it('uses the signature header of the site', async () => {
    const { open, service, listener } = await setUp({ listen: false, site: { signatureHeader: 'X-Other' } })
    await open()
    const sent = service.opens.at(-1)
    expect(sent?.headers['x-other']).toBe(signatureOf(service.secret, 'post-1', `${listener}/callback/acme`))
    expect(sent?.signature).toBe(undefined)
  })

  for (const metadata of ['', '[]', '"x"', 'null', '{"a":', '{} {}', '\uFEFF{}']) {
    it(`is not sent for metadata that is no JSON object: ${JSON.stringify(metadata)}`, async () => {
      const { open, service, galley } = await setUp({ listen: false })
      expect(await open({ metadata })).toMatchObject({ ok: false, failure: { code: 'invalid_metadata' } })
      expect(service.opens).toEqual([])
      expect(galley.index.materials.find('acme', 'post-1')).toBe(null)
    })
  }
})

describe('the opened session', () => {
  it('is reused if it is the last session of this library', async () => {
    const { open, service } = await setUp({ listen: false })
    const answer = (session: string) =>
      service.answerOpen({
        status: 200,
        body: JSON.stringify({ session_id: session, fingerprint: 'f', url: 'https://e.test/1' }),
      })
    const reused = async (materialId = 'post-1') => {
      const opened = await open({ materialId })
      return opened.ok && opened.value.reused
    }
    answer('a')
    expect([await reused(), await reused()]).toEqual([false, true])
    expect(await reused('post-2')).toBe(false)
    answer('b')
    expect([await reused(), await reused()]).toEqual([false, true])
    answer('a')
    expect(await reused()).toBe(false)
  })

  it('comes on a connection of its own, so it cannot be the answer to an earlier request', async () => {
    const { open, service } = await setUp({ listen: false })
    for (const materialId of ['post-1', 'post-2']) await open({ materialId })
    expect(service.connections()).toBe(2)
  })

  it('is a new one if it has no session_id', async () => {
    const { open, service } = await setUp({ listen: false })
    service.answerOpen({ status: 200, body: '{"url":"https://e.test/1"}' })
    for (const _time of [1, 2])
      expect(await open()).toMatchObject({ ok: true, value: { sessionId: '', reused: false } })
  })

  it('is recorded only if the response is a session', async () => {
    const { galley, open, refusal, service } = await setUp({ listen: false })
    await refusal(400, '{"message":"no"}')
    expect(galley.index.materials.find('acme', 'post-1')).toBe(null)
    service.answerOpen(null)
    await open({ title: 'Harbour', slug: 'harbour' })
    expect(galley.index.materials.find('acme', 'post-1')).toMatchObject({
      title: 'Harbour',
      slug: 'harbour',
      session: { sessionId: 's-1', fingerprint: 'f-1' },
    })
    await refusal(400, '{"message":"no"}')
    expect(galley.index.materials.find('acme', 'post-1')).toMatchObject({ session: { sessionId: 's-1' } })
  })

  it('does not exist for an unknown site, and no request is sent', async () => {
    const { open, service } = await setUp({ listen: false })
    expect(await open({ site: 'nobody' })).toEqual({ ok: false, failure: { code: 'unknown_site', site: 'nobody' } })
    expect(service.opens).toEqual([])
  })
})
