import { expect, it, onTestFinished, vi } from 'vitest'

import type { Bridge } from '../../../src/contract/ipc/calls.ts'
import { overhear } from '../../../src/renderer/app/overhear.ts'
import { settled } from '../support/settled.ts'

it('waits for every call that was made, whatever its answer is, and for none that comes later', async () => {
  const open: { answer: () => void; refuse: () => void }[] = []
  const call = () =>
    new Promise<never>((resolve, reject) =>
      open.push({ answer: () => resolve(null as never), refuse: () => reject(new Error('no')) }),
    )
  const { bridge, answered } = overhear({ call, on: () => () => undefined } satisfies Bridge)
  void bridge.call('listSites', undefined)
  void bridge.call('listTasks', undefined).catch(() => null)
  let isAnswered = false
  const waiting = answered(10_000).then(() => (isAnswered = true))
  void bridge.call('readSettings', undefined)
  open[0]?.answer()
  await settled()
  expect(isAnswered).toBe(false)
  open[1]?.refuse()
  await waiting
})

it('waits for an answer that does not come no longer than it may', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const never = () => new Promise<never>(() => undefined)
  const { bridge, answered } = overhear({ call: never, on: () => () => undefined } satisfies Bridge)
  void bridge.call('listSites', undefined)
  const waiting = answered(250)
  vi.advanceTimersByTime(250)
  await waiting
  const { answered: atOnce } = overhear({ call: never, on: () => () => undefined } satisfies Bridge)
  await atOnce(250)
  expect(vi.getTimerCount()).toBe(0)
})
