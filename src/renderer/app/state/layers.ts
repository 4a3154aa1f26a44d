import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { createStoreContext } from '../../context/provided.ts'

export type Layer = 'palette' | 'sheet' | 'tasks' | 'help' | 'about'

export interface Layers {
  /** The one floating layer of the window itself that is open. */
  readonly shown: Layer | null
  open(layer: Layer): void
  close(): void
}

/** Which layer of the window is open: one at a time. */
export const createLayers = (): StoreApi<Layers> =>
  createStore<Layers>()((set, get) => ({
    shown: null,
    // Asked for again, it closes: the key that brought it also takes it away.
    open: (layer) => set({ shown: get().shown === layer ? null : layer }),
    close: () => set({ shown: null }),
  }))

export const [useLayers, provideLayers, useLayersStore] = createStoreContext<Layers>('layers')
