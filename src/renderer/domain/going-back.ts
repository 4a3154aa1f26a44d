import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { createStore } from 'zustand'

import { createStoreContext } from '../context/provided.ts'

/** A version that a person wants back. */
export interface WantedBack {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly versionId: VersionId
}

interface GoingBackState {
  /** Null: nobody asks. */
  readonly wanted: WantedBack | null
  ask(wanted: WantedBack | null): void
}

export const createGoingBack = () =>
  createStore<GoingBackState>()((set) => ({ wanted: null, ask: (wanted) => set({ wanted }) }))

export const [useGoingBack, provideGoingBack] = createStoreContext<GoingBackState>('going back')
