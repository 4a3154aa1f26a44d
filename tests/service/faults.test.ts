import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Service } from './support/service.ts'
import { key, refusalOf, secret, startService } from './support/service.ts'
import type { SiteStub } from './support/site-stub.ts'
import { download, savingSite, startSite } from './support/site-stub.ts'

let service: Service
let site: SiteStub
let fingerprint: string
beforeEach(async () => {
  site = await startSite(savingSite(key, secret))
  service = await startService()
  fingerprint = (await service.opened({ material_id: 'M', callback_url: site.callbackUrl }))['fingerprint'] ?? ''
})
afterEach(async () => {
  await service.emulator.close()
  await site.close()
})

const save = (n: number) => service.save(fingerprint, { html: '', state: { n }, files: { a: 'AAAA' } })
const sites = () => site.callbacks.map(({ payload }) => payload.metadata['version_id'])
const lastSave = async () => (await service.session(fingerprint))['last_save']

describe('orders', () => {
  test('are listed, used up in their order, and cleared', async () => {
    const answer = await service.fault({ kind: 'drop', times: 2 })
    expect(await answer.json()).toEqual([{ kind: 'drop', times: 2 }])
    await service.fault({ kind: 'delay', ms: 1 })
    await save(1)
    const pending = [
      { kind: 'drop', times: 1 },
      { kind: 'delay', times: 1, ms: 1 },
    ]
    expect(await service.get('/_emulator/faults')).toEqual(pending)
    const cleared = await fetch(`${service.emulator.url}/_emulator/faults`, { method: 'DELETE' })
    expect(await cleared.json()).toEqual([])
    expect(await save(2)).toMatchObject({ result: 'merged' })
  })

  test.each([
    [{ kind: 'earthquake' }, /kind must be one of delay, drop, .*error_500/],
    [{}, /kind must be one of/],
    [{ kind: 'toString' }, /kind must be one of/],
    [{ kind: 'drop', times: 0 }, /times/],
    [{ kind: 'drop', times: 1.5 }, /times/],
    [{ kind: 'delay', ms: -1 }, /ms/],
    [{ kind: 'truncated_download', at_byte: '7' }, /at_byte/],
  ])('%j is refused', async (fault, words) =>
    expect(await refusalOf(await service.fault(fault))).toEqual([400, 'invalid_request', expect.stringMatching(words)]),
  )
})

describe('faults of callbacks', () => {
  test('drop: the site receives nothing, and the save is not reported as successful', async () => {
    await service.fault({ kind: 'drop' })
    expect(await save(1)).toMatchObject({ delivered: false, result: 'webhook_failed', error: 'unreachable' })
    expect(site.callbacks).toEqual([])
    expect(await lastSave()).toMatchObject({ result: 'webhook_failed' })
  })

  test('drop_answer: the site saved, the service does not know', async () => {
    await service.fault({ kind: 'drop_answer' })
    expect(await save(1)).toMatchObject({ delivered: false, answer: null, result: 'webhook_failed' })
    expect(site.callbacks).toHaveLength(1)
    expect((await service.session(fingerprint))['state']).toMatchObject({ assets: { a: { clientUrl: 'dummy-a' } } })
  })

  test('duplicate: twice the same, and the second answer counts', async () => {
    await service.fault({ kind: 'duplicate' })
    const behave = savingSite(key, secret)
    site.behaviour = (callback) => (site.callbacks.length > 1 ? { body: { rc: 0, rm: 'I have it' } } : behave(callback))
    expect(await save(1)).toMatchObject({ result: 'rejected' })
    const [first, second] = site.callbacks
    expect(second?.text).toBe(first?.text)
    expect(second?.headers['x-service-signature']).toBe(first?.headers['x-service-signature'])
  })

  test('wrong_signature: of the right form, and wrong', async () => {
    await service.fault({ kind: 'wrong_signature' })
    expect(await save(1)).toMatchObject({ http_status: 400, result: 'webhook_failed', error: 'http_error' })
    expect(site.callbacks[0]?.headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/)
  })

  test('delay: later saves overtake it, and fonts can be hit as well', async () => {
    await service.fault({ kind: 'delay', ms: 120_000 })
    const late = save(1)
    await expect.poll(() => service.get('/_emulator/faults')).toEqual([])
    expect(await save(2)).toMatchObject({ result: 'merged' })
    expect(site.callbacks).toHaveLength(1)
    await service.fault({ kind: 'drop' })
    const fonts = await service.post('/_emulator/fonts', { material_id: 'F', files: {}, css: '', tree: {} })
    expect(await fonts.json()).toMatchObject({ delivered: false })
    await service.emulator.close()
    expect(await late).toMatchObject({ delivered: false })
  })

  test('out_of_order: held until the next save of that material is delivered, again and again', async () => {
    await service.fault({ kind: 'out_of_order', times: 2 })
    const held = [save(1), save(2)]
    await expect.poll(() => service.get('/_emulator/faults')).toEqual([])
    const other = await service.opened({ material_id: 'Other', callback_url: site.callbackUrl })
    await service.save(other['fingerprint'] ?? '', { html: '', state: {} })
    expect(site.callbacks).toHaveLength(1)
    const third = await save(3)
    const reports = await Promise.all(held)
    const ids = [...reports].map(({ version_id: id }) => id)
    const list = (await service.versions(fingerprint)).map(({ version_id: id }) => id)
    expect(sites().slice(1)).toEqual(list)
    expect(list).toEqual([third['version_id'], ...ids.toReversed()])
  })

  test('out_of_order: no longer than ms when no save follows', async () => {
    await service.fault({ kind: 'out_of_order', ms: 1 })
    expect(await save(1)).toMatchObject({ result: 'merged' })
  })
})

describe('faults of the public endpoints', () => {
  const content = async (): Promise<[url: string, bytes: Buffer]> => {
    await save(1)
    const url = site.callbacks[0]?.payload.content_url ?? ''
    return [url, Buffer.from(await (await download(url, key, secret, 'M')).arrayBuffer())]
  }

  test('truncated_download: the declared length is not reached', async () => {
    const [url] = await content()
    await service.fault({ kind: 'truncated_download', at_byte: 10 })
    expect((await download(url, key, 'wrong', 'M')).status).toBe(403)
    const answer = await download(url, key, secret, 'M')
    await expect(answer.arrayBuffer()).rejects.toThrow(/terminated/)
    expect((await download(url, key, secret, 'M')).ok).toBe(true)
  })

  test('truncated_download: at the very byte, however large the archive', async () => {
    const large = Buffer.alloc(900_000, 7).toString('base64')
    await service.save(fingerprint, { html: '', state: {}, files: { large } })
    const url = site.callbacks[0]?.payload.content_url ?? ''
    for (const atByte of [0, 300_000, 600_000]) {
      await service.fault({ kind: 'truncated_download', at_byte: atByte })
      const { body } = await download(url, key, secret, 'M')
      let receivedBytes = 0
      const receive = async (): Promise<void> => {
        for await (const piece of body ?? []) receivedBytes += piece.length
      }
      await expect(receive()).rejects.toThrow(/terminated/)
      expect(receivedBytes).toBe(atByte)
    }
  })

  test('slow_download: in pieces, and complete in the end', async () => {
    const [url, bytes] = await content()
    await service.fault({ kind: 'slow_download', ms: 1 })
    expect(Buffer.from(await (await download(url, key, secret, 'M')).arrayBuffer())).toEqual(bytes)
    expect(await service.get('/_emulator/faults')).toEqual([])
  })

  test('error_500: downloads and session/open', async () => {
    const [url] = await content()
    await service.fault({ kind: 'error_500', times: 2 })
    expect((await refusalOf(await download(url, key, secret, 'M')))[0]).toBe(500)
    const open = await service.open({ material_id: 'M', callback_url: site.callbackUrl })
    expect((await refusalOf(open)).slice(0, 2)).toEqual([500, 'internal_error'])
    expect((await download(url, key, secret, 'M')).status).toBe(200)
  })

  test('error_500: in its turn among the faults of downloads, and not used up by a refused one', async () => {
    const [url] = await content()
    await service.fault({ kind: 'truncated_download', at_byte: 10 })
    await service.fault({ kind: 'error_500' })
    expect((await download(url, key, 'wrong', 'M')).status).toBe(403)
    expect((await download(`${url}-gone`, key, secret, 'M')).status).toBe(404)
    await expect((await download(url, key, secret, 'M')).arrayBuffer()).rejects.toThrow(/terminated/)
    expect((await download(url, key, 'wrong', 'M')).status).toBe(403)
    expect((await download(url, key, secret, 'M')).status).toBe(500)
    expect((await download(url, key, secret, 'M')).status).toBe(200)
  })
})
