import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { Bridge } from '../../../contract/ipc/calls.ts'
import type { CallbackRow } from '../../../contract/ipc/callbacks.ts'

/** How long arrivals count as one: a page saved with its fonts is one sentence. */
export const gatherMs = 400

export interface Arrivals {
  /** What arrived last and together, newest first. */
  readonly arrived: readonly CallbackRow[]
}

/** What reaches the listener of this window, for the status bar and for screen readers. */
export function createArrivals(bridge: Bridge): UseBoundStore<StoreApi<Arrivals>> {
  const useArrivals = create<Arrivals>()(() => ({ arrived: [] }))
  let gathered: readonly CallbackRow[] = []
  bridge.on('callbackArrived', (row) => {
    if (gathered.length === 0) {
      setTimeout(() => {
        useArrivals.setState({ arrived: gathered })
        gathered = []
      }, gatherMs)
    }
    gathered = [row, ...gathered]
  })
  return useArrivals
}
