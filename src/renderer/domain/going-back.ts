import type { VersionRef } from '@galley/library/records'
import { createStore } from 'zustand'

import { createStoreContext } from '../context/provided.ts'

interface GoingBackState {
  /** A version that a person wants back. Null: nobody asks. */
  readonly wanted: VersionRef | null
  ask(wanted: VersionRef | null): void
}

export const createGoingBack = () =>
  createStore<GoingBackState>()((set) => ({ wanted: null, ask: (wanted) => set({ wanted }) }))

export const [useGoingBack, provideGoingBack] = createStoreContext<GoingBackState>('going back')
