import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../contract/ipc/calls.ts'
import type { Answer } from '../../../contract/ipc/problem.ts'
import type { PreviewState } from '../../../contract/ipc/publishing.ts'
import { fail } from '../../../contract/result.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'

export interface PreviewsState {
  readonly site: string | null
  /** Null while the site has no preview. */
  readonly preview: PreviewState | null
  show(site: string | null): Promise<void>
  load(): Promise<void>
  /** Serves the site on this computer as it would be published, and opens it in the browser. */
  start(): Promise<Answer<PreviewState>>
  stop(): Promise<void>
}

/** The preview of one site. */
export function createPreviews(bridge: Bridge): StoreApi<PreviewsState> {
  const previews = createStore<PreviewsState>()((set, get) => ({
    site: null,
    preview: null,
    async show(site) {
      if (site === get().site) return
      set({ site, preview: null })
      await get().load()
    },
    async load() {
      const { site } = get()
      if (site === null) return
      const preview = await bridge.call('previewState', { site }).catch(() => null)
      if (get().site === site) set({ preview })
    },
    async start() {
      const { site } = get()
      if (site === null) return fail({ code: 'unknown_site' })
      const started = await catchUnexpected(bridge.call('startPreview', { site }))
      await get().load()
      return started
    },
    async stop() {
      const { site } = get()
      if (site !== null) await bridge.call('stopPreview', { site })
      await get().load()
    },
  }))
  onChange(bridge, ['targets', 'materials', 'sites'], () => void previews.getState().load())
  return previews
}

export const [usePreviews, providePreviews] = createStoreContext<PreviewsState>('previews')
