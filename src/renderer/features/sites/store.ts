import type { SiteSummary } from '@galley/library/records'
import type { Result, SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { SiteForm } from '../../../ipc/sites.ts'
import { catchUnexpected, itemsOf, viewOf } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import { currentSite } from '../../navigation/navigation.ts'
import type { NavigationStore } from '../../navigation/navigation.ts'

/** The open site dialog. */
export type SiteDialogState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'add' }
  | { readonly kind: 'edit'; readonly site: SiteSummary }
  | { readonly kind: 'remove'; readonly site: SiteSummary }
  /** Opens a material of the site and waits for its save. */
  | { readonly kind: 'try'; readonly site: SiteSummary }

export interface SitesState {
  readonly view: View<readonly SiteSummary[]>
  readonly dialog: SiteDialogState
  load(): Promise<void>
  show(dialog: SiteDialogState): void
  /** Saves and selects the site; on failure the dialog stays open. */
  save(form: SiteForm): Promise<Result<SiteSummary, CallProblem>>
  remove(id: string): Promise<Result<null, CallProblem>>
  /** Asks in a system dialog whether the site's addresses may be used. */
  confirm(id: string): Promise<void>
}

/** The library's sites. The window shows one of them: the first, if none was chosen or the chosen one was removed. */
export function createSites(bridge: Bridge, navigation: NavigationStore): StoreApi<SitesState> {
  const sites = createStore<SitesState>()((set, get) => ({
    view: { kind: 'loading' },
    dialog: { kind: 'closed' },
    load: oneAtATime(async () => {
      const view = await viewOf(bridge.call('listSites', undefined))
      set({ view })
      if (view.kind !== 'ready') return
      const shown = currentSite(navigation.getState())
      const isStillThere = view.items.some((site) => site.id === shown)
      if (!isStillThere) navigation.getState().setSite(view.items[0]?.id ?? null)
    }),
    show: (dialog) => set({ dialog }),
    save: async (form) => {
      const saved = await catchUnexpected(bridge.call('saveSite', form))
      if (!saved.ok) return saved
      await get().load()
      set({ dialog: { kind: 'closed' } })
      navigation.getState().setSite(saved.value.id)
      return saved
    },
    confirm: async (id) => {
      await catchUnexpected(bridge.call('confirmSite', { site: id }))
      await get().load()
    },
    remove: async (id) => {
      const removed = await catchUnexpected(bridge.call('removeSite', { site: id }))
      if (!removed.ok) return removed
      set({ dialog: { kind: 'closed' } })
      await get().load()
      return removed
    },
  }))
  onChange(bridge, ['sites'], () => void sites.getState().load())
  return sites
}

/** The current site, as last loaded. */
export const siteIn = ({ view }: SitesState, id: string | null): SiteSummary | null =>
  itemsOf(view).find((site) => site.id === id) ?? null

/** Calls `tell` with each site whose settings changed, and each that was removed. */
export function onSiteChange(sites: StoreApi<SitesState>, tell: (site: SiteId) => void): void {
  sites.subscribe((now, before) => {
    for (const was of itemsOf(before.view)) {
      if (JSON.stringify(siteIn(now, was.id)) !== JSON.stringify(was)) tell(was.id)
    }
  })
}

/** Calls `tell` with each site whose callback URL changed: sites are also loaded again after every save. */
export function onCallbackUrlChange(sites: StoreApi<SitesState>, tell: (site: SiteId) => void): void {
  sites.subscribe((now, before) => {
    for (const { id, callbackUrl } of itemsOf(before.view)) {
      if (siteIn(now, id)?.callbackUrl !== callbackUrl) tell(id)
    }
  })
}

export const [useSites, provideSites] = createStoreContext<SitesState>('sites')
