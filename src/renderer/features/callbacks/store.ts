import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { CallbackCounts, CallbackFilters, CallbackRow } from '../../../contract/ipc/callbacks.ts'
import type { Bridge } from '../../../contract/ipc/calls.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'
import { createPages } from '../../stores/pages.ts'
import type { PagesState } from '../../stores/pages.ts'
import type { SavedViewsState } from '../../stores/saved-views.ts'
import { keep, readKept } from '../../ui/kept.ts'
import { everything, filtersOf, questionSchema } from './question.ts'
import type { Question } from './question.ts'

/** What was searched and which material was meant is over with the session, what else narrows is not. */
const keptSchema = questionSchema.omit({ text: true, materialId: true })
const keptName = 'callbacks'

export interface ListState {
  readonly site: string | null
  readonly question: Question
  /** How many came since the list was held; they wait for `showNew`. */
  readonly newer: number
  /** How many callbacks the filters would let through, as last counted; null until somebody wanted to know. */
  readonly counts: CallbackCounts | null
  show(site: string | null): void
  /** While a callback is chosen the list stands still; with null it follows what arrives. */
  hold(callbackId: string | null): void
  ask(change: Partial<Question>): void
  count(): Promise<void>
  showNew(): Promise<void>
  reload(): Promise<void>
  /** Ids of the rows from place `first` to `last`. */
  readIds(first: number, last: number): Promise<readonly string[]>
  /** What the list is narrowed to, as main takes it. */
  filters(): CallbackFilters
}

export interface CallbackList {
  readonly list: StoreApi<ListState>
  readonly callbackRows: StoreApi<PagesState<CallbackRow>>
}

const rowsAtOnce = 500

/** The rows of the log up to the newest arrival that is let in: what is held stands still while more arrives. */
function createHeldRows(bridge: Bridge, stored: () => StoreApi<ListState>) {
  /** The newest arrival that the list shows while it is held. */
  let upTo: number | null = null
  /** From when "the last hour" is counted back: as the rest of a held list, it stands still. */
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
      // What was narrowed, sorted or let in meanwhile makes this an answer to an older question.
      if (now.question !== question || now.site !== site || upTo !== askedUpTo || nowMs !== askedNowMs) continue
      newestRead = page.upTo
      if (now.newer !== page.newer) stored().setState({ newer: page.newer })
      return page
    }
  }
  const rows = createPages<CallbackRow>(ask)
  const isListed = (id: string): boolean => [...rows.getState().rows.values()].some((row) => row.id === id)

  /** Reads up to the newest, and holds that if a callback is chosen. */
  const renew = async (read: () => Promise<void>): Promise<void> => {
    upTo = null
    nowMs = Date.now()
    await read()
    if (heldId !== null) upTo = newestRead
  }
  const again = (): Promise<void> => rows.getState().refresh()
  return {
    rows,
    renew,
    again,
    nowMs: () => nowMs,
    /** After news of changes. */
    follow: () => (heldId === null ? renew(again) : again()),
    hold: (callbackId: string | null): void => {
      if (callbackId === heldId) return
      heldId = callbackId
      if (rows.getState().kind !== 'ready') return
      if (callbackId !== null && isListed(callbackId)) upTo ??= newestRead
      else void renew(again)
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

/** The callbacks of one site or of all, live: what arrives never moves what is being read. */
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
      // A search is not kept, so what is typed into it writes nothing.
      if (Object.keys(change).some((name) => Object.hasOwn(kept, name))) keep(keptName, kept)
      void held.renew(callbackRows.getState().renew)
    },
    count: async () => {
      const { question } = get()
      // Nobody misses the numbers while the list itself can be read.
      const counts = await bridge.call('callbackCounts', { filters: get().filters() }).catch(() => null)
      if (get().question === question) set({ counts })
    },
    showNew: () => held.renew(held.again),
    reload: held.again,
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
