import type { Answer } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { PreviewState } from '../../../ipc/publishing.ts'
import type { PageEnd } from '../../../ipc/review-window.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'

export interface PreviewsState {
  readonly site: SiteId | null
  /** Null while the site has no preview. */
  readonly preview: PreviewState | null
  showSite(site: SiteId | null): Promise<void>
  load(): Promise<void>
  /** Whether it is shown beside the forms. */
  readonly isBeside: boolean
  /** Why its page in the window ended; null: it did not. */
  readonly ended: PageEnd | null
  /** Serves the site on this computer as it would be published, and opens it in the browser. */
  start(): Promise<Answer<PreviewState>>
  /** Shows it in the window, or no longer; it stops then, unless it was opened in the browser. */
  setBeside(isBeside: boolean): Promise<Answer<unknown>>
  /** Goes to an address of the site in the window. */
  show(address: string): void
  stop(): Promise<void>
}

/** The preview of one site. */
export function createPreviews(bridge: Bridge): StoreApi<PreviewsState> {
  /** Sites whose preview somebody may be looking at in the browser. */
  const inBrowser = new Set<string>()
  const previews = createStore<PreviewsState>()((set, get) => ({
    site: null,
    preview: null,
    isBeside: false,
    ended: null,
    async showSite(site) {
      if (site === get().site) return
      set({ site, preview: null, isBeside: false, ended: null })
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
      const started = await catchUnexpected(bridge.call('startPreview', { site, where: 'browser' }))
      if (started.ok) inBrowser.add(site)
      await get().load()
      return started
    },
    async setBeside(isBeside) {
      const { site } = get()
      if (site === null) return fail({ code: 'unknown_site' })
      set({ isBeside, ended: null })
      if (!isBeside) {
        if (!inBrowser.has(site)) await get().stop()
        return ok(null)
      }
      const started = await catchUnexpected(bridge.call('startPreview', { site, where: 'window' }))
      if (!started.ok && get().site === site) set({ isBeside: false })
      await get().load()
      return started
    },
    show(address) {
      const { site } = get()
      if (site === null) return
      set({ ended: null })
      void bridge.call('showPreview', { site, address })
    },
    async stop() {
      const { site } = get()
      set({ isBeside: false })
      if (site !== null) inBrowser.delete(site)
      if (site !== null) await bridge.call('stopPreview', { site })
      await get().load()
    },
  }))
  bridge.on('previewEnded', ({ why }) => previews.setState({ ended: why }))
  // Keys that the page does not use belong to the window, as if they were pressed there.
  bridge.on('previewKey', (pressed) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { ...pressed, bubbles: true, cancelable: true })),
  )
  onChange(bridge, ['targets', 'materials', 'marks', 'sites'], () => void previews.getState().load())
  return previews
}

export const [usePreviews, providePreviews] = createStoreContext<PreviewsState>('previews')
