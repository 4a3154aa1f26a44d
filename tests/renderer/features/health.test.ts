import { expect, test } from 'vitest'

import { fail, ok } from '../../../src/contract/result.ts'
import { createLibraryMark } from '../../../src/renderer/app/state/library-mark.ts'
import type { LibraryMark } from '../../../src/renderer/app/state/library-mark.ts'
import { checkTone } from '../../../src/renderer/domain/check-text.ts'
import { createHealth } from '../../../src/renderer/features/health/store.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { settled } from '../support/settled.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')

test('Health is marked while the library needs attention, and reloads after a check', async () => {
  const fake = createFakeBridge(nowMs)
  let needsCare: LibraryMark['needsCare'] = 'danger'
  fake.answers.libraryNeedsCare = () => needsCare
  const libraryMark = createLibraryMark(fake.bridge)
  await libraryMark.getState().load()
  expect(libraryMark.getState().needsCare).toBe('danger')

  needsCare = null
  const task = { id: 'task-1', facts: {}, startedAt: new Date(nowMs).toISOString(), progress: null } as const
  const ended = { kind: 'done', at: new Date(nowMs).toISOString(), result: null } as const
  fake.push('taskChanged', { ...task, kind: 'libraryCheck', end: { kind: 'running' } } as never)
  await settled()
  expect(libraryMark.getState().needsCare).toBe('danger')
  fake.push('taskChanged', { ...task, kind: 'libraryCheck', end: ended } as never)
  await settled()
  expect(libraryMark.getState().needsCare).toBeNull()

  // A fault of the call removes no mark.
  libraryMark.setState({ needsCare: 'danger' })
  fake.answers.libraryNeedsCare = () => Promise.reject(new Error('gone'))
  await libraryMark.getState().load()
  expect(libraryMark.getState().needsCare).toBe('danger')
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
