import { expect, it } from 'vitest'

import { sortAfterClick } from '../../../../src/renderer/ui/grid/column.ts'
import { indexOfKey, rowAfterKey } from '../../../../src/renderer/ui/grid/movement.ts'
import { createTypeAhead, rowStartingWith } from '../../../../src/renderer/ui/grid/use-grid-keys.ts'

it.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 29, 29],
  ['ArrowUp', 0, 0],
  ['PageDown', 3, 13],
  ['PageUp', 3, 0],
  ['Home', 7, 0],
  ['End', 7, 29],
  ['x', 7, null],
  ['toString', 7, null],
] as const)('%s in row %d of 30 leads to %s', (key, at, to) => expect(rowAfterKey(key, at, 30, 10)).toBe(to))

it('a row is found near its last index, in either direction, or not at all', () => {
  const keyAt = (index: number) => ['a', 'b', 'c', 'd'][index]
  expect(indexOfKey(keyAt, 4, 'd', 0)).toBe(3)
  expect(indexOfKey(keyAt, 4, 'a', 3)).toBe(0)
  expect(indexOfKey(keyAt, 4, 'x', 2)).toBeNull()
})

it('letters typed in quick succession form a word, and a pause starts another', () => {
  const typeAhead = createTypeAhead()
  expect(typeAhead('H', 0)).toBe('h')
  expect(typeAhead('a', 300)).toBe('ha')
  expect(typeAhead('b', 2000)).toBe('b')
})

it('a letter goes to the next matching row, wrapping around; a word stays on a matching row', () => {
  const names = ['Harbour', 'Bread', 'Boats', 'Tides']
  const at = (index: number) => names[index]
  expect(rowStartingWith(at, 4, 'b', 0)).toBe(1)
  expect(rowStartingWith(at, 4, 'b', 1)).toBe(2)
  expect(rowStartingWith(at, 4, 'b', 2)).toBe(1)
  expect(rowStartingWith(at, 4, 'bo', 2)).toBe(2)
  expect(rowStartingWith(at, 4, 'z', 2)).toBeNull()
})

it('a column sorts in its initial direction first, then in the opposite', () => {
  const first = sortAfterClick(null, { key: 'saved', sorts: 'desc' })
  expect(first).toEqual({ column: 'saved', direction: 'desc' })
  expect(sortAfterClick(first, { key: 'saved', sorts: 'desc' }).direction).toBe('asc')
  expect(sortAfterClick(first, { key: 'title', sorts: 'asc' })).toEqual({ column: 'title', direction: 'asc' })
})
