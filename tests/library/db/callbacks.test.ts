import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { logStart } from '../../../packages/library/log/mark.ts'
import { anArrival, aCallbackResult, aVersion, openAgain, openLibrary, storeVersion } from './sample.ts'

const rejected = aCallbackResult({ outcome: 'rejected', httpStatus: 400, rc: 0, code: 'invalid_signature', rm: 'no' })
const everything = { site: null, outcome: null, limit: 100 }

describe('the callback log', () => {
  it('returns what was written, without running callbacks', async () => {
    const { index } = await openLibrary()
    const arrival = anArrival({ payload: '{"n":1.0}' })
    index.callbacks.begin(arrival)
    expect([
      index.callbacks.list(everything),
      index.callbacks.find(arrival.id),
      index.callbacks.payload(arrival.id),
    ]).toEqual([[], null, null])
    const result = aCallbackResult({ versionId: 'v1', steps: [{ name: 'download', ms: 1.5 }] })
    index.callbacks.finish(arrival.id, result)
    const { payload, ...rest } = arrival
    expect(index.callbacks.list(everything)).toEqual([{ ...rest, ...result }])
    expect(index.callbacks.find(arrival.id)).toEqual({ ...rest, ...result })
    expect(index.callbacks.payload(arrival.id)).toBe(payload)
    expect([index.callbacks.find('nobody'), index.callbacks.payload('nobody')]).toEqual([null, null])
  })

  it('waits for no writer of the index', async () => {
    const { index, file } = await openLibrary()
    const writer = new BetterSqlite3(file)
    onTestFinished(() => void writer.close())
    writer.exec('BEGIN IMMEDIATE')
    index.callbacks.begin(anArrival())
    index.callbacks.record([{ arrival: anArrival({ signature: 'invalid' }), result: rejected }])
    expect(index.callbacks.list(everything)).toHaveLength(1)
  })

  it('counts a whole site like its list: without running callbacks, and with later ones separately', async () => {
    const { index } = await openLibrary()
    const finished = ['a', 'b', 'c'].map((id) => anArrival({ id }))
    for (const arrival of finished) index.callbacks.record([{ arrival, result: rejected }])
    index.callbacks.begin(anArrival())
    const filters = {
      site: 'acme',
      materialId: null,
      outcomes: [],
      kinds: [],
      signatures: [],
      from: null,
      to: null,
      text: '',
    }
    const sort = { by: 'arrival', direction: 'down' } as const
    const whole = index.callbackList.query({ filters, sort, upTo: null, offset: 0, limit: 10 })
    expect([whole.total, whole.newer, whole.rows.length]).toEqual([3, 0, 3])
    const [, second] = whole.rows
    const held = index.callbackList.query({ filters, sort, upTo: second?.arrival ?? 0, offset: 0, limit: 10 })
    expect([held.total, held.newer, held.rows.length]).toEqual([2, 1, 2])
  })

  it('lists callbacks by arrival, newest first, of one site or all, with one outcome or any, up to a limit', async () => {
    const { index } = await openLibrary()
    const write = (id: string, site: string, result: typeof rejected) =>
      index.callbacks.record([{ arrival: anArrival({ id, site, receivedAt: '2026-11-01T10:00:00.000Z' }), result }])
    write('1', 'acme', aCallbackResult())
    write('2', 'acme', rejected)
    write('3', 'never-added', rejected)
    write('4', 'acme', aCallbackResult())
    write('5', 'acme', rejected)
    const found = (filter: { site?: string; outcome?: string; limit?: number }) =>
      index.callbacks.list({ ...everything, ...filter }).map(({ id }) => id)
    expect(found({})).toEqual(['5', '4', '3', '2', '1'])
    expect(found({ site: 'acme' })).toEqual(['5', '4', '2', '1'])
    expect(found({ outcome: 'rejected' })).toEqual(['5', '3', '2'])
    expect(found({ site: 'acme', outcome: 'rejected' })).toEqual(['5', '2'])
    expect(found({ site: 'acme', outcome: 'rejected', limit: 1 })).toEqual(['5'])
    expect(found({ limit: 2 })).toEqual(['5', '4'])
    expect(found({ site: 'nobody' })).toEqual([])
  })

  it('writes callbacks that end at the same time in one transaction, all or none', async () => {
    const { index } = await openLibrary()
    const twice = anArrival()
    const ends = [anArrival(), twice, twice].map((arrival) => ({ arrival, result: rejected }))
    expect(() => index.callbacks.record(ends)).toThrow('UNIQUE constraint failed: callback.id')
    expect(index.callbacks.list(everything)).toEqual([])
  })

  it('keeps the newest 10,000 without a valid signature, and all signed ones', async () => {
    const { index, peek, other } = await openLibrary()
    const count = 10_250
    for (let from = 0; from < count; from += 50) {
      const unsigned = Array.from({ length: 50 }, (_, at) => ({
        arrival: anArrival({ id: `u${from + at}`, signature: at % 2 ? 'invalid' : 'missing' }),
        result: rejected,
      }))
      const signed = {
        arrival: anArrival({ id: `s${from}` }),
        result: { ...rejected, outcome: 'refused' as const },
      }
      index.callbacks.record([signed, ...unsigned])
    }
    const kept = other
      .prepare<[], { id: string }>(`SELECT id FROM callback WHERE signature <> 'valid' ORDER BY arrival`)
      .all()
      .map(({ id }) => Number(id.slice(1)))
    expect(kept).toEqual(Array.from({ length: 10_000 }, (_, at) => count - 10_000 + at))
    expect(peek(`SELECT count(*) AS signed FROM callback WHERE signature = 'valid'`)).toEqual([{ signed: count / 50 }])
  })
})

describe('credentials in the address of a callback', () => {
  const url = 'https://svc.test/download/media/s/v1?X-Amz-Signature=canary&size=2&token=canary'
  const shown = 'https://svc.test/download/media/s/v1?X-Amz-Signature=[redacted]&size=2&token=[redacted]'
  const payload = JSON.stringify({ content_url: url, material_id: 'post-1' }).replaceAll('&', '\\u0026')
  const arrival = () => anArrival({ contentUrl: url, payload })
  const listed = (index: Awaited<ReturnType<typeof openLibrary>>['index'], id: string) => [
    index.callbacks.find(id)?.contentUrl,
    JSON.parse(index.callbacks.payload(id) ?? '{}'),
  ]
  const hidden = [shown, { content_url: shown, material_id: 'post-1' }]

  it('are hidden where it stored nothing, and only this process knows them', async () => {
    const { index, folder } = await openLibrary()
    const [refused, failed, interrupted] = [arrival(), arrival(), arrival()]
    index.callbacks.record([{ arrival: refused, result: { ...rejected, outcome: 'refused' } }])
    index.callbacks.begin(failed)
    index.callbacks.finish(failed.id, { ...rejected, outcome: 'failed' })
    index.callbacks.begin(interrupted)
    expect(index.callbacks.closeInterrupted()).toBe(1)
    for (const { id } of [refused, failed, interrupted]) {
      expect(listed(index, id)).toEqual(hidden)
      expect(index.callbacks.signedUrl(id)).toBe(url)
    }
    const later = await openAgain(folder)
    expect(later.index.callbacks.signedUrl(refused.id)).toBeNull()
    const plain = anArrival()
    index.callbacks.record([{ arrival: plain, result: rejected }])
    expect(later.index.callbacks.signedUrl(plain.id)).toBe(plain.contentUrl)
  })

  it('are kept where it stored a save: the address identifies it', async () => {
    const { index } = await openLibrary()
    const [stored, duplicate] = [arrival(), arrival()]
    index.callbacks.begin(stored)
    index.callbacks.finish(stored.id, aCallbackResult())
    index.callbacks.record([{ arrival: duplicate, result: aCallbackResult({ outcome: 'duplicate' }) }])
    for (const { id } of [stored, duplicate]) expect(listed(index, id)[0]).toBe(url)
  })
})

describe('the ledger', () => {
  it('finds a stored delivery by site, event, material and URL, and nothing else', async () => {
    const { index } = await openLibrary()
    const stored = storeVersion(index, aVersion('v1'), { contentUrl: 'https://svc.test/a' })
    index.callbacks.record([
      { arrival: anArrival({ contentUrl: 'https://svc.test/b' }), result: { ...rejected, outcome: 'failed' } },
      { arrival: anArrival({ contentUrl: 'https://svc.test/c' }), result: aCallbackResult({ versionId: 'v1' }) },
    ])
    const { storedDelivery, storingVersion } = index.callbacks
    const delivery = { callback: stored, versionId: 'v1' }
    expect(storedDelivery('acme', 'article_saved', 'post-1', 'https://svc.test/a')).toEqual(delivery)
    // A callback that only claims to be stored is not in the ledger, which follows from the log.
    for (const address of ['https://svc.test/b', 'https://svc.test/c'])
      expect(storedDelivery('acme', 'article_saved', 'post-1', address)).toBe(null)
    expect(storedDelivery('acme', 'site_fonts_updated', 'post-1', 'https://svc.test/a')).toBe(null)
    expect(storedDelivery('acme', 'article_saved', 'post-2', 'https://svc.test/a')).toBe(null)
    expect(storedDelivery('other', 'article_saved', 'post-1', 'https://svc.test/a')).toBe(null)
    expect(storingVersion('acme', 'article_saved', 'post-1', 'v1')).toBe(stored)
    expect(storingVersion('acme', 'article_saved', 'post-1', 'v2')).toBe(null)
  })

  it('contains one stored delivery per URL: a second one is refused in any case', async () => {
    const { index } = await openLibrary()
    const contentUrl = 'https://svc.test/a'
    const write = (outcome: 'duplicate' | 'failed') =>
      index.callbacks.record([
        { arrival: anArrival({ contentUrl }), result: aCallbackResult({ outcome, versionId: 'v1' }) },
      ])
    write('failed')
    storeVersion(index, aVersion('v1'), { contentUrl })
    for (const outcome of ['duplicate', 'duplicate', 'failed'] as const) write(outcome)
    expect(() => storeVersion(index, aVersion('v2'), { contentUrl })).toThrow(
      'UNIQUE constraint failed: delivery.site, delivery.kind, delivery.material_id, delivery.content_url',
    )
    expect(index.versions.find('acme', 'post-1', 'v2')).toBe(null)
    storeVersion(index, aVersion('v2'), { contentUrl: 'https://svc.test/b' })
    expect(index.callbacks.list({ ...everything, outcome: 'stored' })).toHaveLength(2)
  })

  it('adds deliveries of the log to the list of callbacks', async () => {
    const { library, index } = await openLibrary()
    const payload = '{"n":1.0}'
    const stored = storeVersion(index, aVersion('v1'), { contentUrl: 'https://svc.test/a', payload })
    expect(index.callbacks.find(stored)).toMatchObject({ outcome: 'stored', httpStatus: 200, rc: 1, versionId: 'v1' })
    expect(index.callbacks.payload(stored)).toBe(payload)
    // The list belongs to the machine, and records how far it follows the library's log.
    expect(index.commit.mark().position).toBe([...library.log.read(logStart)].length)
  })
})

describe('callbacks that were cut off', () => {
  it('are closed as interrupted, once, and others are unchanged', async () => {
    const { index } = await openLibrary()
    const [running, done] = [anArrival(), anArrival()]
    index.callbacks.begin(running)
    index.callbacks.begin(done)
    index.callbacks.finish(done.id, aCallbackResult())
    expect([index.callbacks.closeInterrupted(), index.callbacks.closeInterrupted()]).toEqual([1, 0])
    expect(index.callbacks.find(running.id)).toMatchObject({
      outcome: 'interrupted',
      httpStatus: 0,
      rc: 0,
      code: 'interrupted',
      versionId: null,
    })
    expect(index.callbacks.find(running.id)?.rm).toContain('Nothing was saved')
    expect(index.callbacks.find(done.id)?.outcome).toBe('stored')
  })
})
