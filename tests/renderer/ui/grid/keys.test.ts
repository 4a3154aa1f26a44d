import { expect, test } from 'vitest'

import { commandOf } from '../../../../src/renderer/ui/grid/keys.ts'
import { pressed } from '../../support/pressed.ts'

const standing = { hasActiveRow: true, isAtTop: false, canSelect: true, hasSelection: false }

test('keys open the active row, preview it and show its menu', () => {
  expect(commandOf(pressed('Enter'), standing)).toBe('open')
  expect(commandOf(pressed(' '), standing)).toBe('preview')
  expect(commandOf(pressed('F10', { shiftKey: true }), standing)).toBe('menu')
  expect(commandOf(pressed('Enter'), { ...standing, hasActiveRow: false })).toBeNull()
})

test('select all uses the physical A key, and only where a selection is possible', () => {
  const all = pressed('ф', { code: 'KeyA', ctrlKey: true })
  expect(commandOf(all, standing)).toBe('selectAll')
  expect(commandOf(all, { ...standing, canSelect: false })).toBeNull()
  expect(commandOf(pressed(' ', { metaKey: true }), standing)).toBe('toggle')
})

test('Escape clears the selection while there is one', () => {
  expect(commandOf(pressed('Escape'), standing)).toBeNull()
  expect(commandOf(pressed('Escape'), { ...standing, hasSelection: true })).toBe('clear')
})

test('up from the first row goes to the header, but extending does not', () => {
  expect(commandOf(pressed('ArrowUp'), { ...standing, isAtTop: true })).toBe('header')
  expect(commandOf(pressed('ArrowUp', { shiftKey: true }), { ...standing, isAtTop: true })).toBeNull()
  expect(commandOf(pressed('ArrowUp'), standing)).toBeNull()
})

test('a grid ignores keys with Alt', () => {
  expect(commandOf(pressed('Enter', { altKey: true }), standing)).toBeNull()
})
