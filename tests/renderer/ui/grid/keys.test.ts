import { expect, test } from 'vitest'

import { commandOf } from '../../../../src/renderer/ui/grid/keys.ts'
import { pressed } from '../../support/pressed.ts'

const standing = { hasActiveRow: true, isAtTop: false, canSelect: true, hasSelection: false }

test('the active row is opened, looked at and asked for its menu', () => {
  expect(commandOf(pressed('Enter'), standing)).toBe('open')
  expect(commandOf(pressed(' '), standing)).toBe('look')
  expect(commandOf(pressed('F10', { shiftKey: true }), standing)).toBe('menu')
  expect(commandOf(pressed('Enter'), { ...standing, hasActiveRow: false })).toBeNull()
})

test('all is selected by the place of A, whatever letter is on it, and only where a selection is possible', () => {
  const all = pressed('ф', { code: 'KeyA', ctrlKey: true })
  expect(commandOf(all, standing)).toBe('selectAll')
  expect(commandOf(all, { ...standing, canSelect: false })).toBeNull()
  expect(commandOf(pressed(' ', { metaKey: true }), standing)).toBe('toggle')
})

test('Escape is for the selection as long as there is one', () => {
  expect(commandOf(pressed('Escape'), standing)).toBeNull()
  expect(commandOf(pressed('Escape'), { ...standing, hasSelection: true })).toBe('clear')
})

test('from the first row, up leads into the header; extending stays below it', () => {
  expect(commandOf(pressed('ArrowUp'), { ...standing, isAtTop: true })).toBe('header')
  expect(commandOf(pressed('ArrowUp', { shiftKey: true }), { ...standing, isAtTop: true })).toBeNull()
  expect(commandOf(pressed('ArrowUp'), standing)).toBeNull()
})

test('a grid ignores keys with Alt', () => {
  expect(commandOf(pressed('Enter', { altKey: true }), standing)).toBeNull()
})
