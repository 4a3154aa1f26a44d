import type { VersionRef } from '@galley/library/records'
import { createStore } from 'zustand'

import { createStoreContext } from '../context/provided.ts'

interface GoingBackState {
  /** The version that a person asks to go back to; null if nobody does. */
  readonly wanted: VersionRef | null
  ask(wanted: VersionRef | null): void
}

export const createGoingBack = () =>
  createStore<GoingBackState>()((set) => ({ wanted: null, ask: (wanted) => set({ wanted }) }))

export const [useGoingBack, provideGoingBack] = createStoreContext<GoingBackState>('going back')
