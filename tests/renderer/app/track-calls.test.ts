import { expect, it, onTestFinished, vi } from 'vitest'

import type { Bridge } from '../../../src/ipc/calls.ts'
import { trackCalls } from '../../../src/renderer/app/track-calls.ts'
import { settled } from '../support/settled.ts'

it('waits for all earlier calls to settle, but not for later ones', async () => {
  const open: { answer: () => void; refuse: () => void }[] = []
  const call = () =>
    new Promise<never>((resolve, reject) =>
      open.push({ answer: () => resolve(null as never), refuse: () => reject(new Error('no')) }),
    )
  const { bridge, callsSettled } = trackCalls({ call, on: () => () => undefined } satisfies Bridge)
  void bridge.call('listSites', undefined)
  void bridge.call('listTasks', undefined).catch(() => null)
  let isAnswered = false
  const waiting = callsSettled(10_000).then(() => (isAnswered = true))
  void bridge.call('readSettings', undefined)
  open[0]?.answer()
  await settled()
  expect(isAnswered).toBe(false)
  open[1]?.refuse()
  await waiting
})

it('stops waiting after the limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const never = () => new Promise<never>(() => undefined)
  const { bridge, callsSettled } = trackCalls({ call: never, on: () => () => undefined } satisfies Bridge)
  void bridge.call('listSites', undefined)
  const waiting = callsSettled(250)
  vi.advanceTimersByTime(250)
  await waiting
  const { callsSettled: atOnce } = trackCalls({ call: never, on: () => () => undefined } satisfies Bridge)
  await atOnce(250)
  expect(vi.getTimerCount()).toBe(0)
})
