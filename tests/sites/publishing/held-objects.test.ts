import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'

import { createHeldObjects } from '../../../packages/sites/publishing/held-objects.ts'

test('an unused object is deleted when its last holder releases it, and not before', async () => {
  const held = createHeldObjects()
  const removed: string[] = []
  const remove = (who: string) => () => Promise.resolve(void removed.push(who))
  await held.hold('a')
  await held.hold('a')
  await held.release('a', true, remove('first'))
  expect(removed).toEqual([])
  await held.release('a', false, remove('second'))
  expect(removed).toEqual(['second'])
  await held.hold('a')
  await held.release('a', false, remove('third'))
  expect(removed).toEqual(['second'])
})

test('a holder that arrives while an object is being deleted waits until it is deleted', async () => {
  const held = createHeldObjects()
  const deletion = Promise.withResolvers<void>()
  let isHeld = false
  await held.hold('a')
  const released = held.release('a', true, () => deletion.promise)
  const holding = held.hold('a').then(() => (isHeld = true))
  await nextTurn()
  expect(isHeld).toBe(false)
  deletion.resolve()
  await Promise.all([released, holding])
  let isRemoved = false
  await held.release('a', false, () => Promise.resolve(void (isRemoved = true)))
  expect(isRemoved, 'the new holder starts afresh').toBe(false)
})
