import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

/** What was typed into one form and is not saved, under what it is about, such as a site. */
interface DraftsState<Draft> {
  readonly drafts: Readonly<Record<string, Draft>>
  /** null: saved, or given up. */
  put(about: string, draft: Draft | null): void
}
export type Drafts<Draft> = UseBoundStore<StoreApi<DraftsState<Draft>>>

/** Keeps what is typed while the window lives, wherever it is left for. */
export const createDrafts = <Draft>(): Drafts<Draft> =>
  create<DraftsState<Draft>>()((set, get) => ({
    drafts: {},
    put: (about, draft) => {
      const { [about]: _, ...others } = get().drafts
      set({ drafts: draft === null ? others : { ...others, [about]: draft } })
    },
  }))

/** What a form shows: what was typed, else what is kept; and the way to change it. */
export function useDraft<Draft>(useDrafts: Drafts<Draft>, about: string, kept: Draft) {
  const { drafts, put } = useDrafts()
  const typed = drafts[about]
  return {
    draft: typed ?? kept,
    isTyped: typed !== undefined,
    setDraft: (draft: Draft | null): void => put(about, draft),
  }
}
