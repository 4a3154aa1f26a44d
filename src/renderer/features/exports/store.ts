import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { Bridge } from '../../../contract/ipc/calls.ts'
import type { ExportContents, ExportRow } from '../../../contract/ipc/exports.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createPages } from '../../stores/pages.ts'
import { viewOf } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'

export interface ExportsState {
  readonly site: string | null
  show(site: string | null): void
}

/** The past exports of one site, newest first. */
export function createExports(bridge: Bridge) {
  const useRows = createPages<ExportRow>(async (offset, limit) => {
    const { site } = useExports.getState()
    return site === null ? { total: 0, rows: [] } : await bridge.call('listExports', { site, offset, limit })
  })
  const useExports = create<ExportsState>()((set, get) => ({
    site: null,
    show: (site) => {
      if (site === get().site) return
      set({ site })
      void useRows.getState().restart()
    },
  }))
  onChange(bridge, ['exports'], () => void useRows.getState().refresh())
  return { useExports, useRows }
}

export type Exports = ReturnType<typeof createExports>

export type ExportedPage = ExportContents['pages'][number]

export interface ContentsState {
  readonly exportId: string | null
  readonly view: View<ExportContents>
  show(exportId: string | null): Promise<void>
}

/** What the chosen export held; an export never changes. */
export function createExportContents(bridge: Bridge): UseBoundStore<StoreApi<ContentsState>> {
  return create<ContentsState>()((set, get) => ({
    exportId: null,
    view: { kind: 'loading' },
    async show(exportId) {
      if (exportId === get().exportId && get().view.kind !== 'failed') return
      set({ exportId, view: { kind: 'loading' } })
      if (exportId === null) return
      const view = await viewOf(bridge.call('readExport', { exportId }))
      if (get().exportId !== exportId) return
      if (view.kind !== 'ready') set({ view })
      else if (view.items.ok) set({ view: { kind: 'ready', items: view.items.value } })
      else set({ view: { kind: 'failed', problem: view.items.failure } })
    },
  }))
}
