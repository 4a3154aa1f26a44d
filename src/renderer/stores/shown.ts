import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { View } from '../bridge/answers.ts'
import { oneAtATime } from '../bridge/one-at-a-time.ts'

/** One thing that is shown, and what was read about it. */
export interface Shown<Of, Items> {
  /** null: nothing is shown. */
  readonly of: Of | null
  readonly view: View<Items>
  show(of: Of | null): void
  /** Reads it again. */
  load(): Promise<void>
}

/** Reads what is shown, and drops answers about what was shown before. `Of` is compared as JSON. */
export function createShown<Of, Items>(read: (of: Of) => Promise<View<Items>>): StoreApi<Shown<Of, Items>> {
  return createStore<Shown<Of, Items>>()((set, get) => {
    const isShown = (of: Of | null): boolean => JSON.stringify(get().of) === JSON.stringify(of)
    return {
      of: null,
      view: { kind: 'loading' },
      show(of) {
        if (isShown(of)) return
        set({ of, view: { kind: 'loading' } })
        void get().load()
      },
      load: oneAtATime(async () => {
        const { of } = get()
        if (of === null) return
        const view = await read(of)
        if (isShown(of)) set({ view })
      }),
    }
  })
}
