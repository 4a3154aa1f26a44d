import type { ExportContents, ExportRow } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { viewOfCall } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { currentSite, followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createPages } from '../../stores/pages.ts'
import type { PagesState } from '../../stores/pages.ts'

export interface ExportsState {
  readonly site: SiteId | null
  show(site: SiteId | null): void
}

/** The past exports of one site, newest first. */
function createExports(bridge: Bridge) {
  const exportRows = createPages<ExportRow>(async (offset, limit) => {
    const { site } = exports.getState()
    return site === null ? { total: 0, rows: [] } : await bridge.call('listExports', { site, offset, limit })
  })
  const exports = createStore<ExportsState>()((set, get) => ({
    site: null,
    show: (site) => {
      if (site === get().site) return
      set({ site })
      void exportRows.getState().restart()
    },
  }))
  onChange(bridge, ['exports'], () => void exportRows.getState().refresh())
  return { exports, exportRows }
}

export type ExportedPage = ExportContents['pages'][number]

export interface ContentsState {
  readonly exportId: string | null
  readonly view: View<ExportContents>
  show(exportId: string | null): Promise<void>
}

/** The content of the selected export. An export never changes. */
function createExportContents(bridge: Bridge): StoreApi<ContentsState> {
  return createStore<ContentsState>()((set, get) => ({
    exportId: null,
    view: { kind: 'loading' },
    async show(exportId) {
      if (exportId === get().exportId && get().view.kind !== 'failed') return
      set({ exportId, view: { kind: 'loading' } })
      if (exportId === null) return
      const view = await viewOfCall(bridge.call('readExport', { exportId }))
      if (get().exportId === exportId) set({ view })
    },
  }))
}

const [useExportRows, provideExportRows] = createStoreContext<PagesState<ExportRow>>('rows of exports')

const [useExportContents, provideExportContents] = createStoreContext<ContentsState>('contents of an export')

export { useExportRows, useExportContents }

/** The exports of a site, and the command that starts one. `start` knows what the window shows. */
export function createExportStores({ bridge, navigation, commands }: Services, start: () => void): readonly Provide[] {
  const seen = whileShown(bridge, navigation, ['publish'])
  const { exports, exportRows } = createExports(seen)
  followOn(navigation, ['publish'], (site) => exports.getState().show(site))
  commands.getState().register([
    {
      id: 'export.new',
      group: 'publish',
      title: (t) => t('exports:create'),
      isAvailable: () => currentSite(navigation.getState()) !== null,
      run: start,
    },
  ])
  return [provideExportRows(exportRows), provideExportContents(createExportContents(seen))]
}
