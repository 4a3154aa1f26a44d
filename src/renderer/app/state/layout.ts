import { z } from 'zod'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { createStoreContext } from '../../context/provided.ts'
import { keep, readKept } from '../../ui/kept.ts'

/** Minimum window widths at which the inspector is beside the list, or overlays it. Below both, one pane is shown. */
const besideMinPx = 1100
const overlayMinPx = 820
/** Minimum window height at which one pane can be above another. */
const stackedMinPx = 600

const keptSchema = z.object({ isFolded: z.boolean(), isInspectorShown: z.boolean() })

export interface Layout extends z.infer<typeof keptSchema> {
  readonly arrangement: 'beside' | 'over' | 'single'
  /** The window is too low for one pane above another. */
  readonly isLow: boolean
  toggleSidebar(): void
  toggleInspector(): void
  setInspector(isShown: boolean): void
}

const arrangementFor = (widthPx: number): Layout['arrangement'] =>
  widthPx >= besideMinPx ? 'beside' : widthPx >= overlayMinPx ? 'over' : 'single'

/** Sidebar and inspector state, persisted across restarts; a narrow window starts without the inspector. */
export function createLayout(): StoreApi<Layout> {
  const layout = createStore<Layout>()((set, get) => ({
    ...readKept('layout', keptSchema, { isFolded: false, isInspectorShown: true }),
    arrangement: arrangementFor(window.innerWidth),
    isLow: window.innerHeight < stackedMinPx,
    toggleSidebar: () => set({ isFolded: !get().isFolded }),
    toggleInspector: () => set({ isInspectorShown: !get().isInspectorShown }),
    setInspector: (isInspectorShown) => set({ isInspectorShown }),
  }))
  if (layout.getState().arrangement !== 'beside') layout.setState({ isInspectorShown: false })
  layout.subscribe(({ isFolded, isInspectorShown, arrangement }) => {
    if (arrangement === 'beside') keep('layout', { isFolded, isInspectorShown })
  })
  window.addEventListener('resize', () => {
    const isLow = window.innerHeight < stackedMinPx
    if (isLow !== layout.getState().isLow) layout.setState({ isLow })
    const arrangement = arrangementFor(window.innerWidth)
    if (arrangement === layout.getState().arrangement) return
    // Do not cover the list until the inspector is opened.
    layout.setState({ arrangement, isInspectorShown: arrangement === 'beside' })
  })
  return layout
}

export const [useLayout, provideLayout] = createStoreContext<Layout>('layout')
