import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

export const viewNames = ['materials', 'callbacks', 'fonts'] as const
export type ViewName = (typeof viewNames)[number]

export interface Navigation {
  readonly view: ViewName
  go(view: ViewName): void
}

/** Which view the window shows. */
export const createNavigation = (): UseBoundStore<StoreApi<Navigation>> =>
  create<Navigation>()((set) => ({ view: 'materials', go: (view) => set({ view }) }))
