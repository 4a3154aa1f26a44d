import { bothChanges } from '@galley/library/records'

import type { Bridge, Change } from '../../ipc/calls.ts'
import { currentView } from './navigation.ts'
import type { NavigationStore } from './navigation.ts'
import type { ScreenName } from './view.ts'

type ChangeListener = (event: Change) => void

/**
 * A bridge that defers change events while none of these screens is shown, and delivers them on return: any save may
 * change any row, and a hidden screen should not reload for it.
 */
export function whileShown(bridge: Bridge, navigation: NavigationStore, screens: readonly ScreenName[]): Bridge {
  const isShown = (): boolean => screens.includes(currentView(navigation.getState()).screen)
  const listeners = new Set<ChangeListener>()
  let missed: Change | null = null
  const tell = (): void => {
    if (missed === null || !isShown()) return
    const event = missed
    missed = null
    for (const listener of listeners) listener(event)
  }
  bridge.on('changed', (change) => {
    missed = missed === null ? change : bothChanges(missed, change)
    tell()
  })
  navigation.subscribe(tell)
  return {
    call: bridge.call,
    on: (name, listener) => {
      if (name !== 'changed') return bridge.on(name, listener)
      // The event name determines the listener's type; TypeScript cannot follow that.
      const changeListener = listener as ChangeListener
      listeners.add(changeListener)
      return () => void listeners.delete(changeListener)
    },
  }
}
