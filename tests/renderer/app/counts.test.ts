import { afterEach, expect, test, vi } from 'vitest'

import { createCounts } from '../../../src/renderer/app/state/counts.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { sampleData } from '../support/sample-data.ts'
import { createServices } from '../support/services.ts'
import { settled } from '../support/settled.ts'

afterEach(() => void vi.unstubAllGlobals())

test('a failed save counts as seen only once the window that lists it is in use', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible', hasFocus: () => hasFocus })
  const shownWindow = new EventTarget()
  let hasFocus = false
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', shownWindow)

  const fake = createFakeBridge(Date.parse('2026-11-21T12:00:00Z'), sampleData(0))
  const newest = { id: 'c1', receivedAt: '2026-11-21T12:00:00Z', materialId: 'post-1', title: 'One' }
  const seen: string[] = []
  Object.assign(fake.answers, {
    sectionCounts: () => ({ waiting: 0, materials: 1, snapshots: 0, failedSaves: { count: 2, unseen: 1, newest } }),
    lookAtFailedSaves: ({ site }: { site: string }) => void seen.push(site),
  })
  const { bridge, navigation } = createServices(fake.bridge)
  createCounts(bridge, navigation)
  navigation.getState().setSite('magazine')
  navigation.getState().goToSection('delivery')
  await settled()
  expect(seen).toEqual([])

  hasFocus = true
  shownWindow.dispatchEvent(new Event('focus'))
  await settled()
  expect(seen).toEqual(['magazine'])
})
