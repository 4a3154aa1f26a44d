import { expect, it } from 'vitest'

import { createNavigation, currentView } from '../../../src/renderer/navigation/navigation.ts'
import { keep } from '../../../src/renderer/ui/kept.ts'
import { emptyStorage } from '../support/services.ts'

const viewAfter = (kept: unknown) => {
  emptyStorage()
  keep('location', kept)
  return currentView(createNavigation().getState())
}

it('a window opens where it was closed', () => {
  const view = { screen: 'delivery', callbackId: 'c-1' }
  expect(viewAfter({ site: 'acme', view })).toEqual(view)
})
