import type { CallbackRow } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { createStoreContext } from '../../context/provided.ts'

/** Callbacks within this time count as one: a page saved with its fonts is one sentence. */
export const groupingMs = 400

export interface Arrivals {
  /** The latest group of callbacks, newest first. */
  readonly latest: readonly CallbackRow[]
}

/** Groups incoming callbacks for the status bar and screen readers. */
export function createArrivals(bridge: Bridge): StoreApi<Arrivals> {
  const arrivals = createStore<Arrivals>()(() => ({ latest: [] }))
  let pending: readonly CallbackRow[] = []
  bridge.on('callbackArrived', (row) => {
    if (pending.length === 0) {
      setTimeout(() => {
        arrivals.setState({ latest: pending })
        pending = []
      }, groupingMs)
    }
    pending = [row, ...pending]
  })
  return arrivals
}

export const [useArrivals, provideArrivals] = createStoreContext<Arrivals>('arrivals')
