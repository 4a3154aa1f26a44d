import { expect, test } from 'vitest'

import { displayNumber, hasOwnDisplay } from '../../scripts/runtime/display.ts'

test('the display number is read once its line is whole', () => {
  expect(displayNumber('')).toBe(null)
  expect(displayNumber('1')).toBe(null)
  expect(displayNumber('12\n')).toBe(12)
  expect(displayNumber('0\n')).toBe(0)
})

test('anything but a number is no display', () => {
  expect(displayNumber('error\n')).toBe(null)
})

test('on Linux, the display is the one in the environment', () => {
  expect(hasOwnDisplay({}, 'linux')).toBe(false)
  expect(hasOwnDisplay({ DISPLAY: '' }, 'linux')).toBe(false)
  expect(hasOwnDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true)
  expect(hasOwnDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true)
})

test('macOS and Windows always have one', () => {
  expect(hasOwnDisplay({}, 'darwin')).toBe(true)
  expect(hasOwnDisplay({}, 'win32')).toBe(true)
})
