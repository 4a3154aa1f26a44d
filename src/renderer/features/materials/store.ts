import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { Bridge, CallProblem } from '../../../contract/ipc.ts'
import type { MaterialSummary } from '../../../contract/material.ts'
import { orProblem } from '../../problem.ts'
import { texts } from '../../texts.ts'
import { oneAtATime } from '../../ui/one-at-a-time.ts'
import { itemsOf, viewOf } from '../../ui/view.ts'
import type { View } from '../../ui/view.ts'

/** What became of the last "Open in editor". */
export type Opening =
  | { readonly kind: 'idle' }
  | { readonly kind: 'opening'; readonly materialId: string }
  | { readonly kind: 'opened'; readonly url: string; readonly isShownInBrowser: boolean }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

export interface MaterialsState {
  readonly site: string | null
  /** What is searched for; empty lists all. */
  readonly text: string
  readonly view: View<readonly MaterialSummary[]>
  readonly selectedId: string | null
  readonly opening: Opening
  readonly isCreating: boolean
  load(): Promise<void>
  /** Changes the site; what was selected and searched belongs to the old one. */
  show(site: string | null): void
  search(text: string): void
  select(materialId: string): void
  setCreating(isCreating: boolean): void
  open(materialId: string, title: string | null): Promise<void>
  dismiss(): void
}

/** The materials of one site: list, search, selection and opening in the editor. */
export function createMaterials(bridge: Bridge): UseBoundStore<StoreApi<MaterialsState>> {
  const materials = create<MaterialsState>()((set, get) => ({
    site: null,
    text: '',
    view: { kind: 'loading' },
    selectedId: null,
    opening: { kind: 'idle' },
    isCreating: false,
    load: oneAtATime(async () => {
      const { site, text } = get()
      if (site === null) return
      const view = await viewOf(bridge.call('listMaterials', { site, text: text.trim() }), texts.materials.failed)
      // An answer about a site that was left meanwhile is not shown; the read that follows brings the right one.
      if (get().site === site) set({ view })
    }),
    show: (site) => {
      if (site === get().site) return
      set({ site, text: '', selectedId: null, view: { kind: 'loading' }, opening: { kind: 'idle' }, isCreating: false })
      void get().load()
    },
    search: (text) => {
      set({ text })
      void get().load()
    },
    select: (materialId) => set({ selectedId: materialId }),
    setCreating: (isCreating) => set({ isCreating, opening: { kind: 'idle' } }),
    open: async (materialId, title) => {
      const { site, opening } = get()
      if (site === null || opening.kind === 'opening') return
      set({ opening: { kind: 'opening', materialId } })
      const opened = await orProblem(bridge.call('openEditor', { site, materialId, title }))
      if (get().site !== site) return
      if (!opened.ok) {
        set({ opening: { kind: 'failed', problem: opened.failure } })
        return
      }
      const { url, shownInBrowser } = opened.value
      set({
        opening: { kind: 'opened', url, isShownInBrowser: shownInBrowser },
        selectedId: materialId,
        isCreating: false,
      })
      await get().load()
    },
    dismiss: () => set({ opening: { kind: 'idle' } }),
  }))
  bridge.on('changed', ({ subjects }) => {
    if (subjects.includes('materials')) void materials.getState().load()
  })
  return materials
}

/** The selected material as it was last read; null while it is not in the list, as after a search. */
export const selectedMaterial = ({ view, selectedId }: MaterialsState): MaterialSummary | null =>
  itemsOf(view).find((material) => material.materialId === selectedId) ?? null
