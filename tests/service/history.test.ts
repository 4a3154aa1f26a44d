import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Service } from './support/service.ts'
import { key, refusalOf, secret, startService } from './support/service.ts'
import type { SiteStub } from './support/site-stub.ts'
import { download, savingSite, startSite } from './support/site-stub.ts'

const picture = Buffer.from('a picture')
const files = { 'a.png': picture.toString('base64') }

let service: Service
let site: SiteStub
let fingerprint: string
beforeEach(async () => {
  site = await startSite(savingSite(key, secret))
  service = await startService()
  await service.moveClock('2026-01-01T12:00:00Z')
  fingerprint = (await opened())['fingerprint'] ?? ''
})
afterEach(async () => {
  await service.emulator.close()
  await site.close()
})

const opened = (more = {}) => service.opened({ material_id: 'M', callback_url: site.callbackUrl, ...more })
const idOf = async (draft: Record<string, unknown>): Promise<string> =>
  String((await service.save(fingerprint, draft))['version_id'])
const rollBack = (versionId: unknown) =>
  service.post(`/_emulator/sessions/${fingerprint}/rollback`, { version_id: versionId })

describe('versions', () => {
  test('are listed newest first, with how the site answered', async () => {
    const first = await idOf({ html: '<p>1</p>', state: { n: 1 }, files, user_email: 'a@b' })
    site.behaviour = () => ({ body: { rc: 0, rm: 'Not today' } })
    const second = await idOf({ html: '<p>2</p>', state: { n: 2 } })
    expect(await service.versions(fingerprint)).toEqual([
      {
        version_id: second,
        version_cdate: expect.stringMatching(/^2026-01-01T12:00:.*\+00:00$/),
        user_email: 'a@b',
        media_count: 0,
        bytes: expect.any(Number),
        result: 'rejected',
        error: null,
        message: 'Not today',
        current: true,
      },
      expect.objectContaining({ version_id: first, media_count: 1, result: 'merged', current: false }),
    ])
  })

  test('can be looked at, with their files', async () => {
    const id = await idOf({ html: '<p>1</p>', state: { n: 1 }, files })
    expect(await service.get(`/_emulator/sessions/${fingerprint}/versions/${id}`)).toEqual({
      version_id: id,
      version_cdate: expect.any(String),
      html: '<p>1</p>',
      state: { n: 1, assets: { 'a.png': { clientUrl: 'https://cdn.example/a.png' } } },
    })
    const root = `${service.emulator.url}/_emulator/sessions/${fingerprint}/versions/${id}/files/`
    const file = await fetch(`${root}a.png`)
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['image/png', 'a picture'])
    expect((await fetch(`${root}b.png`)).status).toBe(404)
  })

  test('are shown to their own session alone', async () => {
    const id = await idOf({ html: '', state: {} })
    const other = await service.opened({ material_id: 'Other', callback_url: site.callbackUrl })
    const path = `/_emulator/sessions/${other['fingerprint']}`
    expect((await fetch(`${service.emulator.url}${path}/versions/${id}`)).status).toBe(404)
    expect((await service.post(`${path}/rollback`, { version_id: id })).status).toBe(404)
  })
})

describe('rollback', () => {
  test('shows the earlier state; the next save makes a new version of it', async () => {
    const first = await idOf({ html: '<p>1</p>', state: { n: 1 } })
    const second = await idOf({ html: '<p>2</p>', state: { n: 2 } })
    const answer = await rollBack(first)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      state: { n: 1 },
      base_version_id: first,
      last_save: { version_id: second },
    })
    expect((await service.versions(fingerprint)).map(({ current }) => current)).toEqual([false, true])
    const third = await idOf({ html: '<p>1</p>', state: { n: 1 } })
    expect(await service.session(fingerprint)).toMatchObject({ base_version_id: third, state: { n: 1 } })
    expect(await service.versions(fingerprint)).toHaveLength(3)
  })

  test('uploads files again that the site never received', async () => {
    site.behaviour = () => ({ body: { rc: 0, rm: 'no' } })
    const first = await idOf({ html: '', state: {}, files })
    await idOf({ html: '', state: {} })
    const { state } = (await (await rollBack(first)).json()) as { state: unknown }
    const shown = await fetch(`${service.emulator.url}/_emulator/sessions/${fingerprint}/files/a.png`)
    expect(await shown.text()).toBe('a picture')
    site.behaviour = savingSite(key, secret)
    expect(await service.save(fingerprint, { html: '', state })).toMatchObject({ result: 'merged' })
    expect((await service.session(fingerprint))['state']).toEqual({
      assets: { 'a.png': { clientUrl: 'https://cdn.example/a.png' } },
    })
  })

  test('a later answer does not change the shown state', async () => {
    const first = await idOf({ html: '', state: { n: 1 } })
    const release = Promise.withResolvers<void>()
    const behave = savingSite(key, secret)
    site.behaviour = async (callback) => {
      await release.promise
      return behave(callback)
    }
    const late = service.save(fingerprint, { html: '', state: { n: 2 }, files })
    await expect.poll(() => site.callbacks.length).toBe(2)
    await rollBack(first)
    release.resolve()
    await late
    expect(await service.session(fingerprint)).toMatchObject({ state: { n: 1 }, last_save: { result: 'merged' } })
  })

  test.each([
    [undefined, 400],
    [7, 400],
    ['unknown', 404],
  ])('to %s is refused', async (versionId, status) => expect((await rollBack(versionId)).status).toBe(status))
})

describe('two weeks', () => {
  test('history is kept as long as it is used, and two weeks longer', async () => {
    const id = await idOf({ html: '', state: { n: 1 } })
    await service.moveClock('2026-01-15T11:59:00Z')
    expect(await service.session(fingerprint)).toMatchObject({
      base_version_id: id,
      now: expect.stringMatching(/^2026-01-15T11:59:0/),
      history_kept_until: expect.stringMatching(/^2026-01-29T11:59:0/),
    })
    await service.moveClock('2026-01-29T11:58:00Z')
    expect((await rollBack(id)).status).toBe(200)
  })

  test('an unused session expires with its versions, and the next open uses the state of the site', async () => {
    await idOf({ html: '', state: { n: 1 } })
    const contentUrl = site.callbacks[0]?.payload.content_url ?? ''
    await service.moveClock('2026-01-15T12:01:00Z')
    expect((await refusalOf(await fetch(`${service.emulator.url}/_emulator/sessions/${fingerprint}`)))[0]).toBe(404)
    expect((await fetch(`${service.emulator.url}/editor/${fingerprint}`)).status).toBe(404)
    // An editor that is still open with unsaved work shows how to continue.
    const late = await service.post(`/_emulator/sessions/${fingerprint}/save`, { html: '', state: {} })
    expect([late.status, await late.text()]).toEqual([404, expect.stringContaining('Open the material again')])
    expect((await download(contentUrl, key, secret, 'M')).status).toBe(404)
    const next = await opened({ vms_json: { n: 'of the site' } })
    expect(next['fingerprint']).not.toBe(fingerprint)
    expect(await service.session(next['fingerprint'] ?? '')).toMatchObject({
      state: { n: 'of the site' },
      last_save: null,
    })
    expect(await service.versions(next['fingerprint'] ?? '')).toEqual([])
  })
})

describe('the clock', () => {
  test('is shown, set, and keeps running', async () => {
    expect((await service.get('/_emulator/clock'))['now']).toMatch(/^2026-01-01T12:00:/)
    const { now } = (await (await service.moveClock('2030-06-01T00:00:00+02:00')).json()) as { now: string }
    expect(now).toMatch(/^2030-05-31T22:00:00/)
    await expect.poll(async () => (await service.get('/_emulator/clock'))['now']).not.toBe(now)
  })

  test.each(['soon', '2026-13-01', '2026-02-30', '', 7, '+275760-09-13T00:00:00Z'])('%j is no moment', async (now) =>
    expect((await service.post('/_emulator/clock', { now })).status).toBe(400),
  )
})
