import type { CallbackRow } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { createStore } from 'zustand'

import type { Bridge, CallProblem } from '../../ipc/calls.ts'
import type { OpenedEditor } from '../../ipc/editor.ts'
import { catchUnexpected } from '../bridge/answers.ts'
import { createStoreContext } from '../context/provided.ts'

/** How opening a material of a new site went: only the service can say whether it accepts key and secret. */
export type FirstOpen =
  | { readonly kind: 'none' }
  | { readonly kind: 'opening' }
  | { readonly kind: 'opened'; readonly editor: OpenedEditor }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

const none = { kind: 'none' } as const

export interface FirstSaveState {
  readonly site: SiteId | null
  readonly opened: FirstOpen
  /** The first callback of the site that arrived since then; one that was stored replaces one that was not. */
  readonly arrived: CallbackRow | null
  /** Watches this site from now on, and forgets another one. */
  watch(site: SiteId): void
  /** Opens a session for a material that the person names, and shows the editor in the browser. */
  open(materialId: string, title: string | null): Promise<void>
}

/** Proves that a site works: the service accepts the secret when a material is opened, and its save arrives here. */
export function createFirstSave(bridge: Bridge) {
  const firstSave = createStore<FirstSaveState>()((set, get) => ({
    site: null,
    opened: none,
    arrived: null,
    watch: (site) => {
      if (site !== get().site) set({ site, opened: none, arrived: null })
    },
    open: async (materialId, title) => {
      const { site, opened: before } = get()
      if (site === null || before.kind === 'opening') return
      set({ opened: { kind: 'opening' } })
      const opened = await catchUnexpected(bridge.call('openEditor', { site, materialId, title, metadata: null }))
      if (get().site !== site) return
      set({
        opened: opened.ok ? { kind: 'opened', editor: opened.value } : { kind: 'failed', problem: opened.failure },
      })
    },
  }))
  bridge.on('callbackArrived', (row) => {
    const { site, arrived } = firstSave.getState()
    if (row.site === site && arrived?.outcome !== 'stored') firstSave.setState({ arrived: row })
  })
  return firstSave
}

export const [useFirstSave, provideFirstSave] = createStoreContext<FirstSaveState>('first save')
