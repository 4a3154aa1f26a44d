import { z } from 'zod'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { createStoreContext } from '../../context/provided.ts'
import { keep, readKept } from '../../ui/kept.ts'

/** From which widths of the window on the inspector lies beside the list, and over it; below, one pane is shown. */
const besidePx = 1100
const overPx = 820

const keptSchema = z.object({ isFolded: z.boolean(), isInspectorShown: z.boolean() })

export interface Layout extends z.infer<typeof keptSchema> {
  /** How list and inspector share the window. */
  readonly room: 'beside' | 'over' | 'single'
  toggleSidebar(): void
  toggleInspector(): void
  setInspector(isShown: boolean): void
}

const roomOf = (widthPx: number): Layout['room'] =>
  widthPx >= besidePx ? 'beside' : widthPx >= overPx ? 'over' : 'single'

/** What of the window is shown and folded, kept for the next start; a narrow window starts without the inspector. */
export function createLayout(): StoreApi<Layout> {
  const layout = createStore<Layout>()((set, get) => ({
    ...readKept('layout', keptSchema, { isFolded: false, isInspectorShown: true }),
    room: roomOf(window.innerWidth),
    toggleSidebar: () => set({ isFolded: !get().isFolded }),
    toggleInspector: () => set({ isInspectorShown: !get().isInspectorShown }),
    setInspector: (isInspectorShown) => set({ isInspectorShown }),
  }))
  if (layout.getState().room !== 'beside') layout.setState({ isInspectorShown: false })
  layout.subscribe(({ isFolded, isInspectorShown, room }) => {
    if (room === 'beside') keep('layout', { isFolded, isInspectorShown })
  })
  window.addEventListener('resize', () => {
    const room = roomOf(window.innerWidth)
    if (room === layout.getState().room) return
    // Where it would cover the list, it waits until it is asked for.
    layout.setState({ room, isInspectorShown: room === 'beside' })
  })
  return layout
}

export const [useLayout, provideLayout] = createStoreContext<Layout>('layout')
