import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { CallbackRow } from '../../../packages/library/views/callbacks.ts'
import { arrivalText } from '../../../src/renderer/features/arrivals/last-arrival.tsx'
import { createArrivals, groupingMs } from '../../../src/renderer/features/arrivals/store.ts'
import { formatsIn } from '../../../src/renderer/i18n/formats.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const aRow = (over: Partial<CallbackRow> = {}): CallbackRow =>
  ({
    id: 'c1',
    kind: 'article_saved',
    materialId: 'slow-trains',
    materialTitle: 'Slow trains',
    outcome: 'stored',
    receivedAt: '2026-11-21T12:00:00Z',
    ...over,
  }) as CallbackRow

const told = (...arrived: readonly CallbackRow[]) =>
  arrivalText(arrived, createTexts('en').getFixedT('en', 'callbacks'), formatsIn('en').clock)

it('one callback is named with its outcome, several are counted', () => {
  expect(told()).toBe('')
  expect(told(aRow())).toMatch(/^Stored: Slow trains, \d\d:\d\d:\d\d$/)
  expect(told(aRow({ materialTitle: null, outcome: 'rejected' }))).toMatch(/^Rejected: slow-trains, /)
  expect(told(aRow({ kind: 'site_fonts_updated' }))).toMatch(/^Stored: fonts, /)
  expect(told(aRow(), aRow())).toBe('2 callbacks arrived')
})

it('callbacks that arrive together form one group, and the next one starts a new group', () => {
  const fake = createFakeBridge(0)
  const arrivals = createArrivals(fake.bridge)
  fake.push('callbackArrived', aRow({ outcome: 'stored' }))
  fake.push('callbackArrived', aRow({ kind: 'site_fonts_updated' }))
  expect(arrivals.getState().latest).toEqual([])
  vi.advanceTimersByTime(groupingMs)
  expect(arrivals.getState().latest.map(({ kind }) => kind)).toEqual(['site_fonts_updated', 'article_saved'])
  fake.push('callbackArrived', aRow())
  vi.advanceTimersByTime(groupingMs)
  expect(arrivals.getState().latest).toHaveLength(1)
})
