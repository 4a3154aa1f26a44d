import { expect, test } from 'vitest'

import { isKeyOfPage } from '../../../src/contract/ipc/review-window.ts'

const press = (key: string, code: string, isHeld = false) =>
  isKeyOfPage({ key, code, ctrlKey: isHeld, metaKey: false, altKey: false, shiftKey: false })

test('a page under review keeps the keys that scroll it and copy from it, in every layout', () => {
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
