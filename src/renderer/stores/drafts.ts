import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { createStoreContext } from '../context/provided.ts'

/** The typed fields of every form whose input survives leaving its screen, by form and subject: `rules harbour`. */
export interface DraftsState {
  readonly drafts: Readonly<Record<string, object>>
  /** null discards what was typed. */
  put(about: string, typed: object | null): void
  /** Discards what was saved. If something was typed meanwhile, a `whole` draft stays, another keeps what is new in it. */
  drop(about: string, saved: object, isWhole: boolean): void
}

export const createDrafts = (): StoreApi<DraftsState> =>
  createStore<DraftsState>()((set, get) => ({
    drafts: {},
    put: (about, typed) => {
      const { [about]: _, ...others } = get().drafts
      set({ drafts: typed === null ? others : { ...others, [about]: typed } })
    },
    drop: (about, saved, isWhole) => {
      const parts = new Map<string, unknown>(Object.entries(saved))
      const left = Object.entries(get().drafts[about] ?? {}).filter(
        ([part, value]) => !parts.has(part) || parts.get(part) !== value,
      )
      if (left.length === 0) get().put(about, null)
      else if (!isWhole) get().put(about, Object.fromEntries(left))
    },
  }))

export const [useDrafts, provideDrafts] = createStoreContext<DraftsState>('drafts')
