import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { Bridge } from '../../../contract/ipc.ts'
import type { SectionCounts } from '../../../contract/ipc/materials.ts'
import { onChange } from '../../data/live.ts'
import { oneAtATime } from '../../data/one-at-a-time.ts'
import type { NavigationStore } from '../../navigation/navigation.ts'
import { follow } from '../../navigation/navigation.ts'

export interface Counts {
  readonly site: string | null
  /** null until they were read. */
  readonly counts: SectionCounts | null
}

/** The numbers beside the sections, of the site that is shown. */
export function createCounts(bridge: Bridge, navigation: NavigationStore): UseBoundStore<StoreApi<Counts>> {
  const useCounts = create<Counts>()(() => ({ site: null, counts: null }))
  const read = oneAtATime(async () => {
    const { site } = useCounts.getState()
    const counts = site === null ? null : await bridge.call('sectionCounts', { site }).catch(() => null)
    if (useCounts.getState().site === site) useCounts.setState({ counts })
  })
  follow(navigation, (site) => {
    if (site === useCounts.getState().site) return
    useCounts.setState({ site, counts: null })
    void read()
  })
  onChange(bridge, ['materials', 'callbacks', 'snapshots', 'exports'], () => void read())
  return useCounts
}
