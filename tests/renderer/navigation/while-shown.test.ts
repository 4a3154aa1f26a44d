import { expect, it } from 'vitest'

import { createNavigation } from '../../../src/renderer/navigation/navigation.ts'
import { whileShown } from '../../../src/renderer/navigation/while-shown.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { emptyStorage } from '../support/services.ts'

it('a screen receives changes while it is shown, and missed ones as one event on return', () => {
  emptyStorage()
  const { bridge, push } = createFakeBridge(0)
  const navigation = createNavigation()
  const heard: (readonly string[])[] = []
  const stop = whileShown(bridge, navigation, ['delivery']).on('changed', ({ subjects }) => heard.push(subjects))
  push('changed', { subjects: ['callbacks', 'sites'] })
  push('changed', { subjects: ['callbacks', 'materials'] })
  expect(heard).toEqual([])
  navigation.getState().go({ screen: 'delivery', callbackId: null })
  expect(heard).toEqual([['callbacks', 'sites', 'materials']])
  push('changed', { subjects: ['rules'] })
  navigation.getState().choose({ screen: 'delivery', callbackId: 'c-1' })
  expect(heard.slice(1)).toEqual([['rules']])
  stop()
  push('changed', { subjects: ['rules'] })
  expect(heard).toHaveLength(2)
})

it('other events reach every screen', () => {
  emptyStorage()
  const { bridge, push } = createFakeBridge(0)
  const states: string[] = []
  whileShown(bridge, createNavigation(), ['delivery']).on('listenerState', ({ kind }) => states.push(kind))
  push('listenerState', { kind: 'stopped' })
  expect(states).toEqual(['stopped'])
})
