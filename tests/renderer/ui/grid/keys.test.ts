import { expect, test } from 'vitest'

import { commandOf } from '../../../../src/renderer/ui/grid/use-grid-keys.ts'
import { pressed } from '../../support/pressed.ts'

const state = { hasActiveRow: true, isAtTop: false, canSelect: true, hasSelection: false }

test('keys open the active row, preview it and show its menu', () => {
  expect(commandOf(pressed('Enter'), state)).toBe('open')
  expect(commandOf(pressed(' '), state)).toBe('preview')
  expect(commandOf(pressed('F10', { shiftKey: true }), state)).toBe('menu')
  expect(commandOf(pressed('Enter'), { ...state, hasActiveRow: false })).toBeNull()
})

test('select all uses the physical A key, and only where a selection is possible', () => {
  const all = pressed('ф', { code: 'KeyA', ctrlKey: true })
  expect(commandOf(all, state)).toBe('selectAll')
  expect(commandOf(all, { ...state, canSelect: false })).toBeNull()
  expect(commandOf(pressed(' ', { metaKey: true }), state)).toBe('toggle')
})

test('Escape clears the selection while there is one', () => {
  expect(commandOf(pressed('Escape'), state)).toBeNull()
  expect(commandOf(pressed('Escape'), { ...state, hasSelection: true })).toBe('clear')
})

test('up from the first row goes to the header, but extending does not', () => {
  expect(commandOf(pressed('ArrowUp'), { ...state, isAtTop: true })).toBe('header')
  expect(commandOf(pressed('ArrowUp', { shiftKey: true }), { ...state, isAtTop: true })).toBeNull()
  expect(commandOf(pressed('ArrowUp'), state)).toBeNull()
})

test('a grid ignores keys with Alt', () => {
  expect(commandOf(pressed('Enter', { altKey: true }), state)).toBeNull()
})
