import fc from 'fast-check'
import { expect, it } from 'vitest'

import {
  atList,
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
const delivery: HistoryEntry = { site: 'a', view: { screen: 'delivery', callbackId: null } }

it('back returns to the previous place with its selection', () => {
  const history = visited(withSelection(historyAt(inMaterials(null)), inMaterials('quay').view), delivery)
  expect(currentEntry(history)).toEqual(delivery)
  expect(currentEntry(stepped(history, -1))).toEqual(inMaterials('quay'))
})

it('the list of a material adds no step: back leads to where one was before', () => {
  const material: HistoryEntry = { site: 'a', view: { screen: 'material', materialId: 'quay', versionId: null } }
  const fromList = atList(visited(visited(historyAt(delivery), inMaterials('quay')), material))
  expect(currentEntry(fromList)).toEqual(inMaterials('quay'))
  expect(currentEntry(stepped(fromList, -1))).toEqual(delivery)
  const fromElsewhere = atList(visited(historyAt(delivery), material))
  expect(currentEntry(fromElsewhere)).toEqual(inMaterials('quay'))
  expect(currentEntry(stepped(fromElsewhere, -1))).toEqual(delivery)
  expect(atList(fromElsewhere)).toBe(fromElsewhere)
  expect(visited(fromElsewhere, inMaterials('quay'))).toBe(fromElsewhere)
})

it('a section reopens with its last view, separately for each site', () => {
  const history = visited(historyAt(inMaterials('quay')), delivery)
  expect(lastIn(history, 'a', 'materials')).toEqual(inMaterials('quay').view)
  expect(lastIn(history, 'b', 'materials')).toEqual(initialViewOf('materials'))
})

it('a tab of the publish section reopens with its selection', () => {
  const onExport: HistoryEntry = { site: 'a', view: { screen: 'publish', tab: 'exports', itemId: 'e-1' } }
  const history = visited(historyAt(onExport), delivery)
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
