import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { CallbackRecord } from '../../../contract/callback-record.ts'
import type { Bridge } from '../../../contract/ipc.ts'
import { texts } from '../../texts.ts'
import { oneAtATime } from '../../ui/one-at-a-time.ts'
import { itemsOf, viewOf } from '../../ui/view.ts'
import type { View } from '../../ui/view.ts'
import { arrivalText } from './arrival.ts'

/** How many of the newest callbacks are shown. */
export const callbacksShown = 500

export interface CallbacksState {
  readonly site: string | null
  readonly view: View<readonly CallbackRecord[]>
  readonly selectedId: string | null
  /** What a screen reader is told about the last arrival, empty before the first. */
  readonly arrival: string
  load(): Promise<void>
  show(site: string | null): void
  select(id: string): void
}

/** The callbacks of one site, live: arrivals come in above and never move the selection. */
export function createCallbacks(bridge: Bridge): UseBoundStore<StoreApi<CallbacksState>> {
  const callbacks = create<CallbacksState>()((set, get) => ({
    site: null,
    view: { kind: 'loading' },
    selectedId: null,
    arrival: '',
    load: oneAtATime(async () => {
      const { site, view: before } = get()
      if (site === null) return
      const view = await viewOf(bridge.call('listCallbacks', { site, limit: callbacksShown }), texts.callbacks.failed)
      if (get().site !== site) return
      // The first read of a site lists what is old; only what a later read adds has arrived.
      const known = before.kind === 'ready' ? new Set(before.items.map((record) => record.id)) : null
      const arrived = known === null ? [] : itemsOf(view).filter((record) => !known.has(record.id))
      set({ view, ...(arrived.length === 0 ? {} : { arrival: arrivalText(arrived) }) })
    }),
    show: (site) => {
      if (site === get().site) return
      set({ site, view: { kind: 'loading' }, selectedId: null, arrival: '' })
      void get().load()
    },
    select: (id) => set({ selectedId: id }),
  }))
  bridge.on('changed', ({ subjects }) => {
    if (subjects.includes('callbacks')) void callbacks.getState().load()
  })
  return callbacks
}

/** The selected callback, as it was last read. */
export const selectedCallback = ({ view, selectedId }: CallbacksState): CallbackRecord | null =>
  itemsOf(view).find((record) => record.id === selectedId) ?? null
