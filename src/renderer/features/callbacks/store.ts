import type { CallbackCounts, CallbackFilters, CallbackRow } from '@galley/library/records'
import type { CallbackId, SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'
import { createPages } from '../../stores/pages.ts'
import type { PagesState } from '../../stores/pages.ts'
import type { SavedViewsState } from '../../stores/saved-views.ts'
import { keep, readKept } from '../../ui/kept.ts'
import { everything, filtersOf, questionSchema } from './question.ts'
import type { Question } from './question.ts'

/** Search text and material are not persisted, all other filters are. */
const keptSchema = questionSchema.omit({ text: true, materialId: true })
const keptName = 'callbacks'

export interface ListState {
  readonly site: SiteId | null
  readonly question: Question
  /** The number of callbacks that arrived since the list was held; `showNew` lists them. */
  readonly newer: number
  /** The last count per filter value; null until requested. */
  readonly counts: CallbackCounts | null
  show(site: SiteId | null): void
  /** Holds the list while a callback is selected; null lets it follow new arrivals. */
  hold(callbackId: CallbackId | null): void
  ask(change: Partial<Question>): void
  count(): Promise<void>
  showNew(): Promise<void>
  reload(): Promise<void>
  /** Ids of the rows from index `first` to `last`. */
  readIds(first: number, last: number): Promise<readonly string[]>
  /** The current query as filters of the IPC call. */
  filters(): CallbackFilters
}

export interface CallbackList {
  readonly list: StoreApi<ListState>
  readonly callbackRows: StoreApi<PagesState<CallbackRow>>
}

const rowsAtOnce = 500

/** The log's rows. While held, the list ends at the newest arrival shown and ignores later ones. */
function createHeldRows(bridge: Bridge, stored: () => StoreApi<ListState>) {
  /** The newest arrival in the held list. */
  let upTo: number | null = null
  /** The reference time for "the last hour"; fixed while the list is held. */
  let nowMs = Date.now()
  let newestRead = 0
  let heldId: string | null = null

  const ask = async (offset: number, limit: number) => {
    for (;;) {
      const { question, site, filters } = stored().getState()
      const [askedUpTo, askedNowMs] = [upTo, nowMs]
      const { sort } = question
      const page = await bridge.call('queryCallbacks', { filters: filters(), sort, upTo: askedUpTo, offset, limit })
      const now = stored().getState()
      // The query changed during the read: read again.
      if (now.question !== question || now.site !== site || upTo !== askedUpTo || nowMs !== askedNowMs) continue
      newestRead = page.upTo
      if (now.newer !== page.newer) stored().setState({ newer: page.newer })
      return page
    }
  }
  const rows = createPages<CallbackRow>(ask)
  const isListed = (id: string): boolean => [...rows.getState().rows.values()].some((row) => row.id === id)

  /** Reads up to the newest arrival, and holds the list there if a callback is selected. */
  const renew = async (read: () => Promise<void>): Promise<void> => {
    upTo = null
    nowMs = Date.now()
    await read()
    if (heldId !== null) upTo = newestRead
  }
  const refresh = (): Promise<void> => rows.getState().refresh()
  return {
    rows,
    renew,
    refresh,
    nowMs: () => nowMs,
    /** Handles a change event. */
    follow: () => (heldId === null ? renew(refresh) : refresh()),
    hold: (callbackId: CallbackId | null): void => {
      if (callbackId === heldId) return
      heldId = callbackId
      if (rows.getState().kind !== 'ready') return
      if (callbackId !== null && isListed(callbackId)) upTo ??= newestRead
      else void renew(refresh)
    },
    readIds: async (first: number, last: number): Promise<readonly string[]> => {
      const ids: string[] = []
      for (let offset = first; offset <= last; offset += rowsAtOnce) {
        const page = await ask(offset, Math.min(rowsAtOnce, last - offset + 1))
        ids.push(...page.rows.map(({ id }) => id))
      }
      return ids
    },
  }
}

/** The callback log, live; new arrivals never move the rows being read. */
export function createCallbacks(bridge: Bridge): CallbackList {
  const held = createHeldRows(bridge, () => list)
  const callbackRows = held.rows
  const list = createStore<ListState>()((set, get) => ({
    site: null,
    question: { ...everything, ...readKept(keptName, keptSchema, everything) },
    newer: 0,
    counts: null,
    show: (site) => {
      if (site === null || site === get().site) return
      set({ site, question: { ...get().question, materialId: null, text: '' }, newer: 0, counts: null })
      void held.renew(() => callbackRows.getState().restart())
    },
    hold: held.hold,
    ask: (change) => {
      const question = { ...get().question, ...change }
      set({ question, counts: null })
      const { text: _text, materialId: _materialId, ...kept } = question
      // Search text is not persisted, so typing writes nothing.
      if (Object.keys(change).some((name) => Object.hasOwn(kept, name))) keep(keptName, kept)
      void held.renew(callbackRows.getState().renew)
    },
    count: async () => {
      const { question } = get()
      // Counts are optional: ignore their failure.
      const counts = await bridge.call('callbackCounts', { filters: get().filters() }).catch(() => null)
      if (get().question === question) set({ counts })
    },
    showNew: () => held.renew(held.refresh),
    reload: held.refresh,
    readIds: held.readIds,
    filters: () => filtersOf(get().site, get().question, held.nowMs()),
  }))
  onChange(bridge, ['callbacks'], () => {
    if (list.getState().site !== null) void held.follow()
  })
  return { list, callbackRows }
}

export const [useCallbackList, provideCallbackList] = createStoreContext<ListState>('list of callbacks')

export const [useCallbackViews, provideCallbackViews] = createStoreContext<SavedViewsState>('views of callbacks')

export const [useCallbackRows, provideCallbackRows] = createStoreContext<PagesState<CallbackRow>>('rows of callbacks')
