import fc from 'fast-check'
import { expect, it } from 'vitest'

import { ariaKeys, commandsFor, isPressed, shortcutOf, displayKeys } from '../../../src/renderer/commands/keys.ts'
import { pressed } from '../support/pressed.ts'

it.each([
  ['Mod+1', pressed('1', { ctrlKey: true }), false, true],
  ['Mod+1', pressed('1', { ctrlKey: true }), true, false],
  ['Mod+1', pressed('1', { metaKey: true }), true, true],
  ['Mod+F', pressed('F', { ctrlKey: true, shiftKey: true }), false, false],
  ['Mod+Shift+F', pressed('F', { ctrlKey: true, shiftKey: true }), false, true],
  ['Mod+F', pressed('f', { ctrlKey: true, altKey: true }), false, false],
  ['?', pressed('?', { shiftKey: true }), false, true],
  ['Alt+ArrowLeft', pressed('ArrowLeft', { altKey: true }), false, true],
  ['Shift+F6', pressed('F6', { shiftKey: true }), false, true],
  ['F6', pressed('F6', { shiftKey: true }), false, false],
])('%s and %j on macOS %s: %s', (shortcut, event, onMac, is) => expect(isPressed(shortcut, event, onMac)).toBe(is))

it('shortcuts match the physical key, not the letter of the layout', () => {
  expect(isPressed('Mod+K', pressed('л', { code: 'KeyK', ctrlKey: true }), false)).toBe(true)
  expect(isPressed('Mod+1', pressed('&', { code: 'Digit1', ctrlKey: true }), false)).toBe(true)
  // On a Dvorak layout, the letter counts more than its position.
  expect(isPressed('Mod+K', pressed('k', { code: 'KeyV', ctrlKey: true }), false)).toBe(true)
})

it('keys without modifiers are commands only outside text fields', () => {
  expect(commandsFor(pressed('?', { shiftKey: true }), {}, false, false)).toStrictEqual(['sheet.open'])
  expect(commandsFor(pressed('?', { shiftKey: true }), {}, false, true)).toStrictEqual([])
  expect(commandsFor(pressed('k', { ctrlKey: true }), {}, false, true)).toStrictEqual(['palette.open'])
  expect(commandsFor(pressed('F6'), {}, false, true)).toStrictEqual(['pane.next'])
})

it('custom keys replace the defaults, and an empty list turns a command off', () => {
  const chosen = { 'palette.open': ['Mod+J'], 'sheet.open': [] }
  expect(commandsFor(pressed('j', { ctrlKey: true }), chosen, false, false)).toStrictEqual(['palette.open'])
  expect(commandsFor(pressed('k', { ctrlKey: true }), chosen, false, false)).toStrictEqual([])
  expect(commandsFor(pressed('?', { shiftKey: true }), chosen, false, false)).toStrictEqual([])
})

it('shortcuts are shown as labelled on the keyboard', () => {
  expect(displayKeys('Mod+Shift+F', false)).toBe('Ctrl+Shift+F')
  expect(displayKeys('Mod+Shift+F', true)).toBe('⌘⇧F')
  expect(displayKeys('Alt+ArrowLeft', false)).toBe('Alt+←')
  expect(ariaKeys('Mod+K', false)).toBe('Control+K')
})

it('a recorded shortcut matches the keys that were pressed', () => {
  const keys = fc.constantFrom('k', 'K', '1', 'F5', 'ArrowLeft', '?', 'Enter', ',')
  const held = fc.record({ ctrlKey: fc.boolean(), metaKey: fc.boolean(), altKey: fc.boolean(), shiftKey: fc.boolean() })
  fc.assert(
    fc.property(keys, held, fc.boolean(), (key, modifiers, onMac) => {
      const event = pressed(key, modifiers)
      const shortcut = shortcutOf(event, onMac)
      expect(shortcut !== null && isPressed(shortcut, event, onMac)).toBe(true)
    }),
  )
})

it.each([
  [{ key: 'J', code: 'KeyJ', ctrlKey: true, shiftKey: true }, 'Mod+Shift+J'],
  [{ key: 'о', code: 'KeyJ', ctrlKey: true }, 'Mod+J'],
  [{ key: '?', code: 'Slash', shiftKey: true }, '?'],
  [{ key: 'Shift', code: 'ShiftLeft', shiftKey: true }, null],
  [{ key: ' ', code: 'Space' }, null],
])('keys pressed as %j are written %j', (event, written) => {
  expect(shortcutOf(pressed(event.key, event), false)).toBe(written)
})
