import { expect, it } from 'vitest'

import { createNavigation, currentView } from '../../../src/renderer/navigation/navigation.ts'
import { keep } from '../../../src/renderer/ui/kept.ts'
import { emptyStorage } from '../support/services.ts'

const viewAfter = (kept: unknown) => {
  emptyStorage()
  keep('place', kept)
  return currentView(createNavigation().getState())
}

it('a window opens where it was closed', () => {
  const view = { screen: 'callbacks', callbackId: 'c-1' }
  expect(viewAfter({ site: 'acme', view })).toEqual(view)
})

it('a window that was closed on the exports screen of an earlier version opens on their tab', () => {
  const view = { screen: 'exports', exportId: 'e-1' }
  expect(viewAfter({ site: 'acme', view })).toEqual({ screen: 'publish', tab: 'exports', itemId: 'e-1' })
})
