import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { CallbackRecord } from '../../../packages/library/records/callback-record.ts'
import { defaultSettings } from '../../../packages/library/views/settings.ts'
import { createNotices, batchMs } from '../../../src/main/shell/notices.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { aCallback, refusedOver } from '../../renderer/support/sample-data.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function someNotices(over: { isWatched?: boolean; preferences?: Partial<typeof defaultSettings.notifications> } = {}) {
  const shown: string[] = []
  const notices = createNotices({
    t: () => createTexts('en').getFixedT('en', 'system'),
    preferences: () => ({ ...defaultSettings.notifications, ...over.preferences }),
    isWatched: () => over.isWatched ?? false,
    nameOf: ({ materialId }) => materialId ?? '',
    show: ({ title, body }) => shown.push(`${title} | ${body}`),
  })
  return { notices, shown }
}

const saved = (id: number, materialId: string): CallbackRecord => aCallback(0, id, 0, { materialId })

it('one save is announced by name, a burst in one notification', () => {
  const { notices, shown } = someNotices()
  notices.arrived(saved(1, 'quay'))
  vi.advanceTimersByTime(batchMs)
  notices.arrived(saved(2, 'quay'))
  notices.arrived(saved(3, 'pier'))
  vi.advanceTimersByTime(batchMs)
  expect(shown).toEqual(['Saved | quay', '2 saves received | Latest: pier.'])
})

it('nothing is announced while the window has the focus, for duplicates, or if notifications are off', () => {
  const all = [someNotices({ isWatched: true }), someNotices({ preferences: { saves: false, failures: false } })]
  for (const { notices, shown } of all) {
    notices.arrived(saved(1, 'quay'))
    notices.arrived(aCallback(0, 2, 0, { outcome: 'failed', rc: 0 }))
    vi.advanceTimersByTime(batchMs)
    expect(shown).toEqual([])
  }
  const { notices, shown } = someNotices()
  notices.arrived(aCallback(0, 1, 0, { outcome: 'duplicate' }))
  vi.advanceTimersByTime(batchMs)
  expect(shown).toEqual([])
})

it('a signed save that was refused is announced at once; unsigned attempts are not', () => {
  const { notices, shown } = someNotices()
  notices.arrived(aCallback(0, 1, 0, { outcome: 'failed', rc: 0 }))
  notices.arrived(aCallback(0, 2, 0, refusedOver))
  expect(shown).toEqual(['A save was not stored | slow-trains'])
})
