import { expect, it } from 'vitest'

import type { WantedVerdict } from '../../../packages/library/records/fields.ts'
import type { ReviewQuery, ReviewRow } from '../../../packages/library/views/review.ts'
import type { DecidedBefore } from '../../../packages/library/views/versions.ts'
import type { Bridge } from '../../../src/ipc/calls.ts'
import { createInbox } from '../../../src/renderer/features/review/inbox.ts'
import { createDesk, newerOf } from '../../../src/renderer/features/review/store.ts'
import { settled } from '../support/settled.ts'

const aRow = (materialId: string, number = 2): ReviewRow => ({
  site: 'press',
  materialId,
  title: materialId,
  state: 'changed',
  baseline: { versionId: `${materialId}-1`, number: 1 },
  version: { versionId: `${materialId}-${number}`, number },
  since: '2026-11-29T12:00:00Z',
  savedAt: '2026-11-29T12:00:00Z',
  savedBy: 'anna@press.example',
  sizeBytes: 1,
  verdict: null,
  answers: null,
  thumbnail: null,
  failedSave: null,
  summary: null,
})

interface Decision {
  readonly materialId: string
  readonly versionId: string
  readonly verdict: WantedVerdict
  readonly mayBeOld: boolean
}

/** A desk with three pages, on a clock that stands still, and the decisions that it stored. */
async function aDesk(ids: readonly string[] = ['a', 'b', 'c']) {
  let rows = ids.map((id) => aRow(id))
  let nowMs = 0
  let isPainting = true
  let isBroken = false
  let isNamed = true
  const waiting: (() => void)[] = []
  const earlier: DecidedBefore[] = []
  const published: string[] = []
  const stored: (readonly [string, WantedVerdict])[] = []
  const failures: unknown[] = []
  let tell = (): void => undefined
  let paint = (_event: { readonly versionId: string }): void => undefined
  const value = { unshown: [], hasScripts: false, compared: null, marks: [], lost: [] }
  const answers: Readonly<Record<string, (input: never) => unknown>> = {
    reviewQueue: ({ offset, limit }: ReviewQuery) => ({
      total: rows.length,
      counts: { new: 0, changed: rows.length, approved: 0, changes_requested: 0 },
      unchanged: 0,
      rows: rows.slice(offset, offset + limit),
      failed: [],
    }),
    reviewRow: ({ materialId }: { readonly materialId: string }) =>
      rows.find((row) => row.materialId === materialId) ?? aRow(materialId),
    answeredComments: () => [],
    showDeskPage({ page: { after: versionId } }: { readonly page: { readonly after: string } }) {
      waiting.push(() => paint({ versionId }))
      if (isPainting) void settled().then(() => waiting.splice(0).at(-1)?.())
      return { ok: true, value }
    },
    decideReview({ materialId, versionId, verdict, mayBeOld }: Decision) {
      if (isBroken) return { ok: false, failure: { code: 'unexpected' } }
      const current = rows.find((row) => row.materialId === materialId)?.version.versionId ?? versionId
      if (current !== versionId && !mayBeOld) return { ok: false, failure: { code: 'moved_on' } }
      stored.push([materialId, verdict])
      rows = verdict === null ? [aRow(materialId), ...rows] : rows.filter((row) => row.materialId !== materialId)
      tell()
      return { ok: true, value: null }
    },
  }
  const bridge = {
    call: (name: string, input: unknown) => Promise.resolve(answers[name]?.(input as never)),
    on(name: string, told: (event: unknown) => void) {
      if (name === 'changed') {
        const before = tell
        tell = () => {
          before()
          told({ subjects: ['materials', 'marks'] })
        }
      }
      if (name === 'deskPainted') paint = told
      return () => undefined
    },
  } as unknown as Bridge
  const { inbox, rows: list } = createInbox(bridge)
  const took: (readonly [string | null, () => void])[] = []
  const named = () => Promise.resolve(isNamed)
  const ports = {
    bridge,
    rows: list,
    inbox,
    named,
    publish: (page: ReviewRow) => void published.push(page.version.versionId),
    lastDecision: () => Promise.resolve(earlier.shift() ?? null),
    tookBack: (page: ReviewRow | null, _given: unknown, again: () => void) =>
      void took.push([page?.materialId ?? null, again]),
    clock: () => nowMs,
    failed: (problem: unknown) => void failures.push(problem),
  }
  const desk = createDesk(ports)
  inbox.getState().show('press')
  await settled()
  await settled()
  return {
    state: () => desk.getState(),
    inbox: () => inbox.getState(),
    list: () => list.getState(),
    stored,
    failures,
    earlier,
    took,
    published,
    wait: (ms: number) => void (nowMs += ms),
    paint: (isOn: boolean) => {
      isPainting = isOn
      if (isOn) waiting.splice(0).at(-1)?.()
    },
    fail: () => void (isBroken = true),
    name: (isGiven: boolean) => void (isNamed = isGiven),
    async arrive(row: ReviewRow, isTold = true) {
      const isKnown = rows.some((each) => each.materialId === row.materialId)
      rows = isKnown ? rows.map((each) => (each.materialId === row.materialId ? row : each)) : [row, ...rows]
      if (isTold) tell()
      await settled()
    },
  }
}

it('a page is approved once it was painted and seen, and the next one is shown', async () => {
  const desk = await aDesk()
  await desk.state().approve()
  desk.wait(299)
  await desk.state().approve()
  expect(desk.stored).toStrictEqual([])
  desk.wait(1)
  await desk.state().approve()
  await desk.state().approve()
  expect(desk.stored).toStrictEqual([['a', { decision: 'approved', reason: '' }]])
  expect(desk.state().at?.materialId).toBe('b')
})

it('a page that is not painted yet cannot be approved, however long it takes', async () => {
  const desk = await aDesk()
  desk.wait(1000)
  desk.paint(false)
  desk.state().step(1)
  await settled()
  desk.wait(60_000)
  await desk.state().approve()
  expect(desk.stored).toStrictEqual([])
  desk.paint(true)
  await settled()
  desk.wait(300)
  await desk.state().approve()
  expect(desk.stored.map(([id]) => id)).toStrictEqual(['b'])
})

it('all pages are decided, the last decision is taken back, and its page is shown again', async () => {
  const desk = await aDesk()
  for (const [at] of ['a', 'b', 'c'].entries()) {
    await settled()
    desk.wait(300)
    if (at === 1) {
      desk.state().ask(true)
      await desk.state().requestChanges()
      expect(desk.state().at?.materialId, 'without a reason nothing happens').toBe('b')
      desk.state().typeReason(' Name the quay. ')
      await desk.state().requestChanges()
    } else await desk.state().approve()
    await settled()
  }
  expect(desk.stored.map(([id, verdict]) => [id, verdict?.decision, verdict?.reason])).toStrictEqual([
    ['a', 'approved', ''],
    ['b', 'changes_requested', 'Name the quay.'],
    ['c', 'approved', ''],
  ])
  expect(desk.state()).toMatchObject({ at: null, shown: { kind: 'none' } })
  await desk.state().undo()
  await settled()
  expect(desk.stored.at(-1)).toStrictEqual(['c', null])
  expect(desk.state().at?.materialId).toBe('c')
  expect(desk.state().decided.map(({ row }) => row.materialId)).toStrictEqual(['a', 'b'])
})

it('a newer version is told, moves nothing, and approving the older one asks', async () => {
  const desk = await aDesk()
  desk.wait(300)
  await desk.arrive(aRow('a', 3))
  expect(desk.state().at?.number).toBe(2)
  expect(newerOf(desk.state())?.number).toBe(3)
  await desk.state().approve()
  expect(desk.stored).toStrictEqual([])
  expect(desk.state().isAskingOld).toBe(true)
  await desk.state().approve({ mayBeOld: true })
  expect(desk.stored.map(([id]) => id)).toStrictEqual(['a'])
})

it('a newer version that nobody was told of yet is noticed by the decision', async () => {
  const desk = await aDesk()
  desk.wait(300)
  await desk.arrive(aRow('a', 3), false)
  await desk.state().approve()
  await settled()
  expect(desk.stored).toStrictEqual([])
  expect(desk.state().at?.number).toBe(2)
  expect(newerOf(desk.state())?.number).toBe(3)
  expect(desk.state().isAskingOld).toBe(true)
  desk.wait(300)
  await desk.state().approve({ mayBeOld: true })
  expect(desk.stored.map(([id]) => id)).toStrictEqual(['a'])
})

it('pages that arrive move neither the page that is read nor what its keys lead to', async () => {
  const desk = await aDesk()
  desk.state().step(1)
  await settled()
  await desk.arrive(aRow('z'))
  expect(desk.state().at?.materialId).toBe('b')
  expect(desk.list().total).toBe(4)
  desk.state().step(1)
  expect(desk.state().at?.materialId).toBe('c')
  desk.state().step(-1)
  desk.state().step(-1)
  expect(desk.state().at?.materialId).toBe('a')
})

it('a long inbox is gone through, though only the pages around the one that is read are known', async () => {
  const desk = await aDesk(Array.from({ length: 350 }, (_, at) => `page-${at}`))
  for (let at = 0; at < 349; at += 1) {
    desk.state().step(1)
    await settled()
  }
  expect(desk.state().at?.materialId).toBe('page-349')
  await desk.arrive(aRow('z'))
  expect(desk.list().rows.size).toBeLessThanOrEqual(200)
  desk.state().step(-1)
  expect(desk.state().at?.materialId).toBe('page-348')
})

it('a decision that is not stored brings its page back', async () => {
  const desk = await aDesk()
  desk.wait(300)
  desk.fail()
  await desk.state().approve()
  await settled()
  expect(desk.failures).toStrictEqual([{ code: 'unexpected' }])
  expect(desk.state().at?.materialId).toBe('a')
  expect(desk.state().decided).toStrictEqual([])
})

it('without a name nothing is decided, and the page stays', async () => {
  const desk = await aDesk()
  desk.wait(300)
  desk.name(false)
  await desk.state().approve()
  expect(desk.stored).toStrictEqual([])
  expect(desk.state().at?.materialId).toBe('a')
  desk.name(true)
  await desk.state().approve()
  expect(desk.stored.map(([id]) => id)).toStrictEqual(['a'])
})

it('after those of this visit, decisions of earlier ones are taken back, and can be made again', async () => {
  const desk = await aDesk()
  desk.wait(300)
  await desk.state().approve()
  await settled()
  const given = { decision: 'approved', by: 'Ida', at: '2026-11-28T10:00:00Z', reason: '', baseline: null } as const
  const before = { ...given, decision: 'changes_requested', reason: 'Name the quay' } as const
  desk.earlier.push({ site: 'press', materialId: 'b', versionId: 'b-2', given, before })
  await desk.state().undo()
  expect(desk.stored.at(-1)).toStrictEqual(['a', null])
  await desk.state().undo()
  await settled()
  expect(desk.stored.at(-1)).toStrictEqual(['b', { decision: 'changes_requested', reason: 'Name the quay' }])
  expect(desk.took.map(([id]) => id)).toStrictEqual(['b'])
  desk.took[0]?.[1]()
  await settled()
  expect(desk.stored.at(-1)).toStrictEqual(['b', { decision: 'approved', reason: '' }])
  await desk.state().undo()
  expect(desk.took.at(-1)?.[0]).toBe(null)
})

it('a page is published only once it was seen, its approval is stored, and an older one was asked about', async () => {
  const desk = await aDesk()
  await desk.state().approve({ isPublishing: true })
  expect(desk.stored).toStrictEqual([])
  desk.wait(300)
  await desk.arrive(aRow('a', 3))
  await desk.state().approve({ isPublishing: true })
  expect(desk.state()).toMatchObject({ isAskingOld: true, isPublishing: true })
  // Whoever changes their mind publishes nothing.
  desk.state().ask(true)
  desk.state().typeReason('Name the quay')
  await desk.state().requestChanges()
  expect(desk.published).toStrictEqual([])
  await settled()
  desk.wait(300)
  await desk.state().approve({ isPublishing: true })
  expect(desk.stored.at(-1)).toStrictEqual(['b', { decision: 'approved', reason: '' }])
  expect(desk.published).toStrictEqual(['b-2'])
  await settled()
  desk.wait(300)
  desk.fail()
  await desk.state().approve({ isPublishing: true })
  await settled()
  expect(desk.published).toStrictEqual(['b-2'])
})
