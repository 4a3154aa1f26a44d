import type { StoreApi } from 'zustand'

import type { PaneName } from '../../ipc/review-window.ts'
import type { ReviewBridge } from './bridge.ts'
import { panesOf, versionsIn } from './state.ts'
import type { PageView, ReviewState } from './state.ts'

/** The answer to a call that threw. */
export const unexpected = { ok: false, failure: { code: 'unexpected' } } as const

export type Store = Pick<StoreApi<ReviewState>, 'setState' | 'getState'>

/** Loads the pages of the two panes and tracks files that each could not load. */
export function createPages({ setState: set, getState: get }: Store, bridge: ReviewBridge) {
  /** Missing files by version id, for pages not up yet. */
  const earlyMissing = new Map<string, readonly string[]>()
  const setPage = (pane: PaneName, page: PageView): void => set({ pages: { ...get().pages, [pane]: page } })

  async function showPage(pane: PaneName, at: number | null, hasImages = true): Promise<void> {
    const version = at === null ? undefined : versionsIn(get())[at]
    const before = get().pages[pane]
    if (version === undefined) {
      if (before.kind === 'none') return
      setPage(pane, { kind: 'none' })
      await bridge.call('showPage', { pane, versionId: null, hasImages }).catch(() => null)
      return
    }
    const isUp = before.kind === 'loading' || before.kind === 'shown'
    if (isUp && before.version.versionId === version.versionId) return
    const isAbove = before.kind === 'shown' || (before.kind === 'loading' && before.isAbove)
    setPage(pane, { kind: 'loading', version, isAbove })
    const { versionId } = version
    earlyMissing.delete(versionId)
    const shown = await bridge.call('showPage', { pane, versionId, hasImages }).catch(() => unexpected)
    const now = get().pages[pane]
    // Another version was requested in the meantime.
    if (now.kind !== 'loading' || now.version.versionId !== versionId) return
    setPage(
      pane,
      shown.ok
        ? {
            kind: 'shown',
            version,
            unshown: shown.value?.unshown ?? [],
            hasScripts: shown.value?.hasScripts ?? false,
            lost: earlyMissing.get(versionId) ?? [],
            hasImages,
          }
        : { kind: 'failed', version, problem: shown.failure },
    )
  }

  const change = (pane: PaneName, changed: (page: Exclude<PageView, { kind: 'none' }>) => PageView): void => {
    const page = get().pages[pane]
    if (page.kind !== 'none') setPage(pane, changed(page))
  }
  bridge.on('pageDied', ({ pane, why }) => change(pane, ({ version }) => ({ kind: 'died', version, why })))
  bridge.on('fileLost', ({ pane, name }) =>
    change(pane, (page) => {
      const { versionId } = page.version
      const lost = [...new Set([...(page.kind === 'shown' ? page.lost : (earlyMissing.get(versionId) ?? [])), name])]
      // A page requests its files before main reports it as shown.
      earlyMissing.set(versionId, lost)
      return page.kind === 'shown' ? { ...page, lost } : page
    }),
  )
  return {
    showPage,
    retry(pane: PaneName, hasImages: boolean): void {
      const page = get().pages[pane]
      if (page.kind === 'none') return
      setPage(pane, { kind: 'none' })
      void showPage(pane, panesOf(get())[pane], hasImages)
    },
  }
}
