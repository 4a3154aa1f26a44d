import { expect, test } from 'vitest'

import { isKeyOfPage } from '../../src/ipc/review-window.ts'

const press = (key: string, code: string, isHeld = false) =>
  isKeyOfPage({ key, code, ctrlKey: isHeld, metaKey: false, altKey: false, shiftKey: false })

test('a page under review handles the keys for scrolling and copying, in every layout', () => {
  expect([
    press('PageDown', 'PageDown'),
    press('c', 'KeyC', true),
    press('с', 'KeyC', true),
    press('ф', 'KeyA', true),
  ]).toEqual([true, true, true, true])
  expect([press('c', 'KeyC'), press('s', 'KeyS', true), press('ы', 'KeyS', true), press('F6', 'F6')]).toEqual([
    false,
    false,
    false,
    false,
  ])
})
