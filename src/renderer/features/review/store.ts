import type { MaterialRow } from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { createStore } from 'zustand'

import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createPages } from '../../stores/pages.ts'
import type { PagesState } from '../../stores/pages.ts'

interface WaitingState {
  readonly site: SiteId | null
  /** The row that keys move from. */
  readonly activeId: MaterialId | null
  activate(materialId: MaterialId): void
}

/** The pages of a site whose current version is not approved: the one that waits longest first. */
export function createReviewStores({ bridge, navigation }: Services): {
  readonly provided: readonly Provide[]
  readonly load: () => Promise<void>
} {
  const seen = whileShown(bridge, navigation, ['review'])
  const waiting = createStore<WaitingState>()((set) => ({
    site: null,
    activeId: null,
    activate: (activeId) => set({ activeId }),
  }))
  const rows = createPages<MaterialRow>(async (offset, limit) => {
    const { site } = waiting.getState()
    if (site === null) return { total: 0, rows: [] }
    const none = { tags: [], editors: [], savedAfter: null, savedBefore: null, archived: false }
    return await seen.call('queryMaterials', {
      site,
      text: '',
      filters: { ...none, statuses: ['saved', 'changes_requested'] },
      sort: { by: 'saved', direction: 'up' },
      offset,
      limit,
    })
  })
  followOn(navigation, ['review'], (site) => {
    if (site === waiting.getState().site) return
    waiting.setState({ site, activeId: null })
    void rows.getState().restart()
  })
  onChange(seen, ['materials', 'marks'], () => void rows.getState().refresh())
  return { provided: [provideWaiting(waiting), provideWaitingRows(rows)], load: rows.getState().refresh }
}

const [useWaiting, provideWaiting] = createStoreContext<WaitingState>('pages that wait')
const [useWaitingRows, provideWaitingRows] = createStoreContext<PagesState<MaterialRow>>('rows of pages that wait')
export { useWaiting, useWaitingRows }
