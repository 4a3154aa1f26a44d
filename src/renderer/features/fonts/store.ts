import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { Bridge } from '../../../contract/ipc.ts'
import type { SnapshotSummary } from '../../../contract/snapshot.ts'
import { texts } from '../../texts.ts'
import { oneAtATime } from '../../ui/one-at-a-time.ts'
import { itemsOf, viewOf } from '../../ui/view.ts'
import type { View } from '../../ui/view.ts'

export interface FontsState {
  readonly site: string | null
  readonly view: View<readonly SnapshotSummary[]>
  readonly selectedId: string | null
  load(): Promise<void>
  show(site: string | null): void
  select(snapshotId: string): void
}

/** The font sets of one site, newest first. */
export function createFonts(bridge: Bridge): UseBoundStore<StoreApi<FontsState>> {
  const fonts = create<FontsState>()((set, get) => ({
    site: null,
    view: { kind: 'loading' },
    selectedId: null,
    load: oneAtATime(async () => {
      const { site } = get()
      if (site === null) return
      const view = await viewOf(bridge.call('listSnapshots', { site }), texts.fonts.failed)
      if (get().site === site) set({ view })
    }),
    show: (site) => {
      if (site === get().site) return
      set({ site, view: { kind: 'loading' }, selectedId: null })
      void get().load()
    },
    select: (snapshotId) => set({ selectedId: snapshotId }),
  }))
  bridge.on('changed', ({ subjects }) => {
    if (subjects.includes('snapshots')) void fonts.getState().load()
  })
  return fonts
}

/** The selected font set, as it was last read. */
export const selectedSnapshot = ({ view, selectedId }: FontsState): SnapshotSummary | null =>
  itemsOf(view).find((snapshot) => snapshot.snapshotId === selectedId) ?? null
