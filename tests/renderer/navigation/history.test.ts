import fc from 'fast-check'
import { expect, it } from 'vitest'

import {
  withSelection,
  historyAt,
  lastIn,
  lastOfTab,
  currentEntry,
  stepped,
  visited,
} from '../../../src/renderer/navigation/history.ts'
import type { HistoryEntry } from '../../../src/renderer/navigation/history.ts'
import { initialTab, initialViewOf } from '../../../src/renderer/navigation/view.ts'

const inMaterials = (materialId: string | null): HistoryEntry => ({
  site: 'a',
  view: { screen: 'materials', materialId },
})
const health: HistoryEntry = { site: 'a', view: { screen: 'health' } }

it('back returns to the previous place with its selection', () => {
  const history = visited(withSelection(historyAt(inMaterials(null)), inMaterials('quay').view), health)
  expect(currentEntry(history)).toEqual(health)
  expect(currentEntry(stepped(history, -1))).toEqual(inMaterials('quay'))
})

it('a section reopens with its last view, separately for each site', () => {
  const history = visited(historyAt(inMaterials('quay')), health)
  expect(lastIn(history, 'a', 'materials')).toEqual(inMaterials('quay').view)
  expect(lastIn(history, 'b', 'materials')).toEqual(initialViewOf('materials'))
})

it('a tab of the publish section reopens with its selection', () => {
  const onExport: HistoryEntry = { site: 'a', view: { screen: 'publish', tab: 'exports', itemId: 'e-1' } }
  const history = visited(historyAt(onExport), health)
  expect(lastOfTab(history, 'a', 'exports')).toEqual(onExport.view)
  expect(lastOfTab(history, 'b', 'exports')).toEqual(initialTab('exports'))
})

it('any navigation stays inside the history, and a step back undoes a visit', () => {
  const step = fc.constantFrom('back', 'forward', 'visit')
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      let history = historyAt(inMaterials(null))
      for (const [at, name] of steps.entries()) {
        const before = currentEntry(history)
        if (name === 'visit') {
          history = visited(history, inMaterials(String(at)))
          expect(currentEntry(stepped(history, -1))).toEqual(before)
        } else history = stepped(history, name === 'back' ? -1 : 1)
        expect(history.at).toBeGreaterThanOrEqual(0)
        expect(history.at).toBeLessThan(history.entries.length)
        expect(history.entries.length).toBeLessThanOrEqual(100)
      }
    }),
  )
})
