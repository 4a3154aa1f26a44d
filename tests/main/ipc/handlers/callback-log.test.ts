import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { allCallbacks } from '../../../support/all-callbacks.ts'
import { aSave, temporaryFolder } from '../../../support/test-galley.ts'
import { setUp } from './callback-fixture.ts'

test('the log is filtered in stable pages, and written to a file', async () => {
  const { service, post, calls, chosen } = await setUp()
  for (const materialId of ['post-1', '=SUM(1)', 'post-1']) {
    const save = aSave(service, { materialId })
    await post(save.body, save.headers)
  }
  const query = { filters: allCallbacks, sort: { by: 'arrival', direction: 'down' } as const, offset: 0, limit: 2 }
  const first = await calls.queryCallbacks({ ...query, upTo: null })
  expect(first).toMatchObject({ total: 3, newer: 0 })
  const save = aSave(service)
  await post(save.body, save.headers)
  const second = await calls.queryCallbacks({ ...query, upTo: first.upTo, offset: 2 })
  expect(second).toMatchObject({ total: 3, newer: 1, rows: [{ materialId: 'post-1', outcome: 'stored' }] })
  const refused = { ...allCallbacks, outcomes: ['refused' as const] }
  expect((await calls.queryCallbacks({ ...query, filters: refused, upTo: null })).rows).toMatchObject([
    { code: 'refused' },
  ])
  expect(await calls.callbackCounts({ filters: allCallbacks })).toMatchObject({
    outcomes: [
      { value: 'stored', count: 3 },
      { value: 'refused', count: 1 },
    ],
  })
  const file = join(await temporaryFolder(), 'log.csv')
  chosen.push(file, null)
  expect(await calls.exportCallbacks({ filters: allCallbacks, format: 'csv' })).toEqual({
    ok: true,
    value: { path: file, count: 4 },
  })
  const lines = (await readFile(file, 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines.join()).toContain(`,'=SUM(1),`)
  expect(await calls.exportCallbacks({ filters: allCallbacks, format: 'json' })).toEqual({ ok: true, value: null })
})

test('the log is limited to what was received between two times', async () => {
  let nowMs = Date.parse('2026-11-20T10:00:00Z')
  const { service, post, calls } = await setUp({ edges: { now: () => new Date(nowMs) } })
  for (const moment of ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z', '2026-11-20T12:00:00.000Z']) {
    nowMs = Date.parse(moment)
    const save = aSave(service)
    await post(save.body, save.headers)
  }
  const received = async (from: string | null, to: string | null) => {
    const filters = { ...allCallbacks, from, to }
    const sort = { by: 'arrival', direction: 'up' } as const
    const { rows } = await calls.queryCallbacks({ filters, sort, upTo: null, offset: 0, limit: 10 })
    return rows.map(({ receivedAt }) => receivedAt.slice(11, 13))
  }
  expect(await received('2026-11-20T11:00:00.000Z', null)).toEqual(['11', '12'])
  expect(await received(null, '2026-11-20T11:00:00.000Z')).toEqual(['10'])
  expect(await received('2026-11-20T10:30:00.000Z', '2026-11-20T12:00:00.000Z')).toEqual(['11'])
})

test('the callbacks of each hour are counted by site, with unstored ones separately', async () => {
  let nowMs = Date.parse('2026-11-20T09:59:00Z')
  const { service, post, calls, know } = await setUp({ edges: { now: () => new Date(nowMs) } })
  await know('post-1')
  const arriveAt = async (moment: string, materialId = 'post-1') => {
    nowMs = Date.parse(moment)
    const save = aSave(service, { materialId })
    await post(save.body, save.headers)
  }
  await arriveAt('2026-11-20T11:59:59Z')
  await arriveAt('2026-11-20T12:00:00Z')
  await arriveAt('2026-11-21T10:00:00Z', 'unknown')
  await arriveAt('2026-11-21T10:59:59Z')
  // A clock that was set forward and back again.
  await arriveAt('2026-11-23T10:00:00Z')
  const hours = await calls.callbackActivity({ site: 'acme', since: '2026-11-20T12:00:00.000Z' })
  expect(hours).toHaveLength(24)
  expect(hours.flatMap(({ total, notStored }, at) => (total > 0 ? [[at, total, notStored]] : []))).toEqual([
    [0, 1, 0],
    [22, 2, 1],
    [23, 1, 0],
  ])
  const elsewhere = await calls.callbackActivity({ site: 'stage', since: '2026-11-20T12:00:00.000Z' })
  expect(elsewhere.map(({ total }) => total)).toEqual(Array.from({ length: 24 }, () => 0))
})

test('writes each callback of a long log once, and only those that match the filters', async () => {
  const { galley, calls, chosen } = await setUp()
  const file = join(await temporaryFolder(), 'log.json')
  galley.index.callbacks.record(
    Array.from({ length: 1_201 }, (_, at) => ({
      arrival: {
        id: `c${at}` as never,
        site: 'acme',
        receivedAt: '2026-11-20T10:00:00.000Z',
        kind: 'unknown' as const,
        materialId: at % 6 === 0 ? 'post-2' : null,
        contentUrl: null,
        signature: 'valid' as const,
        payload: null,
      },
      result: {
        outcome: 'rejected' as const,
        httpStatus: 400,
        rc: 0 as const,
        code: 'unknown_event',
        rm: '',
        versionId: null,
        duplicateOf: null,
        steps: [],
      },
    })),
  )
  const written = async (filters: Partial<typeof allCallbacks>) => {
    chosen.push(file)
    await calls.exportCallbacks({ filters: { ...allCallbacks, ...filters }, format: 'json' })
    return (JSON.parse(await readFile(file, 'utf8')) as readonly { id: string }[]).map(({ id }) => id)
  }
  const all = await written({})
  expect(all).toHaveLength(1_201)
  expect(new Set(all).size).toBe(1_201)
  expect([all[0], all.at(-1)]).toEqual(['c1200', 'c0'])
  expect(await written({ site: 'acme', materialId: 'post-2' })).toHaveLength(201)
})
