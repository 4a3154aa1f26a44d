import { beforeEach, expect, test } from 'vitest'

import { fail, ok } from '../../../packages/wire/result.ts'
import type { OpenProblems } from '../../../src/ipc/health.ts'
import { createOpenProblems } from '../../../src/renderer/app/state/open-problems.ts'
import { checkTone } from '../../../src/renderer/domain/check-text.ts'
import { spaceLeft } from '../../../src/renderer/features/health/library-lines.tsx'
import { createHealth } from '../../../src/renderer/features/health/store.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { emptyStorage } from '../support/services.ts'
import { settled } from '../support/settled.ts'

beforeEach(() => void emptyStorage())

const nowMs = Date.parse('2026-11-21T12:00:00Z')

test('Health counts open problems, and reads them again after a check', async () => {
  const fake = createFakeBridge(nowMs)
  const one: OpenProblems = { count: 1, urgency: 'danger', sites: [] }
  const none: OpenProblems = { count: 0, urgency: null, sites: [] }
  let now = one
  fake.answers.openProblems = () => now
  const store = createOpenProblems(fake.bridge)
  await store.getState().load()
  expect(store.getState().problems).toEqual(one)

  now = none
  const task = { id: 'task-1', facts: {}, startedAt: new Date(nowMs).toISOString(), progress: null } as const
  const ended = { kind: 'done', at: new Date(nowMs).toISOString(), result: null } as const
  fake.push('taskChanged', { ...task, kind: 'libraryCheck', end: { kind: 'running' } } as never)
  await settled()
  expect(store.getState().problems).toEqual(one)
  fake.push('taskChanged', { ...task, kind: 'libraryCheck', end: ended } as never)
  await settled()
  expect(store.getState().problems).toEqual(none)

  // A listener that could not start is a problem too.
  now = one
  fake.push('listenerState', { kind: 'failed', code: 'EADDRINUSE' })
  await settled()
  expect(store.getState().problems).toEqual(one)

  // A fault of the call changes no count.
  fake.answers.openProblems = () => Promise.reject(new Error('gone'))
  await store.getState().load()
  expect(store.getState().problems).toEqual(one)
})

test('a state of the listener that is pushed while Health is read is not replaced by what was read', async () => {
  const fake = createFakeBridge(nowMs)
  const health = createHealth(fake.bridge)
  const answered = Promise.withResolvers<undefined>()
  fake.answers.readHealth = async () => {
    await answered.promise
    return { listener: { kind: 'stopping' } } as never
  }
  const loading = health.getState().load()
  fake.push('listenerState', { kind: 'stopped' })
  answered.resolve(undefined)
  await loading
  expect(health.getState().view).toMatchObject({ kind: 'ready', items: { listener: { kind: 'stopped' } } })
})

test('the reason why an index cannot be rebuilt is reported', async () => {
  const fake = createFakeBridge(nowMs)
  const health = createHealth(fake.bridge)
  const asked: string[] = []
  fake.answers.rebuildIndex = ({ from }) => {
    asked.push(from)
    return asked.length === 1 ? ok(null) : fail({ code: 'served_elsewhere' })
  }
  await health.getState().rebuild('index')
  expect(health.getState().failedAction).toBeNull()
  await health.getState().rebuild('log')
  expect(asked).toEqual(['index', 'log'])
  expect(health.getState().failedAction).toMatchObject({ what: 'rebuild', problem: { code: 'served_elsewhere' } })
})

test('a clock that could not be compared is neither a success nor a failure', () => {
  expect(checkTone({ ok: true, code: 'clock_unknown' })).toBe('neutral')
  expect(checkTone({ ok: true, code: 'clock_agrees' })).toBe('success')
  expect(checkTone({ ok: false, code: 'clock_off' })).toBe('danger')
})

test('a disk without a free byte is full, not almost full', () => {
  const disk = { totalBytes: 1024 ** 4, isLow: true }
  expect(spaceLeft({ ...disk, freeBytes: 0 })).toBe('full')
  expect(spaceLeft({ ...disk, freeBytes: 4096 })).toBe('low')
  expect(spaceLeft({ ...disk, freeBytes: 1024 ** 3, isLow: false })).toBe('fine')
})
