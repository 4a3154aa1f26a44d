import { expect, it } from 'vitest'

import { openingBounds } from '../../../src/main/shell/window-bounds.ts'

const screen = { x: 0, y: 0, width: 1920, height: 1080 }
const second = { x: 1920, y: 0, width: 1280, height: 1024 }
const stood = { x: 2000, y: 40, width: 1100, height: 700 }

it('opens at its last position, also on the second display', () => {
  expect(openingBounds(stood, [screen, second])).toEqual(stood)
})

it('opens in its default size without a last position, or if the display is gone', () => {
  expect(openingBounds(null, [screen])).toEqual({ width: 1280, height: 800 })
  expect(openingBounds(stood, [screen])).toEqual({ width: 1280, height: 800 })
  expect(openingBounds({ ...stood, x: 100, y: -400 }, [screen])).toEqual({ width: 1280, height: 800 })
})

it('fits on a display that became smaller', () => {
  const small = { x: 0, y: 0, width: 1024, height: 600 }
  expect(openingBounds({ x: 0, y: 0, width: 1900, height: 1000 }, [small])).toMatchObject({ width: 1024, height: 600 })
})
