import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../contract/ipc/calls.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'

export interface LibraryMark {
  readonly needsCare: 'danger' | 'warning' | null
  load(): Promise<void>
}

/** Whether, and how urgently, the sidebar marks Health as needing attention. A check or a save may change that. */
export function createLibraryMark(bridge: Bridge): StoreApi<LibraryMark> {
  const mark = createStore<LibraryMark>()((set) => ({
    needsCare: null,
    load: oneAtATime(async () => {
      const needsCare = await bridge.call('libraryNeedsCare', undefined).catch(() => 'unknown' as const)
      if (needsCare !== 'unknown') set({ needsCare })
    }),
  }))
  bridge.on('taskChanged', ({ kind, end }) => {
    if (kind === 'libraryCheck' && end.kind !== 'running') void mark.getState().load()
  })
  let standing: string | null = null
  bridge.on('team', (team) => {
    const kind = team?.standing.kind ?? null
    if (kind !== standing) void mark.getState().load()
    standing = kind
  })
  onChange(bridge, ['callbacks'], () => void mark.getState().load())
  return mark
}

export const [useLibraryMark, provideLibraryMark] = createStoreContext<LibraryMark>('library mark')
