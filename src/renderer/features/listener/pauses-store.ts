import type { Answer, PausedSaves, SavePauses } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'

export interface PausesState extends SavePauses {
  load(): Promise<void>
  /** Pauses saves of one site, or with null of all; the editor shows the reason. */
  refuse(site: SiteId | null, reason: string): Promise<Answer<unknown>>
  /** Resumes saves of one site, or with null of all. */
  takeSaves(site: SiteId | null): Promise<Answer<unknown>>
}

/** The paused saves, as last reported by main. */
export function createPauses(bridge: Bridge): StoreApi<PausesState> {
  const pauses = createStore<PausesState>()((set, get) => ({
    reach: 'none',
    pauses: [],
    load: oneAtATime(async () => {
      const read = await bridge.call('savePauses', undefined).catch(() => null)
      if (read !== null) set(read)
    }),
    refuse: async (site, reason) => {
      const done = await catchUnexpected(bridge.call('pauseSaves', { site, reason }))
      await get().load()
      return done
    },
    takeSaves: async (site) => {
      const done = await catchUnexpected(bridge.call('resumeSaves', { site }))
      await get().load()
      return done
    },
  }))
  onChange(bridge, ['rules', 'sites'], () => void pauses.getState().load())
  return pauses
}

/** The pause that affects a site: that of all sites, or else its own. */
export const pauseOf = ({ pauses }: SavePauses, site: SiteId | null): PausedSaves | null =>
  pauses.find((pause) => pause.site === null || pause.site.id === site) ?? null

export const [usePauses, providePauses] = createStoreContext<PausesState>('pauses')
