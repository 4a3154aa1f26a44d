import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

/** What was typed into one form and is not saved, under what it is about, such as a site. */
export interface DraftsState<Draft> {
  readonly drafts: Readonly<Record<string, Draft>>
  /** null: saved, or given up. */
  put(about: string, draft: Draft | null): void
}

/** Keeps what is typed while the window lives, wherever it is left for. */
export const createDrafts = <Draft>(): StoreApi<DraftsState<Draft>> =>
  createStore<DraftsState<Draft>>()((set, get) => ({
    drafts: {},
    put: (about, draft) => {
      const { [about]: _, ...others } = get().drafts
      set({ drafts: draft === null ? others : { ...others, [about]: draft } })
    },
  }))

/** What a form shows: what was typed, else what is kept; and the way to change it. */
export function draftIn<Draft>({ drafts, put }: DraftsState<Draft>, about: string, kept: Draft) {
  const typed = drafts[about]
  return {
    draft: typed ?? kept,
    isTyped: typed !== undefined,
    setDraft: (draft: Draft | null): void => put(about, draft),
  }
}
