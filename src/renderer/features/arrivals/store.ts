import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { CallbackRow } from '../../../contract/ipc/callbacks.ts'
import type { Bridge } from '../../../contract/ipc/calls.ts'
import { createStoreContext } from '../../context/provided.ts'

/** Callbacks within this time count as one: a page saved with its fonts is one sentence. */
export const gatherMs = 400

export interface Arrivals {
  /** The latest group of callbacks, newest first. */
  readonly arrived: readonly CallbackRow[]
}

/** Groups incoming callbacks for the status bar and screen readers. */
export function createArrivals(bridge: Bridge): StoreApi<Arrivals> {
  const arrivals = createStore<Arrivals>()(() => ({ arrived: [] }))
  let gathered: readonly CallbackRow[] = []
  bridge.on('callbackArrived', (row) => {
    if (gathered.length === 0) {
      setTimeout(() => {
        arrivals.setState({ arrived: gathered })
        gathered = []
      }, gatherMs)
    }
    gathered = [row, ...gathered]
  })
  return arrivals
}

export const [useArrivals, provideArrivals] = createStoreContext<Arrivals>('arrivals')
