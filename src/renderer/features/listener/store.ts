import type { ListenerState } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { createStoreContext } from '../../context/provided.ts'

export interface ListenerView {
  /** Null until known. */
  readonly state: ListenerState | null
  load(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** The listener's actual state, read once and then pushed; a push during the read is newer than its answer. */
export function createListener(bridge: Bridge): StoreApi<ListenerView> {
  let pushes = 0
  const listener = createStore<ListenerView>()((set) => {
    const ask = async (name: 'listenerState' | 'startListener' | 'stopListener'): Promise<void> => {
      const before = pushes
      const state = await bridge.call(name, undefined).catch(() => null)
      if (pushes === before) set({ state })
    }
    return {
      state: null,
      load: () => ask('listenerState'),
      start: () => ask('startListener'),
      stop: () => ask('stopListener'),
    }
  })
  bridge.on('listenerState', (state) => {
    pushes += 1
    listener.setState({ state })
  })
  return listener
}

export const [useListener, provideListener] = createStoreContext<ListenerView>('listener')
