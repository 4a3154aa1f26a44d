import { expect, test } from 'vitest'

import { zoomLevelFor } from '../../../src/main/review-window/zoom-keys.ts'

const pressed = (key: string, code: string, over: Partial<Parameters<typeof zoomLevelFor>[0]> = {}) => ({
  key,
  code,
  ctrlKey: true,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...over,
})

test.each([
  ['=', 'Equal', 1.5],
  ['+', 'Equal', 1.5],
  ['+', 'NumpadAdd', 1.5],
  ['-', 'Minus', 0.5],
  ['-', 'NumpadSubtract', 0.5],
  ['0', 'Digit0', 0],
  ['à', 'Digit0', 0],
])('Ctrl and %s of %s', (key, code, level) => {
  expect(zoomLevelFor(pressed(key, code), 1)).toBe(level)
  expect(zoomLevelFor(pressed(key, code, { ctrlKey: false, metaKey: true }), 1), 'Cmd').toBe(level)
  expect(zoomLevelFor(pressed(key, code, { ctrlKey: false }), 1), 'alone').toBeNull()
  expect(zoomLevelFor(pressed(key, code, { altKey: true }), 1), 'AltGr').toBeNull()
})

test('other keys do not zoom', () => {
  expect(zoomLevelFor(pressed('w', 'KeyW'), 1)).toBeNull()
})
