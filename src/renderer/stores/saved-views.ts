import type { SavedView } from '@galley/library/records'
import type { Result, SiteId } from '@galley/wire'
import { fail } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge, CallProblem } from '../../ipc/calls.ts'
import { catchUnexpected } from '../bridge/answers.ts'

export interface SavedViewsState {
  readonly site: SiteId | null
  readonly views: readonly SavedView[]
  show(site: SiteId | null): void
  /** Saves a query, as JSON, under this name; replaces a view of the same name. */
  save(name: string, query: string): Promise<Result<unknown, CallProblem>>
  remove(name: string): Promise<void>
}
export type SavedViewsStore = StoreApi<SavedViewsState>

/** The saved views of one list for the current site; saves do not change them. */
export function createSavedViews(bridge: Bridge, subject: SavedView['subject']): SavedViewsStore {
  return createStore<SavedViewsState>()((set, get) => {
    const load = async (site: SiteId): Promise<void> => {
      // Saved views are optional: ignore their failure.
      const all = await bridge.call('listViews', { site }).catch((): readonly SavedView[] => [])
      if (get().site === site) set({ views: all.filter((view) => view.subject === subject) })
    }
    return {
      site: null,
      views: [],
      show: (site) => {
        if (site === get().site) return
        set({ site, views: [] })
        if (site !== null) void load(site)
      },
      save: async (name, query) => {
        const { site } = get()
        if (site === null) return fail({ code: 'unknown_site' })
        const saved = await catchUnexpected(bridge.call('saveView', { site, view: { subject, name, query } }))
        await load(site)
        return saved
      },
      remove: async (name) => {
        const { site } = get()
        if (site === null) return
        await bridge.call('removeView', { site, subject, name }).catch(() => null)
        await load(site)
      },
    }
  })
}
