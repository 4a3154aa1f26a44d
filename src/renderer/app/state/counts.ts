import type { SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { SectionCounts } from '../../../ipc/materials.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import { follow, currentView } from '../../navigation/navigation.ts'
import type { NavigationStore } from '../../navigation/navigation.ts'

export type CountsStore = StoreApi<Counts>

export interface Counts {
  readonly site: SiteId | null
  /** null until loaded. */
  readonly counts: SectionCounts | null
}

/** The sidebar's counts for the current site. */
export function createCounts(bridge: Bridge, navigation: NavigationStore): CountsStore {
  const counters = createStore<Counts>()(() => ({ site: null, counts: null }))
  const read = oneAtATime(async () => {
    const { site } = counters.getState()
    const counts = site === null ? null : await bridge.call('sectionCounts', { site }).catch(() => null)
    if (counters.getState().site !== site) return
    counters.setState({ counts })
    markSeen()
  })
  /**
   * The log of a site marks its failed saves as seen only in a focused window: a window behind others also
   * counts as visible.
   */
  const markSeen = (): void => {
    const { site, counts } = counters.getState()
    const isWatched = document.visibilityState === 'visible' && document.hasFocus()
    const isSeen = isWatched && currentView(navigation.getState()).screen === 'delivery'
    if (site === null || !isSeen || (counts?.failedSaves.unseen ?? 0) === 0) return
    // If this fails, the badge stays until the next visit.
    void bridge.call('lookAtFailedSaves', { site }).catch(() => null)
  }
  document.addEventListener('visibilitychange', markSeen)
  window.addEventListener('focus', markSeen)
  follow(navigation, (site) => {
    if (site === counters.getState().site) return markSeen()
    counters.setState({ site, counts: null })
    void read()
  })
  onChange(bridge, ['materials', 'marks', 'callbacks', 'snapshots'], () => void read())
  // A start of the listener may find that saves could not arrive before.
  bridge.on('listenerState', () => void read())
  return counters
}

export const [useCounts, provideCounts] = createStoreContext<Counts>('counts')
