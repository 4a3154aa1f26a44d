import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

/** Unsaved form input by subject, such as a site id. */
export interface DraftsState<Draft> {
  readonly drafts: Readonly<Record<string, Draft>>
  /** null discards the draft after it was saved or cancelled. */
  put(about: string, draft: Draft | null): void
}

/** Keeps form input while the window lives, even when the person leaves the screen. */
export const createDrafts = <Draft>(): StoreApi<DraftsState<Draft>> =>
  createStore<DraftsState<Draft>>()((set, get) => ({
    drafts: {},
    put: (about, draft) => {
      const { [about]: _, ...others } = get().drafts
      set({ drafts: draft === null ? others : { ...others, [about]: draft } })
    },
  }))

/** The values a form shows, typed or else saved, and the function that changes them. */
export function draftIn<Draft>({ drafts, put }: DraftsState<Draft>, about: string, kept: Draft) {
  const typed = drafts[about]
  return {
    draft: typed ?? kept,
    isTyped: typed !== undefined,
    setDraft: (draft: Draft | null): void => put(about, draft),
  }
}
