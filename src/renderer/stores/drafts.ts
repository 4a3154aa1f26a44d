import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

/** Unsaved form input by subject, such as a site id. */
export interface DraftsState<Draft> {
  readonly drafts: Readonly<Record<string, Draft>>
  /** null discards the draft after it was saved or cancelled. */
  put(about: string, draft: Draft | null): void
  /** Discards a draft that was saved, unless it was edited meanwhile. Returns whether nothing is left unsaved. */
  drop(about: string, saved: Draft | undefined): boolean
  /** Discards the parts of a draft that were saved, except those that were edited meanwhile. Returns as `drop` does. */
  dropParts(about: string, saved: Partial<Draft>): boolean
}

/** Keeps form input while the window lives, even when the person leaves the screen. */
export const createDrafts = <Draft>(): StoreApi<DraftsState<Draft>> =>
  createStore<DraftsState<Draft>>()((set, get) => ({
    drafts: {},
    put: (about, draft) => {
      const { [about]: _, ...others } = get().drafts
      set({ drafts: draft === null ? others : { ...others, [about]: draft } })
    },
    drop: (about, saved) => {
      const current = get().drafts[about]
      if (current !== undefined && current !== saved) return false
      get().put(about, null)
      return true
    },
    dropParts: (about, saved) => {
      const parts = saved as Readonly<Record<string, unknown>>
      const left = Object.entries(get().drafts[about] ?? {}).filter(
        ([part, value]) => !(part in parts) || parts[part] !== value,
      )
      get().put(about, left.length === 0 ? null : (Object.fromEntries(left) as Draft))
      return !left.some(([part]) => part in parts)
    },
  }))

/** The values a form shows, typed or else saved, and the function that changes them. */
export function draftIn<Draft>({ drafts, put, drop }: DraftsState<Draft>, about: string, kept: Draft) {
  const typed = drafts[about]
  return {
    draft: typed ?? kept,
    isTyped: typed !== undefined,
    setDraft: (draft: Draft | null): void => put(about, draft),
    /** Discards the shown draft once it was saved, as `drop` does. */
    dropDraft: (): boolean => drop(about, typed),
  }
}
