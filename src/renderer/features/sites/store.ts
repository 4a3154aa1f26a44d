import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { Bridge, Calls, CallProblem } from '../../../contract/ipc.ts'
import type { Result } from '../../../contract/result.ts'
import type { SiteSummary } from '../../../contract/site.ts'
import { orProblem } from '../../problem.ts'
import { texts } from '../../texts.ts'
import { oneAtATime } from '../../ui/one-at-a-time.ts'
import { itemsOf, viewOf } from '../../ui/view.ts'
import type { View } from '../../ui/view.ts'

/** Which dialog of this feature is open, if any. */
export type SiteDialogState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'add' }
  | { readonly kind: 'edit'; readonly site: SiteSummary }
  | { readonly kind: 'remove'; readonly site: SiteSummary }

export interface SitesState {
  readonly view: View<readonly SiteSummary[]>
  readonly selectedId: string | null
  readonly dialog: SiteDialogState
  load(): Promise<void>
  select(id: string): void
  show(dialog: SiteDialogState): void
  /** Saves and selects; the dialog stays open with the problem when it is refused. */
  save(form: Calls['saveSite']['input']): Promise<Result<SiteSummary, CallProblem>>
  remove(id: string): Promise<Result<null, CallProblem>>
}

/** The sites of the library and which of them the window shows; the first one when none was chosen. */
export function createSites(bridge: Bridge): UseBoundStore<StoreApi<SitesState>> {
  const sites = create<SitesState>()((set, get) => ({
    view: { kind: 'loading' },
    selectedId: null,
    dialog: { kind: 'closed' },
    load: oneAtATime(async () => {
      const view = await viewOf(bridge.call('listSites', undefined), texts.sites.failed)
      set(({ selectedId }) => {
        if (view.kind !== 'ready') return { view }
        const isStillThere = view.items.some((site) => site.id === selectedId)
        return { view, selectedId: isStillThere ? selectedId : (view.items[0]?.id ?? null) }
      })
    }),
    select: (id) => set({ selectedId: id }),
    show: (dialog) => set({ dialog }),
    save: async (form) => {
      const saved = await orProblem(bridge.call('saveSite', form))
      if (!saved.ok) return saved
      await get().load()
      set({ dialog: { kind: 'closed' }, selectedId: saved.value.id })
      return saved
    },
    remove: async (id) => {
      const removed = await orProblem(bridge.call('removeSite', { site: id }))
      if (!removed.ok) return removed
      set({ dialog: { kind: 'closed' } })
      await get().load()
      return removed
    },
  }))
  bridge.on('changed', ({ subjects }) => {
    if (subjects.includes('sites')) void sites.getState().load()
  })
  return sites
}

/** The site the window shows, as it was last read. */
export const selectedSite = ({ view, selectedId }: SitesState): SiteSummary | null =>
  itemsOf(view).find((site) => site.id === selectedId) ?? null
