import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { createStoreContext } from '../../context/provided.ts'

export type Layer = 'palette' | 'sheet' | 'tasks' | 'help' | 'about' | 'report' | 'move'

export interface Layers {
  /** The open window-level overlay. */
  readonly shown: Layer | null
  open(layer: Layer): void
  close(): void
}

/** Tracks the open overlay; only one is open at a time. */
export const createLayers = (): StoreApi<Layers> =>
  createStore<Layers>()((set, get) => ({
    shown: null,
    // Toggles: the same shortcut opens and closes it.
    open: (layer) => set({ shown: get().shown === layer ? null : layer }),
    close: () => set({ shown: null }),
  }))

export const [useLayers, provideLayers, useLayersStore] = createStoreContext<Layers>('layers')
