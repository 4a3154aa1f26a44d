import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { OpenProblems } from '../../../ipc/health.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'

export interface ProblemsState {
  readonly problems: OpenProblems
  load(): Promise<void>
}

/** The number that the sidebar shows at Health. A save, a check, a site, the listener or the team may change it. */
export function createOpenProblems(bridge: Bridge): StoreApi<ProblemsState> {
  const store = createStore<ProblemsState>()((set) => ({
    problems: { count: 0, urgency: null, sites: [] },
    load: oneAtATime(async () => {
      // If this fails, the last count stays.
      const problems = await bridge.call('openProblems', undefined).catch(() => null)
      if (problems !== null) set({ problems })
    }),
  }))
  const read = (): void => void store.getState().load()
  bridge.on('taskChanged', ({ kind, end }) => {
    if (kind === 'libraryCheck' && end.kind !== 'running') read()
  })
  let seen: string | null = null
  bridge.on('team', (team) => {
    const now = team === null ? null : JSON.stringify([team.syncState.kind, team.isReadOnly, team.undecided])
    if (now !== seen) read()
    seen = now
  })
  bridge.on('listenerState', read)
  onChange(bridge, ['callbacks', 'sites'], read)
  return store
}

export const [useOpenProblems, provideOpenProblems] = createStoreContext<ProblemsState>('open problems')
