import { expect, it } from 'vitest'

import { createNavigation, followOn } from '../../../src/renderer/navigation/navigation.ts'
import { emptyStorage } from '../support/services.ts'

it('a screen receives its site and view only while it is shown', () => {
  emptyStorage()
  const navigation = createNavigation()
  const heard: unknown[] = []
  followOn(navigation, ['delivery'], (site, { callbackId }) => heard.push([site, callbackId]))
  navigation.getState().setSite('one')
  expect(heard).toEqual([])
  navigation.getState().go({ screen: 'delivery', callbackId: null })
  navigation.getState().choose({ screen: 'delivery', callbackId: 'c-1' })
  navigation.getState().go({ screen: 'fonts', snapshotId: null })
  navigation.getState().setSite('two')
  expect(heard).toEqual([
    ['one', null],
    ['one', 'c-1'],
  ])
})
