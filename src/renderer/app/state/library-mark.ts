import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { Bridge } from '../../../contract/ipc/calls.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'

export interface LibraryMark {
  readonly needsCare: 'danger' | 'warning' | null
  load(): Promise<void>
}

/** Whether the sidebar marks Health, and how urgently: the library wants something of a person. A check or a save may change that. */
export function createLibraryMark(bridge: Bridge): UseBoundStore<StoreApi<LibraryMark>> {
  const useLibraryMark = create<LibraryMark>()((set) => ({
    needsCare: null,
    load: oneAtATime(async () => {
      const needsCare = await bridge.call('libraryNeedsCare', undefined).catch(() => 'unknown' as const)
      if (needsCare !== 'unknown') set({ needsCare })
    }),
  }))
  bridge.on('taskChanged', ({ kind, end }) => {
    if (kind === 'libraryCheck' && end.kind !== 'running') void useLibraryMark.getState().load()
  })
  onChange(bridge, ['callbacks'], () => void useLibraryMark.getState().load())
  return useLibraryMark
}
