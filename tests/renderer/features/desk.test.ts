import { expect, it } from 'vitest'

import type { WantedVerdict } from '../../../packages/library/records/fields.ts'
import type { Bridge } from '../../../src/ipc/calls.ts'
import type { WaitingPage } from '../../../src/ipc/desk.ts'
import { createDesk, newerOf } from '../../../src/renderer/features/review/store.ts'
import { settled } from '../support/settled.ts'

const aRow = (materialId: string, number = 2): WaitingPage => ({
  site: 'press',
  materialId,
  title: materialId,
  before: `${materialId}-1`,
  after: `${materialId}-${number}`,
  number,
  since: '2026-11-29T12:00:00Z',
  by: 'anna@press.example',
})

/** A desk with three pages, on a clock that stands still, and the decisions that it stored. */
async function aDesk() {
  let rows = ['a', 'b', 'c'].map((id) => aRow(id))
  let nowMs = 0
  let isPainting = true
  let isBroken = false
  const waiting: (() => void)[] = []
  const stored: (readonly [string, WantedVerdict])[] = []
  const failures: unknown[] = []
  let tell = (): void => undefined
  let paint = (_event: { readonly versionId: string }): void => undefined
  const value = { unshown: [], hasScripts: false, compared: null, marks: [] }
  const answers: Readonly<Record<string, (input: never) => unknown>> = {
    waitingPages: () => rows,
    showDeskPage({ page: { after: versionId } }: { readonly page: { readonly after: string } }) {
      waiting.push(() => paint({ versionId }))
      if (isPainting) void settled().then(() => waiting.splice(0).at(-1)?.())
      return { ok: true, value }
    },
    setFields({
      of,
      set,
    }: {
      readonly of: readonly { readonly materialId: string }[]
      readonly set: { readonly verdict: WantedVerdict }
    }) {
      if (isBroken) return { ok: false, failure: { code: 'unexpected' } }
      const [one] = of
      stored.push([one?.materialId ?? '', set.verdict])
      rows =
        set.verdict === null
          ? [aRow(one?.materialId ?? ''), ...rows]
          : rows.filter((row) => row.materialId !== one?.materialId)
      tell()
      return { ok: true, value: null }
    },
  }
  const bridge = {
    call: (name: string, input: unknown) => Promise.resolve(answers[name]?.(input as never)),
    on(name: string, told: (event: unknown) => void) {
      if (name === 'changed') tell = () => told({ subjects: ['marks'] })
      if (name === 'deskPainted') paint = told
      return () => undefined
    },
  } as unknown as Bridge
  const desk = createDesk({ bridge, clock: () => nowMs, failed: (problem) => failures.push(problem) })
  desk.getState().show('press')
  await settled()
  await settled()
  return {
    state: () => desk.getState(),
    stored,
    failures,
    wait: (ms: number) => void (nowMs += ms),
    paint: (isOn: boolean) => {
      isPainting = isOn
      if (isOn) waiting.splice(0).at(-1)?.()
    },
    fail: () => void (isBroken = true),
    async arrive(row: WaitingPage) {
      rows = rows.map((each) => (each.materialId === row.materialId ? row : each))
      tell()
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
  await desk.state().approve(true)
  expect(desk.stored.map(([id]) => id)).toStrictEqual(['a'])
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
